/** A version that goes hurts many, and is one thing to a person. */
import type { Finding } from '../rule/index.js';
import { upgradeRuleNamed } from '../upgrade/index.js';

/** In their order, with those about one version that goes together at the place of its first one. */
export function groupByRemovedVersion<Said>(
  all: readonly Said[],
  findingOf: (said: Said) => Finding,
): [Said, ...Said[]][] {
  const groups: [Said, ...Said[]][] = [];
  const known = new Map<string, [Said, ...Said[]]>();
  for (const said of all) {
    const { rule, version, object } = findingOf(said);
    const key =
      version !== undefined && upgradeRuleNamed(rule)?.groupsWith === 'removed-version'
        ? JSON.stringify([object?.name, version])
        : undefined;
    const group = key === undefined ? undefined : known.get(key);
    if (group !== undefined) {
      group.push(said);
      continue;
    }
    const made: [Said, ...Said[]] = [said];
    groups.push(made);
    if (key !== undefined) known.set(key, made);
  }
  return groups;
}

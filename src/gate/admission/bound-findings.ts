/** Findings of a bounded number: a definition of a megabyte can have a hundred thousand. */
import { effects, severities, type Finding } from '../../rule/index.js';

/** More than an answer or a log may hold. */
export const maxFindings = 2_000;

/** Adds one for each rule and effect left out, without a path: no exemption of a single place covers it. */
export function boundFindings(
  findings: readonly Finding[],
  most: number = maxFindings,
): readonly Finding[] {
  if (findings.length <= most) return findings;
  const sorted = findings.toSorted((left, right) => rank(left) - rank(right));
  const groups = new Map<string, { readonly first: Finding; count: number }>();
  for (const finding of sorted.slice(most)) {
    const { rule, severity, effect, harm, stored } = finding;
    const key = [rule, severity, effect, harm, stored?.update].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: finding, count: 1 });
    else group.count++;
  }
  const rest = [...groups.values()].map(({ first, count }) => {
    const { rule, family, severity, effect, harm, stored, storedFrom, object, docs } = first;
    const message = `and ${count} more of ${rule}`;
    const told = { rule, family, severity, message, cause: message, docs };
    return { ...told, effect, harm, stored, storedFrom, object };
  });
  return [...sorted.slice(0, most), ...rest];
}

function rank({ severity, effect }: Finding): number {
  const harm = effect === undefined ? effects.length : effects.indexOf(effect);
  return severities.indexOf(severity) * (effects.length + 1) + harm;
}

/** Groups the findings about a removed version or field for people: one finding, with the others about it beneath. */
import { qualifiedRuleName, upgradeRuleNamed } from '../upgrade/index.js';
import { groupByRemovedVersion } from '../policy/index.js';
import { firstNames } from '../text/shortened.js';
import { severities } from '../rule/index.js';
import type { CheckResult } from './check-report.js';
import { saidOf, withSaid, type ReportedFinding } from './grouping.js';
import { messageDetails } from './wording.js';

/**
 * The same with one finding for each removed version, the gravest of those about it, and one for each
 * removed field with all that is in it.
 */
export function mergeRemoved(result: CheckResult): CheckResult {
  const all = saidOf(result);
  const groups = groupByRemovedVersion(all, ({ finding }) => finding);
  const reported = withoutInner(
    groups.map((group): ReportedFinding => {
      const [first, ...others] = group.toSorted(
        (left, right) =>
          severities.indexOf(left.finding.severity) - severities.indexOf(right.finding.severity),
      ) as [ReportedFinding, ...ReportedFinding[]];
      const also = others.flatMap(({ finding, note }) => [
        `also ${qualifiedRuleName(finding)}: ${finding.message}`,
        ...messageDetails(finding, note),
      ]);
      return withAlso(first, also);
    }),
  );
  return reported.length === all.length ? result : withSaid(result, reported);
}

function withAlso(said: ReportedFinding, also: readonly string[]): ReportedFinding {
  const { note } = said;
  if (also.length === 0) return said;
  return { ...said, note: { ...note, also: [...(note?.also ?? []), ...also] } };
}

/** Without the fields of a removed field, where no more is said of them than of the field. */
function withoutInner(all: readonly ReportedFinding[]): ReportedFinding[] {
  const removed = new Map<string, { readonly path: string; readonly inner: string[] }>();
  const kept: (() => ReportedFinding)[] = [];
  for (const said of all) {
    const { rule, path = '', object, version, severity, effect, stored, decidedBy } = said.finding;
    if (upgradeRuleNamed(rule)?.groupsWith !== 'removed-field') {
      kept.push(() => said);
      continue;
    }
    const { exempt, fix } = said.note ?? {};
    const alike = [object?.name, version, severity, effect, stored, decidedBy, exempt, fix];
    const at = (place: string): string => JSON.stringify([...alike, place]);
    const outer = outerPaths(path).flatMap((place) => removed.get(at(place)) ?? [])[0];
    if (outer === undefined) {
      const inner: string[] = [];
      removed.set(at(path), { path, inner });
      kept.push(() =>
        inner.length === 0 ? said : withAlso(said, [`with its fields ${firstNames(inner)}`]),
      );
    } else {
      removed.set(at(path), outer);
      // Items of a list and values of a map are no fields.
      if (!path.endsWith(']')) outer.inner.push(path.slice(outer.path.length).replace(/^\./, ''));
    }
  }
  return kept.map((make) => make());
}

/** Levels between a field and the one it is declared in: items of lists have no finding. */
const maxBetween = 3;

function outerPaths(path: string): string[] {
  const outer: string[] = [];
  let end = path.length;
  while (outer.length < maxBetween) {
    end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1));
    if (end <= 0) break;
    outer.push(path.slice(0, end));
  }
  return outer;
}

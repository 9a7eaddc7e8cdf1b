/** Groups the findings about a removed version for people: one finding, with the others about it beneath. */
import { qualifiedRuleName } from '../upgrade/index.js';
import { groupByRemovedVersion } from '../policy/index.js';
import type { Severity } from '../rule/index.js';
import type { CheckResult } from './check-report.js';
import { saidOf, withSaid, type ReportedFinding } from './grouping.js';
import { messageDetails } from './wording.js';

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** The same with one finding for each version that goes, the gravest of those about it. */
export function mergeRemovedVersionFindings(result: CheckResult): CheckResult {
  const all = saidOf(result);
  const groups = groupByRemovedVersion(all, ({ finding }) => finding);
  if (groups.length === all.length) return result;
  const reported = groups.map((group): ReportedFinding => {
    const [first, ...others] = group.toSorted(
      (left, right) =>
        severities.indexOf(left.finding.severity) - severities.indexOf(right.finding.severity),
    ) as [ReportedFinding, ...ReportedFinding[]];
    if (others.length === 0) return first;
    const also = others.flatMap(({ finding, note }) => [
      `also ${qualifiedRuleName(finding)}: ${finding.message}`,
      ...messageDetails(finding, note),
    ]);
    return { ...first, note: { ...first.note, also } };
  });
  return withSaid(result, reported);
}

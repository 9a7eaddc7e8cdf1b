/** What a person is told of a version that goes: one finding, with what else is about it beneath. */
import { fineName } from '../../rules/crd/change-name.js';
import { byLeavingVersion } from '../../check/leaving-version.js';
import type { Severity } from '../../finding.js';
import type { CheckResult } from './check-report.js';
import { saidOf, withSaid, type Said } from './grouping.js';
import { besideMessage } from './wording.js';

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** The same with one finding for each version that goes, the gravest of those about it. */
export function withVersionsToldOnce(result: CheckResult): CheckResult {
  const all = saidOf(result);
  const groups = byLeavingVersion(all, ({ finding }) => finding);
  if (groups.length === all.length) return result;
  const told = groups.map((group): Said => {
    const [first, ...others] = group.toSorted(
      (left, right) =>
        severities.indexOf(left.finding.severity) - severities.indexOf(right.finding.severity),
    ) as [Said, ...Said[]];
    if (others.length === 0) return first;
    const also = others.flatMap(({ finding, note }) => [
      `also ${fineName(finding)}: ${finding.message}`,
      ...besideMessage(finding, note),
    ]);
    return { ...first, note: { ...first.note, also } };
  });
  return withSaid(result, told);
}

/** What a person is told of a version that goes: one finding, with what else is about it beneath. */
import { fineName } from '../../rules/crd/change-name.js';
import { byLeavingVersion } from '../../check/leaving-version.js';
import type { Severity } from '../../finding.js';
import type { CheckResult, FindingNote } from './check-report.js';
import type { Said } from './grouping.js';
import { besideMessage } from './wording.js';

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** The same with one finding for each version that goes, the gravest of those about it. */
export function withVersionsToldOnce(result: CheckResult): CheckResult {
  const { verdict, places, notes } = result;
  const all = verdict.findings.map((finding, index): Said => ({
    finding,
    place: places[index],
    note: notes?.[index],
  }));
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
  return {
    ...result,
    verdict: { ...verdict, findings: told.map(({ finding }) => finding) },
    places: told.map(({ place }) => place ?? {}),
    notes: told.map(({ note }): FindingNote => note ?? {}),
  };
}

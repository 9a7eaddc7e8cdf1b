/** A report as people are shown it: every value on one line and of bounded length, but for the texts of messages. */
import { shortened } from '../text/shortened.js';
import { visible, visibleLines } from '../text/visible.js';
import type { Finding, Verdict } from '../rule/index.js';
import type { CheckReport, CheckResult, FindingNote } from './check-report.js';
import { mergeRemoved } from './removed.js';

/** More than any path of a real definition has. */
const longestValue = 1_000;
const longestMessage = 8_000;

/** For text that a terminal, a page or a CI server shows; scripts get the report as it is. */
export function presentable(whole: CheckReport): CheckReport {
  const { results, warnings, unchecked, comparedWith, failed, ...report } = whole;
  return {
    ...report,
    results: results.map(mergeRemoved).map(presentResult),
    ...(warnings !== undefined && { warnings: warnings.map(line) }),
    ...(unchecked !== undefined && { unchecked: unchecked.map(line) }),
    ...(comparedWith !== undefined && { comparedWith: comparedWith.map(line) }),
    ...(failed !== undefined && { failed: valuesOf(failed) }),
  };
}

function presentResult({ name, verdict, places, notes, ...result }: CheckResult): CheckResult {
  return {
    ...result,
    name: value(name),
    verdict: presentVerdict(verdict),
    places: places.map(valuesOf),
    ...(notes !== undefined && { notes: notes.map(presentNote) }),
  };
}

function presentVerdict({ findings, warnings, ...verdict }: Verdict): Verdict {
  return {
    ...verdict,
    findings: findings.map(presentFinding),
    warnings: warnings.map(line),
    ...(verdict.bypassedBy !== undefined && { bypassedBy: value(verdict.bypassedBy) }),
  };
}

function presentFinding(finding: Finding): Finding {
  const { object, version, path, proof, fix, markers, decidedBy } = finding;
  return {
    ...finding,
    message: message(finding.message),
    ...(object !== undefined && { object: valuesOf(object) }),
    ...(version !== undefined && { version: value(version) }),
    ...(path !== undefined && { path: value(path) }),
    ...(proof !== undefined && { proof: line(proof) }),
    ...(decidedBy !== undefined && { decidedBy: line(decidedBy) }),
    ...(typeof fix === 'string' && { fix: line(fix) }),
    ...(markers !== undefined && { markers: markers.map(line) }),
  };
}

function presentNote({ fix, also, exempt, frame }: FindingNote): FindingNote {
  return {
    ...(fix !== undefined && { fix: line(fix) }),
    ...(also !== undefined && { also: also.map(line) }),
    ...(exempt !== undefined && { exempt: line(exempt) }),
    ...(frame !== undefined && { frame: { ...frame, lines: frame.lines.map(visibleLines) } }),
  };
}

function valuesOf<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([key, each]: [string, unknown]) => [
    key,
    typeof each === 'string' ? value(each) : each,
  ]);
  return Object.fromEntries(entries) as Values;
}

function value(text: string): string {
  return visible(shortened(text, longestValue));
}

function line(text: string): string {
  return visible(shortened(text, longestMessage));
}

/** The texts of the reference implementations have lines of their own. */
function message(text: string): string {
  return visibleLines(shortened(text, longestMessage));
}

/** Findings of objects that several renderings make of one source: each is reported once, where it is written. */
import type { CheckResult } from './check-report.js';
import { saidOf, withSaid, type ReportedFinding } from './grouping.js';
import { firstNames } from '../text/shortened.js';

const namedAtMost = 3;

/**
 * Each finding at one place of the source once, with the renderings that it is found in. Results whose
 * findings are all reported with others are dropped.
 */
export function mergeRenderings(results: readonly CheckResult[]): readonly CheckResult[] {
  const renderings = new Map<string, Set<string>>();
  for (const result of results) {
    for (const said of saidOf(result)) {
      const key = keyOf(result, said);
      if (key === undefined) continue;
      const known = renderings.get(key) ?? new Set();
      renderings.set(key, known.add(result.rendering ?? ''));
    }
  }
  const reported = new Set<string>();
  return results.flatMap((result) => {
    const all = saidOf(result);
    const own: ReportedFinding[] = [];
    for (const said of all) {
      const key = keyOf(result, said) ?? '';
      if (reported.has(key)) continue;
      if (key !== '') reported.add(key);
      own.push(withRenderings(said, [...(renderings.get(key) ?? [])]));
    }
    const left = all.length - own.length;
    if (left === 0) return [withSaid(result, own)];
    if (own.length === 0 && result.verdict.warnings.length === 0) return [];
    const sentence = `${left === 1 ? '1 finding' : `${left} findings`} of the same place reported above`;
    return [{ ...withSaid(result, own), counted: [...(result.counted ?? []), sentence] }];
  });
}

/** Undefined for what is not known to be written in one place for several renderings. */
function keyOf(
  { rendering }: CheckResult,
  { finding, place }: ReportedFinding,
): string | undefined {
  if (rendering === undefined || place?.line === undefined) return undefined;
  const { rule, severity, object, version, path, message } = finding;
  const { file, line, column } = place;
  return JSON.stringify([
    ...[file, line, column],
    ...[object?.kind, version, rule, severity, path, message],
  ]);
}

function withRenderings(said: ReportedFinding, names: readonly string[]): ReportedFinding {
  if (names.length < 2) return said;
  const named = firstNames(names, namedAtMost);
  const also = [...(said.note?.also ?? []), `in ${names.length} renderings: ${named}`];
  return { ...said, note: { ...said.note, also } };
}

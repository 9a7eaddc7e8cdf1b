/** Harmful findings come first in every format, and harmless ones are counted in one line. */
import { plural } from '../text/plural.js';
import { changeName, isRefusedByServer } from '../upgrade/index.js';
import type { CheckResult } from './check-report.js';
import { gravityOf, saidOf, withSaid, type ReportedFinding } from './grouping.js';

/** Errors before warnings, of each what breaks or loses objects; otherwise in the order of the rules. */
export function harmFirst(result: CheckResult): CheckResult {
  const said = saidOf(result);
  const sorted = said.toSorted((left, right) => gravityOf(left.finding) - gravityOf(right.finding));
  return withSaid(result, sorted);
}

/** Counts findings that are proven harmless, by what changed, in place of listing them. */
export function foldHarmless(result: CheckResult): CheckResult {
  const said = saidOf(result);
  const shown = said.filter((each) => !isHarmless(each));
  if (shown.length === said.length) return result;
  const { counted = [] } = result;
  return {
    ...withSaid(result, shown),
    counted: [...counted, sentenceOf(said.filter(isHarmless))],
  };
}

/** A denied or exempt finding is listed: a user has to act on it, or has written about it. */
export function isHarmless({ finding, note }: ReportedFinding): boolean {
  const { severity, effect, family, rule } = finding;
  return (
    effect === 'safe' &&
    severity !== 'error' &&
    family === 'crd-upgrade-safety' &&
    !isRefusedByServer(rule) &&
    note?.exempt === undefined
  );
}

const otherChanges = 'other change';

function sentenceOf(harmless: readonly ReportedFinding[]): string {
  const counts = new Map<string, number>();
  for (const { finding } of harmless) {
    const kind = kindOf(changeName(finding));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort(
    ([left, most], [right, more]) =>
      Number(left === otherChanges) - Number(right === otherChanges) || more - most,
  );
  const words = kinds.map(([kind, count]) => plural(count, kind));
  return `${words.join(', ')}: harmless (--all lists them)`;
}

const nouns: Readonly<Record<string, string>> = {
  Added: 'addition',
  Removed: 'removal',
  Raised: 'increase',
  Lowered: 'decrease',
};

/** `DescriptionChanged` is a "description change". */
function kindOf(change: string | undefined): string {
  if (change === undefined) return otherChanges;
  const words = change.split(/(?=[A-Z])/);
  const noun = nouns[words.at(-1) ?? ''] ?? 'change';
  return `${words.slice(0, -1).join(' ').toLowerCase()} ${noun}`;
}

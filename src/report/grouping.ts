/** Groups and sorts findings: a release that changes one shared type changes a hundred fields, and is shown once. */
import { plural } from '../text/plural.js';
import type { Place } from '../text/documents/index.js';
import { severities, type Effect, type Finding, type Severity } from '../rule/index.js';
import type { CheckResult, FindingNote } from './check-report.js';
import { smallest } from '../text/long-lists.js';
import { groupBy } from '../text/group.js';
import { changeName, isRefusedByServer } from '../upgrade/index.js';

export interface ReportedFinding {
  readonly finding: Finding;
  readonly place: Place | undefined;
  readonly note: FindingNote | undefined;
}

export type Group = readonly [ReportedFinding, ...ReportedFinding[]];

/** A group that is reported in full, and those that differ from it in nothing but path and version. */
export interface FindingGroup {
  readonly reported: Group;
  readonly others: readonly Group[];
}

/** Denying findings first, of these the harmful ones; otherwise in the order of places and kinds. */
export function groupFindings(result: CheckResult): FindingGroup[] {
  const kinds = new Map<string, { reported: Group; others: Group[] }>();
  for (const group of groupsOf(result)) {
    const key = JSON.stringify(group.map(withoutPlace));
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { reported: group, others: [] });
    else known.others.push(group);
  }
  return [...kinds.values()].sort(
    (left, right) => weightOf(left.reported) - weightOf(right.reported),
  );
}

export function countSeverities(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

const effects: readonly (Effect | undefined)[] = [
  'breaking',
  'data-loss',
  undefined,
  'undecided',
  'behavior',
  'safe',
];

function weightOf(group: Group): number {
  return smallest(group.map(({ finding }) => gravityOf(finding)));
}

/** The lower, the graver: errors, then harm to stored objects, then to those made up to show it. */
export function gravityOf({
  severity,
  effect,
  stored,
  family,
}: Pick<Finding, 'severity' | 'effect' | 'stored' | 'family'>): number {
  const isOfStored =
    family === 'stored-objects' && (effect === 'breaking' || effect === 'data-loss');
  const milder = stored !== undefined && stored.update !== 'refused' ? 0.5 : 0;
  const harm = isOfStored ? 0 : 1 + effects.indexOf(effect) + milder;
  return severities.indexOf(severity) * (effects.length + 1) + harm;
}

export function saidOf({ verdict, places, notes }: CheckResult): ReportedFinding[] {
  return verdict.findings.map((finding, index) => ({
    finding,
    place: places[index],
    note: notes?.[index],
  }));
}

export function withSaid(result: CheckResult, said: readonly ReportedFinding[]): CheckResult {
  return {
    ...result,
    verdict: { ...result.verdict, findings: said.map(({ finding }) => finding) },
    places: said.map(({ place }) => place ?? {}),
    notes: said.map(({ note }) => note ?? {}),
  };
}

function groupsOf(result: CheckResult): Group[] {
  const groups = groupBy(saidOf(result), ({ finding: { object, version = '', path = '' } }) =>
    JSON.stringify([object?.namespace, object?.name, version, path]),
  );
  return [...groups.values()];
}

/** Characters of a path or a text: the time of masking grows with their square. */
const maxMasked = 2_000;

function withoutPlace({ finding, note }: ReportedFinding): readonly unknown[] {
  const { severity, rule, object, version, effect, stored, path, message, fix, markers } = finding;
  // Without a path there is no list of others to stand in; a long one is looked for in vain for too long.
  if (path === undefined || path === '' || path.length > maxMasked)
    return [object, version, rule, message];
  const leaf = /([^.[\]]+)(?:\[[^\]]*\])*$/.exec(path)?.[1] ?? path;
  // The schema's path, and the object's as the API server writes it, both end in the field's name.
  const name = leaf.replaceAll(/\W/g, String.raw`\$&`);
  const named = new RegExp(String.raw`[^\s"',;:()]*[.^]${name}(?!\w)(?:\[[^\]]*\])*`, 'g');
  // A pair of versions is a place of its own.
  const isOne = version !== undefined && !version.includes(' ');
  const mask = (text: unknown): unknown => {
    if (typeof text !== 'string' || text.length > maxMasked) return text;
    return text.replaceAll(named, '…').replaceAll(isOne ? `version "${version}"` : '…', '…');
  };
  return [
    severity,
    rule,
    object,
    isOne || version,
    effect,
    stored,
    mask(message),
    // The operations of a patch hold the place; its title says what they do.
    Array.isArray(fix) ? [] : mask(fix),
    markers,
    mask(finding.proof),
    mask(note?.fix),
    note?.also,
    finding.decidedBy,
  ];
}

// Harmful findings come first in every format, and harmless ones are counted in one line.

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
  return { ...withSaid(result, shown), counted: [...counted, sentenceOf(said.filter(isHarmless))] };
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

/** Profile `crdify`: crdify at 54162f2, configured as operator-controller v1.9.0 configures it. */
import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { Differences } from '../../crd/difference.js';
import type { DocumentPlace } from '../../crd/place.js';
import { Report } from './report.js';
import { crdifyPropertyRules, definitionRules } from './table.js';
import { crdifyNotation } from '../../crd/schema.js';
import { servedPairs, type Reference, type Side, type Upgrade } from '../../crd/upgrade.js';
import { compareBytes, quote } from '../../text/go/index.js';
import { unhandledDifference } from './unexplained.js';

export type Phase = 'crd' | 'same' | 'served';

export interface CrdifyError {
  readonly phase: Phase;
  readonly version?: string;
  readonly property?: string;
  readonly validation: string;
  readonly message: string;
}

export const crdifyReference: Reference = { notation: crdifyNotation, emptyIsAbsent: true };

/** A difference that no other validation explains. */
export const unhandledValidation = 'unhandled';

/** An error whose words are written only when it is reported. */
interface Located {
  readonly subject: Omit<CrdifyError, 'message'>;
  readonly message: () => string;
  /** Equal for equal differences; by default the message. */
  readonly identity?: () => string;
  /** The reference's own text, where that says less than the identity. */
  readonly report?: () => string;
  /** What that text is about. */
  readonly schemas?: readonly [old: JsonObject, next: JsonObject];
  readonly place: DocumentPlace;
}

/** Runs every validation; errors are sorted by phase, version, property and validation. @throws InvalidInputError */
export function validateCrdify(upgrade: Upgrade): { report: Report; errors: CrdifyError[] } {
  const located = [
    ...validateDefinition(upgrade),
    ...validateSameVersions(upgrade),
    ...validateServedVersions(upgrade),
  ].map(({ subject, message, ...rest }) => ({
    error: { ...subject, message: message() },
    ...rest,
  }));
  located.sort((left, right) => compareErrors(left.error, right.error));
  const report = new Report(upgrade.next.name);
  for (const { error, identity, place } of located) {
    report.add({
      rule: error.validation,
      message: line(error),
      version: error.version,
      path: error.property,
      difference: identity?.() ?? error.message,
      place,
    });
  }
  return { report, errors: located.map(({ error }) => error) };
}

/** The whole text that OLM prints; empty when nothing is wrong. */
export function crdifyMessage(
  name: string,
  { findings }: { readonly findings: readonly Finding[] },
): string {
  if (findings.length === 0) return '';
  const lines = findings.map(({ message }) => message);
  return `validating upgrade for CRD ${quote(name)}: ${lines.join('\n')}`;
}

function line({ phase, version, property, validation, message }: CrdifyError): string {
  return phase === 'crd'
    ? `${validation}: ${message}`
    : `${version}: ${property}: ${validation}: ${message}`;
}

function compareErrors(left: CrdifyError, right: CrdifyError): number {
  return (
    compareBytes(left.phase, right.phase) ||
    compareBytes(left.version ?? '', right.version ?? '') ||
    compareBytes(left.property ?? '', right.property ?? '') ||
    compareBytes(left.validation, right.validation) ||
    compareBytes(left.message, right.message)
  );
}

function validateDefinition(upgrade: Upgrade): Located[] {
  return definitionRules.flatMap((rule) =>
    rule.compare(upgrade).map(({ texts, place }) => ({
      subject: { phase: 'crd' as const, validation: rule.crdify },
      message: () => texts.crdify ?? '',
      place,
    })),
  );
}

function validateSameVersions(upgrade: Upgrade): Located[] {
  return upgrade.old.versions.flatMap((previous) => {
    const version = upgrade.next.version(previous.name);
    if (version === undefined) return [];
    return compareFields(upgrade.sameVersion(previous, version), {
      phase: 'same',
      version: version.name,
      sides: ['old', 'new'],
      versions: [previous, version],
      upgrade,
    });
  });
}

/**
 * Compares the served versions of the new definition and leaves out what the old definition's own
 * served versions show already.
 */
function validateServedVersions(upgrade: Upgrade): Located[] {
  if (upgrade.next.convertsByWebhook) return [];
  const found = comparePairs(upgrade, 'new');
  if (found.length === 0) return found;
  const known = new Map(comparePairs(upgrade, 'old').map((located) => [spotOf(located), located]));
  return found.filter((located) => {
    const same = known.get(spotOf(located));
    return same === undefined || !inSameWords(same, located, upgrade);
  });
}

/** What is the same on both sides is reported in the same words; those take time to write. */
function inSameWords(left: Located, right: Located, { values }: Upgrade): boolean {
  const [[before, after], [other, another]] = [left.schemas ?? [], right.schemas ?? []];
  if (before && after && other && another) {
    if (values.sameField(before, other) && values.sameField(after, another)) return true;
  }
  return wordsOf(left) === wordsOf(right);
}

const spotOf = ({ subject }: Located): string =>
  [subject.version, subject.property, subject.validation].join('\0');
const wordsOf = ({ report, message }: Located): string => (report ?? message)();

function comparePairs(upgrade: Upgrade, side: Side): Located[] {
  // Of pairs with the same names, which only duplicate versions make, the reference keeps the last.
  const pairs = new Map(
    servedPairs(upgrade[side]).map((pair) => [`${pair[0].name} -> ${pair[1].name}`, pair]),
  );
  return [...pairs].flatMap(([version, [lower, higher]]) =>
    compareFields(upgrade.betweenVersions(side, lower, higher), {
      phase: 'served',
      version,
      sides: [side, side],
      versions: [lower, higher],
      upgrade,
    }),
  );
}

interface Comparing {
  readonly phase: Phase;
  readonly version: string;
  readonly sides: readonly [Side, Side];
  readonly versions: readonly [DefinitionVersion, DefinitionVersion];
  readonly upgrade: Upgrade;
}

const removedSchema: JsonObject = Object.freeze({});

function compareFields({ removed, changed }: Differences, comparing: Comparing): Located[] {
  const comparison = comparing.upgrade.keywords(...comparing.sides);
  const [from, to] = comparing.versions;
  const [fromSide, toSide] = comparing.sides;
  return [
    // A removed field is compared with an empty schema.
    ...removed.flatMap(({ path, old, spot }) =>
      compareField(
        path,
        { old, new: removedSchema, keywords: comparison.differing(old, removedSchema) ?? [] },
        { side: fromSide, version: from.index, spot },
        comparing,
      ),
    ),
    ...changed.flatMap((field) =>
      compareField(
        field.path,
        field,
        { side: toSide, version: to.index, spot: field.spot },
        comparing,
      ),
    ),
  ];
}

interface Change {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly keywords: Iterable<string>;
}

function compareField(
  property: string,
  { old, new: next, keywords }: Change,
  at: Exclude<DocumentPlace, { keys: unknown }>,
  { phase, version, upgrade, sides }: Comparing,
): Located[] {
  const located: Located[] = [];
  const left = new Set(keywords);
  for (const { id: validation, keyword, compare } of crdifyPropertyRules) {
    if (!left.delete(keyword)) continue;
    const message = compare(old, next)?.crdify;
    if (message === undefined) continue;
    located.push({
      subject: { phase, version, property, validation },
      message: () => message,
      place: { ...at, keyword },
    });
  }
  if (left.size > 0) {
    located.push({
      subject: { phase, version, property, validation: unhandledValidation },
      ...unhandledDifference(
        { schema: old, text: upgrade.exact(sides[0]) },
        { schema: next, text: upgrade.exact(sides[1]) },
        left,
      ),
      schemas: [old, next],
      place: at,
    });
  }
  return located;
}

/** Profile `crdify`: crdify at 54162f2, configured as operator-controller v1.9.0 configures it. */
import type { JsonObject } from '../documents/index.js';
import type { Finding } from '../finding.js';
import { quote } from '../versions/index.js';
import type { DefinitionVersion } from './custom-resource-definition.js';
import type { Differences, SchemaSpot } from './difference.js';
import { compareBytes } from './go-text.js';
import type { KeywordComparison } from './keyword-differences.js';
import type { DocumentPlace } from './place.js';
import { Report } from './report.js';
import { crdifyPropertyRules, definitionRules } from './rules/table.js';
import { crdifyNotation } from './schema.js';
import { servedPairs, type Reference, type Side, type Upgrade } from './upgrade.js';
import { unhandledDifference, type UnhandledDifference } from './unhandled.js';

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

interface Located {
  readonly error: CrdifyError;
  /** Equal for equal differences. */
  readonly identity: string;
  /** The reference's own text, where that says less than the identity. */
  readonly report?: () => string;
  readonly place: DocumentPlace;
}

/** Runs every validation; errors are sorted by phase, version, property and validation. @throws InvalidInputError */
export function validateCrdify(upgrade: Upgrade): { report: Report; errors: CrdifyError[] } {
  const located = [
    ...validateDefinition(upgrade),
    ...validateSameVersions(upgrade),
    ...validateServedVersions(upgrade),
  ].sort(byPlace);
  const report = new Report(upgrade.next.name);
  for (const { error, identity, place } of located) {
    report.add({
      rule: error.validation,
      message: line(error),
      version: error.version,
      path: error.property,
      difference: identity,
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

function byPlace({ error: left }: Located, { error: right }: Located): number {
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
    rule.compare(upgrade).map(({ texts, place }) => {
      const message = texts.crdify ?? '';
      return {
        error: { phase: 'crd' as const, validation: rule.name, message },
        identity: message,
        place,
      };
    }),
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
    return same === undefined || wordsOf(same) !== wordsOf(located);
  });
}

const spotOf = ({ error }: Located): string =>
  [error.version, error.property, error.validation].join('\0');
const wordsOf = ({ report, error }: Located): string => report?.() ?? error.message;

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

/** A removed field is compared with an empty schema. */
function compareFields({ removed, changed }: Differences, comparing: Comparing): Located[] {
  const comparison = comparing.upgrade.keywords(...comparing.sides);
  const [from, to] = comparing.versions;
  const [fromSide, toSide] = comparing.sides;
  return [
    ...removed.flatMap(({ path, old, spot }) =>
      compareField(path, old, removedSchema, comparison, comparing, {
        side: fromSide,
        version: from.index,
        spot,
      }),
    ),
    ...changed.flatMap(({ path, old, new: next, spot }) =>
      compareField(path, old, next, comparison, comparing, {
        side: toSide,
        version: to.index,
        spot,
      }),
    ),
  ];
}

interface VersionSpot {
  readonly side: Side;
  readonly version: number;
  readonly spot: SchemaSpot;
}

function compareField(
  property: string,
  old: JsonObject,
  next: JsonObject,
  comparison: KeywordComparison,
  { phase, version, upgrade, sides }: Comparing,
  at: VersionSpot,
): Located[] {
  const located: Located[] = [];
  const differing = comparison.differing(old, next) ?? new Set<string>();
  for (const { name, keyword, compare } of crdifyPropertyRules) {
    if (!differing.delete(keyword)) continue;
    const message = compare(old, next)?.crdify;
    if (message === undefined) continue;
    located.push({
      error: { phase, version, property, validation: name, message },
      identity: message,
      place: { ...at, keyword },
    });
  }
  if (differing.size > 0) {
    const { message, identity, report }: UnhandledDifference = unhandledDifference(
      { schema: old, text: upgrade.exact(sides[0]) },
      { schema: next, text: upgrade.exact(sides[1]) },
      differing,
    );
    located.push({
      error: { phase, version, property, validation: unhandledValidation, message },
      identity,
      report,
      place: at,
    });
  }
  return located;
}

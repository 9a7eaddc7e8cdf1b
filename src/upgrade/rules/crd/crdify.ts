/** crdify at 54162f2 and bb9957d, configured as operator-controller v1.9 and v1.10 do. */
import type { JsonObject } from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { Differences, NamedField, RemovedField } from '../../crd/difference.js';
import {
  changedPairs,
  pairsIn,
  servedPairs,
  sizeOf,
  type VersionPair,
} from '../../crd/served-versions.js';
import type { DocumentPlace } from '../../crd/place.js';
import { ComparedSides } from './compared-sides.js';
import { Report } from './report.js';
import type { CrdifyOptions, CrdifyProfile, PropertyRule } from './rule.js';
import { definitionRules, propertyRulesOf } from './table.js';
import { crdifyNotation } from '../../crd/schema.js';
import type { Reference, Side, Upgrade } from '../../crd/upgrade.js';
import { compareBytes, quote } from '../../../text/go/index.js';
import { unhandledDifference } from './unexplained.js';

type Phase = 'crd' | 'same' | 'served';

export interface CrdifyError {
  readonly phase: Phase;
  readonly version?: string;
  readonly property?: string;
  readonly validation: string;
  readonly message: string;
}

export const crdifyReference: Reference = { notation: crdifyNotation, emptyIsAbsent: true };

/** A difference that no other validation explains. */
const unhandledValidation = 'unhandled';

interface Located {
  readonly subject: Omit<CrdifyError, 'message'>;
  readonly message: () => string;
  /** Equal for equal differences; by default the message. */
  readonly identity?: () => string;
  /** The reference's own text, where that says less than the identity. */
  readonly report?: () => string;
  /** The reference's own text is another one each time. */
  readonly isNeverTheSame?: true;
  readonly schemas?: readonly [old: JsonObject, next: JsonObject];
  readonly place: DocumentPlace;
}

export function validateCrdify(
  upgrade: Upgrade,
  profile: CrdifyProfile,
  options: CrdifyOptions = {},
): { report: Report; errors: CrdifyError[] } {
  const report = new Report(upgrade.next.name);
  const judging: Judging = { report, rules: propertyRulesOf[profile], options };
  const located = [
    ...validateDefinition(upgrade),
    ...validateSameVersions(upgrade, judging),
    ...validateServedVersions(upgrade, judging),
  ].map(({ subject, message, ...rest }) => ({
    error: { ...subject, message: message() },
    ...rest,
  }));
  located.sort((left, right) => compareErrors(left.error, right.error));
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

export function crdifyMessage(name: string, findings: readonly Finding[]): string {
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

interface Judging {
  /** Takes what has no room. */
  readonly report: Report;
  readonly rules: readonly PropertyRule[];
  readonly options: CrdifyOptions;
}

function validateSameVersions(upgrade: Upgrade, judging: Judging): Located[] {
  const compared = new ComparedSides(upgrade.text('old'), upgrade.text('new'));
  return upgrade.old.versions.flatMap((previous) => {
    const version = upgrade.next.version(previous.name);
    if (version === undefined) return [];
    return compareFields(upgrade.sameVersion(previous, version), {
      phase: 'same',
      version: version.name,
      sides: ['old', 'new'],
      compared,
      versions: [previous, version],
      upgrade,
      ...judging,
    });
  });
}

/** Leaves out what the old definition's own served versions show already. */
function validateServedVersions(upgrade: Upgrade, { report, ...judging }: Judging): Located[] {
  const { old, next } = upgrade;
  if (next.convertsByWebhook) return [];
  let { pairs, leftOut } = servedPairs(next, old.versions);
  const comparison = { upgrade, side: 'new', report, ...judging } as const;
  const unreported = new Report(next.name);
  let found = comparePairs(pairs, { ...comparison, report: leftOut > 0 ? unreported : report });
  if (found.length === 0) return found;
  if (leftOut > 0) {
    // Neighbours disagree, but pairs that are as they were are not held against the new definition.
    ({ pairs, leftOut } = changedPairs(old, next));
    found = comparePairs(pairs, comparison);
    report.leaveOut(unhandledValidation, leftOut);
  }
  const disagreeing = new Set(found.map(({ subject }) => subject.version));
  const asked = pairs.filter((pair) => disagreeing.has(nameOf(pair)));
  const ofOld = { upgrade, side: 'old', report: unreported, ...judging } as const;
  const before = comparePairs(pairsIn(old, asked), ofOld);
  const known = new Map(before.map((located) => [spotOf(located), located]));
  const words = new Words(upgrade);
  return found.filter((located) => {
    const same = known.get(spotOf(located));
    return same === undefined || !words.areSame(same, located);
  });
}

/** Recognises differences that both sides report in the same words; those take time to write. */
class Words {
  #left = maxWords;

  constructor(readonly upgrade: Upgrade) {}

  areSame(left: Located, right: Located): boolean {
    if (left.isNeverTheSame === true) return false;
    const { values } = this.upgrade;
    const [[before, after], [other, another]] = [left.schemas ?? [], right.schemas ?? []];
    if (before === undefined || after === undefined) return left.message() === right.message();
    if (other === undefined || another === undefined) return false;
    if (values.sameField(before, other) && values.sameField(after, another)) return true;
    const isWritten = [before, after, other, another].every((schema) => this.#pay(schema));
    const write = ({ report, identity, message }: Located): string =>
      ((isWritten ? report : identity) ?? message)();
    return write(left) === write(right);
  }

  /** Past the bound differences are taken for the same only when they are equal. */
  #pay(schema: JsonObject): boolean {
    const { weight, depth } = sizeOf({ ...schema, properties: null, items: null });
    this.#left -= weight * depth;
    return this.#left > 0 && depth <= deepestWords;
  }
}

/** In values times their depth; the reference's report writes what is deep once for each level. */
const maxWords = 20_000_000;
const deepestWords = 200;

const nameOf = ([lower, higher]: VersionPair): string => `${lower.name} -> ${higher.name}`;
const spotOf = ({ subject }: Located): string =>
  [subject.version, subject.property, subject.validation].join('\0');

function comparePairs(
  pairs: readonly VersionPair[],
  { upgrade, side, ...judging }: Judging & { readonly upgrade: Upgrade; readonly side: Side },
): Located[] {
  // Of pairs with the same names, which only duplicate versions make, the reference keeps the last.
  const byName = new Map(pairs.map((pair) => [nameOf(pair), pair]));
  const comparing = {
    phase: 'served' as const,
    sides: [side, side] as const,
    compared: new ComparedSides(upgrade.text(side), upgrade.text(side)),
    upgrade,
    ...judging,
  };
  return [...byName].flatMap(([version, [lower, higher]]) =>
    compareFields(upgrade.betweenVersions(side, lower, higher), {
      ...comparing,
      version,
      versions: [lower, higher],
    }),
  );
}

interface Comparing extends Judging {
  readonly phase: Phase;
  readonly version: string;
  readonly sides: readonly [Side, Side];
  readonly compared: ComparedSides;
  readonly versions: readonly [DefinitionVersion, DefinitionVersion];
  readonly upgrade: Upgrade;
}

const removedSchema: JsonObject = Object.freeze({});

function compareFields({ removed, changed }: Differences, comparing: Comparing): Located[] {
  const { report, upgrade, sides, versions } = comparing;
  const comparison = upgrade.keywords(...sides);
  const [from, to] = versions;
  const [fromSide, toSide] = sides;
  // A removed field is compared with an empty schema.
  const gone = ({ old }: RemovedField): Change => ({
    old,
    new: removedSchema,
    keywords: comparison.differing(old, removedSchema) ?? [],
  });
  const [fields, fieldsBefore] = [report.paths.inOrder(changed), report.paths.inOrder(removed)];
  for (const change of [...fields.omitted, ...fieldsBefore.omitted.map(gone)]) {
    for (const { name } of differencesOf(change, comparing)) report.leaveOut(name);
  }
  return [
    ...fieldsBefore.reported.flatMap((field) =>
      compareField(field, gone(field), { side: fromSide, version: from.index }, comparing),
    ),
    ...fields.reported.flatMap((field) =>
      compareField(field, field, { side: toSide, version: to.index }, comparing),
    ),
  ];
}

interface Change {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly keywords: Iterable<string>;
}

function compareField(
  { path: property, spot }: NamedField,
  change: Change,
  where: { readonly side: Side; readonly version: number },
  comparing: Comparing,
): Located[] {
  const { phase, version } = comparing;
  const at = { ...where, spot };
  return differencesOf(change, comparing).map(({ name, keyword, ...texts }) => ({
    subject: { phase, version, property, validation: name },
    ...texts,
    place: keyword === undefined ? at : { ...at, keyword },
  }));
}

interface FieldDifference extends Pick<
  Located,
  'message' | 'identity' | 'report' | 'schemas' | 'isNeverTheSame'
> {
  readonly name: string;
  readonly keyword?: string;
}

function differencesOf(
  { old, new: next, keywords }: Change,
  { upgrade, sides, compared, rules, options }: Comparing,
): FieldDifference[] {
  const differences: FieldDifference[] = [];
  const left = new Set(keywords);
  for (const { id: name, keyword, looksAtEqual, compare } of rules) {
    if (!left.delete(keyword) && looksAtEqual !== true) continue;
    const { crdify: message, ...more } = compare(old, next, compared, options) ?? {};
    if (message === undefined) continue;
    const write = typeof message === 'string' ? () => message : message;
    differences.push({ name, keyword, message: write, ...more });
  }
  if (left.size > 0) {
    const texts = unhandledDifference(
      { schema: old, text: upgrade.exact(sides[0]) },
      { schema: next, text: upgrade.exact(sides[1]) },
      left,
      rules,
    );
    differences.push({ name: unhandledValidation, ...texts, schemas: [old, next] });
  }
  return differences;
}

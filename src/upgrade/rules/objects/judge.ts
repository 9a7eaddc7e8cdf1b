import {
  type Created,
  type FieldError,
  fieldOf,
  isUnchecked,
  knownMinors,
  minorsByDefault,
  minorsByRelease,
  type ObjectValidator,
  sortErrors,
  type TargetMinors,
  type ValidatorCache,
  wholeObject,
} from '../../../kubernetes/index.js';
import {
  endedBy,
  type Finding,
  formatReference,
  foundAt,
  referenceTo,
} from '../../../rule/index.js';
import {
  isObject,
  metaOf,
  own,
  stringifyJson,
  type JsonObject,
  type Path,
} from '../../../text/documents/index.js';
import { groupBy } from '../../../text/group.js';
import { append } from '../../../text/long-lists.js';
import { nearest } from '../../../text/nearest.js';
import { servedVersions, versionsOf } from '../../crd/named-versions.js';
import { valueAt } from '../../../text/documents/fields.js';
import { errorTypeWords, lostBetween, setNamespaceByScope } from '../../crd/stored/judge.js';
import { rangesOf } from '../definition/findings.js';
import {
  inOtherVersion,
  nodeAt,
  renamed,
  rewritten,
  withSoundFixes,
  type WrittenAt,
} from './fixes.js';
import { objectRefused, unknownField, versionDeprecated, versionNotServed } from './rules.js';

export interface JudgedManifest {
  readonly findings: readonly Finding[];
  /** Rules that could not be evaluated, a sentence each. */
  readonly unchecked: readonly string[];
}

export interface Definitions {
  readonly crd: JsonObject;
  readonly old?: JsonObject | undefined;
}

/** How the manifest comes to be what is applied. */
export interface ManifestSource {
  /** The text of the object; without it no fixes are looked for. */
  readonly written?: WrittenAt | undefined;
  /** Whether something that was not rendered, such as an overlay, may still complete and change the object. */
  readonly isUnfinished?: boolean | undefined;
  /** Whether a text holds a variable without a known value: such a text is not judged. */
  readonly isUnknown?: ((text: string) => boolean) | undefined;
}

/** The answer of servers of some minors to the object, and their answer under the old definition. */
interface Judgement {
  readonly minors: readonly string[];
  readonly created: Created;
  readonly before: Created | undefined;
}

/**
 * @param object as a create @param minors by the formats that they know; all else is 1.35 @throws InvalidInputError
 */
export function judgeManifest(
  object: JsonObject,
  definitions: Definitions,
  validators: ValidatorCache,
  minors: TargetMinors = minorsByDefault(),
  source: ManifestSource = {},
): JudgedManifest {
  const { written, isUnknown } = source;
  const judge = (each: JsonObject): JudgedManifest =>
    judgeOnce(each, definitions, { ...source, validators, minors });
  const { findings, unchecked } = judge(object);
  const isKnown = ({ rule, [foundAt]: { keys } = { keys: [] } }: Finding): boolean => {
    // A field is unknown whatever its value is.
    const value = rule === unknownField.id ? null : (valueAt(object, ...keys) ?? null);
    return isUnknown?.(stringifyJson([...keys, value])) !== true;
  };
  const known = isUnknown === undefined ? findings : findings.filter(isKnown);
  const fixed = withSoundFixes(object, known, written, (each) => judge(each).findings);
  const left = findings.filter((each) => !known.includes(each)).map(withVariable);
  return { findings: fixed, unchecked: [...unchecked, ...new Set(left)] };
}

function withVariable({ object, path = '' }: Finding): string {
  const subject = object === undefined ? '' : `${formatReference(object)} `;
  return `${subject}${shownPath(path)}: not judged: it holds a variable whose value is not known here`;
}

function shownPath(place: string): string {
  return place === '' ? 'the object' : place;
}

interface Judging extends ManifestSource {
  readonly validators: ValidatorCache;
  readonly minors: TargetMinors;
}

function judgeOnce(
  object: JsonObject,
  { crd, old }: Definitions,
  { validators, minors, written, isUnfinished = false }: Judging,
): JudgedManifest {
  const version = versionOf(object);
  const served = servedVersions(crd);
  const entry = served.get(version);
  const about = { object: referenceTo(object), version };
  if (entry === undefined) {
    const isOld = old !== undefined && !servedVersions(old).has(version);
    const finding = versionNotServed.finding({
      ...about,
      ...(isOld ? { severity: 'warning' } : {}),
      id: isOld ? 'notServedBefore' : 'notServed',
      data: { version, served: served.size === 0 ? 'none' : [...served.keys()] },
      [foundAt]: { keys: ['apiVersion'] },
      [endedBy]: written && inOtherVersion(object, version, crd, old),
    });
    return { findings: [finding], unchecked: [] };
  }
  const validator = validators.get(crd, version);
  const before = old !== undefined && versionsOf(old).has(version) ? old : undefined;
  const seen = setNamespaceByScope(withGeneratedName(object), validator.definition.namespaced);
  const judgements = [...minorsByRelease(minors.all)].map(([release, judging]): Judgement => {
    const judge = validators.get(crd, version, release);
    const created = judge.post(seen);
    // An object that is valid now needs no second judgement.
    const isFine = created.result.errors.length === 0;
    const earlier = isFine ? undefined : before && validators.get(before, version, release);
    return { minors: judging, created, before: earlier?.post(seen) };
  });
  const { result } = (judgements.at(-1) as Judgement).created;
  const { prepared, result: whole } = validator.create(seen);
  const findings = deprecationOf(entry, about).map((each): Finding => ({
    ...each,
    [endedBy]: written && inOtherVersion(object, version, crd, old),
  }));
  const isDropped = validator.definition.hasStatus && own(seen, 'status') !== undefined;
  const ofStatus = isDropped
    ? whole.errors.filter(({ field }) => /^status(?:$|[.[])/.test(field))
    : [];
  for (const error of ofStatus) findings.push(droppedStatus(error, about));
  const lost =
    prepared === undefined || validator.definition.preserveUnknownFields
      ? []
      : lostBetween(seen, prepared.pruned, validator.definition.schema);
  for (const [error, refused] of refusals(judgements, minors, { ...about, isUnfinished })) {
    const { keys } = refused[foundAt] ?? { keys: [] };
    const node = nodeAt(validator.definition.schema, keys);
    const fix = written && rewritten(object, keys, error, node, written);
    findings.push({ ...refused, [endedBy]: fix });
  }
  const earlier =
    lost.length > 0 && before ? validators.get(before, version).create(seen) : undefined;
  for (const [index, path] of lost.entries()) {
    const guessed = { ...about, isGuessed: index < mostGuessed };
    const [finding, meant] = dropped(path, earlier?.prepared?.pruned, validator, guessed);
    const fix = written && renamed(object, finding[foundAt]?.keys ?? [], meant);
    findings.push({ ...finding, [endedBy]: fix });
  }
  const unchecked = (result.notEvaluated ?? []).map(
    ({ field, reason }) => `${formatReference(about.object)} ${field}: not evaluated: ${reason}`,
  );
  return { findings, unchecked };
}

/** As an API server names what comes with `generateName` alone, but for the five random characters. */
function withGeneratedName(object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata');
  if (!isObject(metadata) || metaOf(object).name !== '') return object;
  const prefix = own(metadata, 'generateName');
  if (typeof prefix !== 'string' || prefix === '') return object;
  return { ...object, metadata: { ...metadata, name: `${prefix.slice(0, 58)}xxxxx` } };
}

/** Each guess compares a name with every field beside it; an object with more unknown names has no mere typos. */
const mostGuessed = 20;

type About = Pick<Finding, 'object' | 'version'> & { readonly version: string };

interface Refusal {
  readonly error: FieldError;
  readonly minors: string[];
  isOld: boolean;
}

/** One finding for each value, with all that is wrong with it for the same minors. */
function refusals(
  judgements: readonly Judgement[],
  { all, deciding }: TargetMinors,
  { isUnfinished, ...about }: About & { readonly isUnfinished: boolean },
): (readonly [FieldError, Finding])[] {
  const found = new Map<string, Refusal>();
  for (const { minors, created, before } of judgements) {
    for (const error of created.result.errors) {
      const isOld =
        before?.result.errors.some(
          (each) => each.field === error.field && each.type === error.type,
        ) === true;
      const key = JSON.stringify([error.field, error.type, error.detail]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { error, minors: [...minors], isOld });
      else {
        append(known.minors, minors);
        known.isOld &&= isOld;
      }
    }
  }
  const { causes, notEvaluated } = withoutConsequences([...found.values()]);
  const sorted = sortErrors(causes.map(({ error }) => error)).map(
    (error) => causes.find((each) => each.error === error) as Refusal,
  );
  const ofValue = ({ error, minors, isOld }: Refusal): string =>
    [placeOf(error), isOld, ...minors].join(' ');
  return [...groupBy(sorted, ofValue).values()].map((reasons, index) => {
    const [{ error, minors, isOld }] = reasons;
    // A value of a wrong type is no placeholder for an overlay to replace.
    const mayChange = isUnfinished && error.type !== 'FieldValueTypeInvalid';
    const id = isOld ? 'refusedBefore' : mayChange ? 'refusedAsWritten' : 'refused';
    const isWarning = id !== 'refused' || !minors.some((minor) => deciding.includes(minor));
    const by = minors.length < all.length ? minors : [];
    const errors = reasons.map((each) => each.error);
    const until = index === 0 ? notEvaluated : '';
    return [error, refusal(errors, { id, isWarning, by, until }, about)] as const;
  });
}

const evaluating = / evaluating rule: /;

/** About rules around a wrong value that could not be evaluated, and parts of a union that have not its type. */
function withoutConsequences(all: readonly Refusal[]): { causes: Refusal[]; notEvaluated: string } {
  const isNotAsked = ({ error }: Refusal): boolean =>
    evaluating.test(error.detail) || isUnchecked(error);
  const [asked, notAsked] = [all.filter((each) => !isNotAsked(each)), all.filter(isNotAsked)];
  const places = asked.map(({ error }) => placeOf(error));
  const isEntailed = ({ error }: Refusal): boolean => {
    const around = placeOf(error);
    return places.some((place) => around === '' || isWithin(place, around));
  };
  const entailed = notAsked.filter(isEntailed);
  const seen = new Set<string>();
  const causes = asked.filter(({ error, minors }) => {
    const isOfType = error.type === 'FieldValueTypeInvalid';
    const place = placeOf(error);
    const isUnion = error.field !== place && places.filter((each) => each === place).length > 1;
    const key = [place, ...minors].join(' ');
    if (isUnion || (isOfType && seen.has(key))) return false;
    if (isOfType) seen.add(key);
    return true;
  });
  return {
    causes: [...causes, ...notAsked.filter((each) => !isEntailed(each))],
    notEvaluated:
      entailed.length === 0 ? '' : '; rules around it are not evaluated until it is right',
  };
}

function isWithin(place: string, around: string): boolean {
  return place.startsWith(around) && /^(?:$|[.[])/.test(place.slice(around.length));
}

function placeOf(error: FieldError): string {
  const { field, detail } = error;
  return (field === wholeObject ? outOfRange.exec(detail)?.[1] : undefined) ?? fieldOf(error);
}

interface RefusedBy {
  readonly id: 'refused' | 'refusedAsWritten' | 'refusedBefore';
  readonly isWarning: boolean;
  /** Empty where all minors that were asked refuse. */
  readonly by: readonly string[];
  readonly until: string;
}

function refusal(
  errors: readonly FieldError[],
  { id, isWarning, by, until }: RefusedBy,
  about: About,
): Finding {
  const [error] = errors as [FieldError];
  const place = placeOf(error);
  const reasons = errors.map(({ type, detail }) =>
    [errorTypeWords[type], detail].filter((part) => part !== '').join(': '),
  );
  return objectRefused.finding({
    ...about,
    ...(place !== '' && { path: place }),
    ...(isWarning ? { severity: 'warning' } : {}),
    id,
    data: { field: shownPath(place), reason: `${reasons.join('; ')}${until}${minorWords(by)}` },
    [foundAt]: { keys: keysOf(place) },
  });
}

/** No write of the object reads its status, but server-side apply looks at the types of its values. */
function droppedStatus({ field, type, detail }: FieldError, about: About): Finding {
  const isTyped = type === 'FieldValueTypeInvalid';
  const reason = [errorTypeWords[type], detail].filter((part) => part !== '').join(': ');
  return objectRefused.finding({
    ...about,
    path: field,
    severity: isTyped ? 'warning' : 'info',
    id: isTyped ? 'statusApplied' : 'statusDropped',
    data: { field, reason },
    [foundAt]: { keys: keysOf(field) },
  });
}

/** The server refuses the object as a whole for a number out of range, and names the field in the text. */
const outOfRange = /^Checked value must be of type .* in (\S+)$/;

function minorWords(minors: readonly string[]): string {
  const [first] = minors;
  if (first === undefined) return '';
  const isToNewest = knownMinors.slice(knownMinors.indexOf(first)).length === minors.length;
  return ` (Kubernetes ${isToNewest ? `${first} and later` : rangesOf(minors)})`;
}

function dropped(
  path: string,
  kept: JsonObject | undefined,
  { definition: { schema } }: ObjectValidator,
  { isGuessed, ...about }: About & { readonly isGuessed: boolean },
): readonly [Finding, meant: string | undefined] {
  const keys = keysOf(path);
  const fields = nodeAt(schema, keys.slice(0, -1))?.properties?.keys() ?? [];
  const meant = isGuessed ? nearest(String(keys.at(-1)), fields) : undefined;
  const isLost = kept !== undefined && valueAt(kept, ...keys) !== undefined;
  const finding = unknownField.finding({
    ...about,
    path,
    ...(isLost ? { severity: 'error', effect: 'data-loss' } : {}),
    id: isLost ? 'lost' : 'unknown',
    data: { field: path, meant: meant === undefined ? '' : ` (did you mean "${meant}"?)` },
    [foundAt]: { keys },
  });
  return [finding, meant];
}

function deprecationOf(entry: JsonObject, about: About): Finding[] {
  if (own(entry, 'deprecated') !== true) return [];
  const said = own(entry, 'deprecationWarning');
  const warning = typeof said === 'string' ? said : 'its definition says so';
  const data = { version: about.version, warning };
  const place = { keys: ['apiVersion'] };
  return [versionDeprecated.finding({ ...about, id: 'deprecated', data, [foundAt]: place })];
}

/** `spec.list[0].name` is spec, list, 0, name; a key of a map is in brackets as an index does. */
function keysOf(field: string): Path {
  return (field.match(/\[[^\]]*\]|[^.[\]]+/g) ?? []).map((part) => {
    const inner = part.startsWith('[') ? part.slice(1, -1) : part;
    return part.startsWith('[') && /^\d+$/.test(inner) ? Number(inner) : inner;
  });
}

function versionOf(object: JsonObject): string {
  const apiVersion = own(object, 'apiVersion');
  return typeof apiVersion === 'string' ? apiVersion.slice(apiVersion.indexOf('/') + 1) : '';
}

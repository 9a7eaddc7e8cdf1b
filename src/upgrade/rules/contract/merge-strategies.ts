import { locationOf } from '../../crd/place.js';
import type { SchemaSpot } from '../../crd/difference.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import {
  type VersionPair,
  defineContractRule,
  type ContractDifference,
  type ContractPair,
} from './rule.js';
import { textOf } from './subresources.js';
import { from, type WitnessAnswer } from '../../../rule/index.js';
import { type Pin, pinFields, pinValue } from '../../proof/pin.js';
import { applyRequest, exampleObject } from './requests.js';

function isInsideAtomic({ old, new: next }: VersionPair, spot: SchemaSpot): boolean {
  const { keys } = locationOf({ side: 'new', version: next.index, spot });
  const within = keys.slice(keys.indexOf('openAPIV3Schema') + 1);
  return [old.schema, next.schema].every((schema) => isAtomicAbove(schema, within));
}

/** Whether a list inside it, whose items appliers share, is replaced as a whole if it is. */
function holdsMergedList(schema: JsonValue | undefined): boolean {
  if (!isObject(schema ?? null)) return false;
  const { type, properties, additionalProperties } = schema as JsonObject;
  if (isAtomic(schema as JsonObject)) return false;
  if (type === 'array') return true;
  const fields = isObject(properties ?? null) ? Object.values(properties as JsonObject) : [];
  return [...fields, additionalProperties].some(holdsMergedList);
}

function isAtomicAbove(
  schema: JsonObject | undefined,
  keys: readonly (string | number)[],
): boolean {
  let value: unknown = schema;
  for (const key of keys) {
    if (!isObject(value) && !Array.isArray(value)) return false;
    if (isObject(value) && isAtomic(value)) return true;
    value = isObject(value) ? own(value, String(key)) : (value as unknown[])[Number(key)];
  }
  return false;
}

function isAtomic(schema: JsonObject): boolean {
  if (textOf(schema, 'type') === 'array') {
    const listType = textOf(schema, 'x-kubernetes-list-type');
    return listType === '' || listType === 'atomic';
  }
  return textOf(schema, 'x-kubernetes-map-type') === 'atomic';
}

const conflict = { status: 409, reason: 'Conflict' } as const;
const applied = { status: 200 } as const;

export const listTypeChanged = defineContractRule({
  id: 'ListTypeChanged',
  audience: 'apply',
  severity: 'error',
  fields: ['schema.x-kubernetes-list-type', 'schema.x-kubernetes-list-map-keys'],
  checks:
    'How server-side apply merges a list changes: x-kubernetes-list-type, or the keys of a map list.',
  why: 'From map or set to atomic, two appliers that shared the list conflict, and each is stuck without --force-conflicts. The other way, items that an applier replaced are merged, and stay. With other keys, what was two items is one, or the other way round.',
  otherwise: 'Apply failed with 1 conflict: conflict with "other": .spec.list',
  instead: 'Keep the list as it is, and add another one beside it.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    same: 'the list merges as before',
    insideAtomic:
      'the list type changes from {before} to {after}, inside what is atomic as a whole',
    conflict: 'the list type changes from {before} to {after}: appliers that shared it conflict',
    merged:
      'the list type changes from {before} to {after}: items of several appliers are merged, and no longer replaced',
    otherKeys:
      'the list type changes from {before} to {after}: other items than before count as the same',
  },
  example: {
    before:
      'properties: { ports: { type: array, x-kubernetes-list-type: set, items: { type: integer } } }',
    after:
      'properties: { ports: { type: array, x-kubernetes-list-type: atomic, items: { type: integer } } }',
    says: 'the list type changes from set to atomic',
  },
  *compare(pair) {
    for (const changed of pair.changed) {
      const { new: version, field } = changed;
      const [before, after] = [field.old, field.new].map(mergeOf) as [Merge, Merge];
      const isMentioned = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys'].some((keyword) =>
        field.keywords.has(keyword),
      );
      if (!isMentioned) continue;
      const { path } = field;
      const common = {
        version: version.name,
        path,
        place: { side: 'new', version: version.index, spot: field.spot } as const,
      };
      if (before.text === after.text) {
        yield { ...common, id: 'same', isHarmless: true };
        continue;
      }
      const data = { before: before.text, after: after.text };
      if (isInsideAtomic(changed, field.spot)) {
        yield { ...common, id: 'insideAtomic', data, isHarmless: true };
        continue;
      }
      const id =
        after.type === 'atomic' ? 'conflict' : before.type === 'atomic' ? 'merged' : 'otherKeys';
      const harm = id === 'conflict' ? {} : ({ isMild: true } as const);
      yield { ...common, id, data, ...harm, ...shown(pair, version.name, field, before, after) };
    }
  },
});

interface Merge {
  readonly type: string;
  readonly keys: readonly string[];
  readonly text: string;
}

function mergeOf(schema: JsonObject): Merge {
  const type = textOf(schema, 'x-kubernetes-list-type') || 'atomic';
  const keys = own(schema, 'x-kubernetes-list-map-keys');
  const names = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  if (type !== 'map') return { type, keys: [], text: type };
  return { type, keys: names, text: `map by ${names.join(', ')}` };
}

/** Two appliers: `first` applies, then `second`; its answers before and after the upgrade. */
interface Shared {
  readonly first: Pin;
  readonly second: Pin;
  readonly before: WitnessAnswer;
  readonly after: WitnessAnswer;
}

function shown(
  pair: ContractPair,
  version: string,
  field: Field,
  before: Merge,
  after: Merge,
): Shown | undefined {
  for (const { first, second, ...answers } of sharings(field.old, before, after)) {
    const found = shownOfTwo(pair, version, field, [first, second], answers);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Field = ContractPair['changed'][number]['field'];
type Shown = Pick<ContractDifference, 'request' | 'witness'>;
type Answers = Pick<Shared, 'before' | 'after'>;

/** One value was applied, and the other is. */
function shownOfTwo(
  { old, sample }: ContractPair,
  version: string,
  field: Field,
  pins: readonly Pin[],
  answers: Answers,
): Shown | undefined {
  const [one, two] = pins.map((pin) => sample?.(version, { field, pin }));
  if (one === undefined || two === undefined) return undefined;
  const request = applyRequest(old, version, exampleObject(old, version, two), answers);
  return { witness: exampleObject(old, version, one), request };
}

/** Each of two appliers owns what is atomic as a whole. */
function answersOf(before: string, after: string): Answers {
  const answer = (type: string): WitnessAnswer => (type === 'atomic' ? conflict : applied);
  return { before: answer(before), after: answer(after) };
}

function* sharings(schema: JsonObject, before: Merge, after: Merge): Generator<Shared> {
  const items = own(schema, 'items');
  const item = isObject(items ?? null) ? (items as JsonObject) : {};
  const one = (...values: JsonValue[]): Pin => pinValue(values);
  const isAtomic = before.type === 'atomic' || after.type === 'atomic';
  const answers = answersOf(before.type, after.type);
  const keys = [...new Set([...before.keys, ...after.keys])];
  const propertiesOf = own(item, 'properties');
  const declared = isObject(propertiesOf ?? null) ? (propertiesOf as JsonObject) : {};
  const keyed = (which: 0 | 1): JsonObject => {
    const fields: JsonObject = {};
    for (const key of keys) fields[key] = distinct(own(declared, key))[which];
    return fields;
  };
  if (isAtomic) {
    if (keys.length > 0) {
      yield { first: listOf(keyed(0)), second: listOf(keyed(1)), ...answers };
    }
    const [left, right] = distinct(item);
    yield { first: one(left), second: one(right), ...answers };
    return;
  }
  // Two items that differ in one key only.
  for (const key of keys) {
    const isOld = before.keys.includes(key);
    if (isOld && after.keys.includes(key)) continue;
    const left = keyed(0);
    const right = { ...left, [key]: own(keyed(1), key) ?? null };
    yield isOld
      ? {
          first: listOf(left),
          second: listOf(right),
          before: { status: 200, reason: 'two items' },
          after: { status: 200, reason: 'one item' },
        }
      : {
          first: listOf(left),
          second: listOf(right),
          before: conflict,
          after: { status: 200, reason: 'two items' },
        };
  }
}

function listOf(fields: JsonObject): Pin {
  const pins = Object.entries(fields).map(
    ([key, value]) => [key, pinValue(value ?? null)] as const,
  );
  return { kind: 'list', items: [{ kind: 'object', fields: new Map(pins) }] };
}

function distinct(schema: JsonValue | undefined): [JsonValue, JsonValue] {
  const node = isObject(schema ?? null) ? (schema as JsonObject) : {};
  const listed = own(node, 'enum');
  if (Array.isArray(listed) && listed.length > 1) return [listed[0] ?? null, listed[1] ?? null];
  switch (textOf(node, 'type')) {
    case 'integer':
    case 'number':
      return [1, 2];
    case 'boolean':
      return [true, false];
    case 'object':
      return [{ a: 'a' }, { b: 'b' }];
    default:
      return ['a', 'b'];
  }
}

export const mapTypeChanged = defineContractRule({
  id: 'MapTypeChanged',
  audience: 'apply',
  severity: 'error',
  fields: ['schema.x-kubernetes-map-type'],
  checks: 'How server-side apply merges an object changes: x-kubernetes-map-type.',
  why: 'From granular to atomic, two appliers that each had some of the fields conflict. The other way, fields that an applier replaced with the whole are merged, and stay.',
  otherwise: 'Apply failed with 1 conflict: conflict with "other": .spec.selector',
  instead: 'Keep the object as it is, and add another one beside it.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    default: 'granular is the default map type',
    insideAtomic: 'the map type changes from {before} to {after}, inside what is atomic as a whole',
    conflict: 'the map type changes from {before} to {after}: appliers that shared it conflict',
    listsToo:
      'the map type changes from {before} to {after}: appliers that shared it, or a list inside it, conflict',
    merged:
      'the map type changes from {before} to {after}: fields of several appliers are merged, and no longer replaced',
  },
  example: {
    before:
      'properties: { access: { type: object, properties: { users: { type: array, x-kubernetes-list-type: set, items: { type: string } } } } }',
    after:
      'properties: { access: { type: object, x-kubernetes-map-type: atomic, properties: { users: { type: array, x-kubernetes-list-type: set, items: { type: string } } } } }',
    says: 'the map type changes from granular to atomic',
  },
  *compare(pair) {
    for (const changed of pair.changed) {
      const { new: version, field } = changed;
      if (!field.keywords.has('x-kubernetes-map-type')) continue;
      const [before, after] = [field.old, field.new].map(
        (schema) => textOf(schema, 'x-kubernetes-map-type') || 'granular',
      ) as [string, string];
      const common = {
        version: version.name,
        path: field.path,
        place: { side: 'new', version: version.index, spot: field.spot } as const,
      };
      if (before === after) {
        yield { ...common, id: 'default', isHarmless: true };
        continue;
      }
      const data = { before, after };
      if (isInsideAtomic(changed, field.spot)) {
        yield { ...common, id: 'insideAtomic', data, isHarmless: true };
        continue;
      }
      const takesLists = after === 'atomic' && holdsMergedList(field.old);
      yield {
        ...common,
        id: takesLists ? 'listsToo' : after === 'atomic' ? 'conflict' : 'merged',
        data,
        ...(takesLists ? {} : { isMild: true }),
        ...shownOfTwo(pair, version.name, field, halves(field.old), answersOf(before, after)),
      };
    }
  },
});

function halves(schema: JsonObject): Pin[] {
  const properties = own(schema, 'properties');
  const names = isObject(properties ?? null) ? Object.keys(properties as JsonObject) : [];
  const [left, right] = names;
  if (left !== undefined && right !== undefined) {
    return [pinFields([left, { kind: 'ordinary' }]), pinFields([right, { kind: 'ordinary' }])];
  }
  const others = own(schema, 'additionalProperties');
  const value: JsonValue = sampleOf(isObject(others ?? null) ? (others as JsonObject) : {});
  return [pinFields(['a', pinValue(value)]), pinFields(['b', pinValue(value)])];
}

function sampleOf(schema: JsonObject): JsonValue {
  switch (textOf(schema, 'type')) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'object':
      return {};
    case 'array':
      return [];
    default:
      return 'a';
  }
}

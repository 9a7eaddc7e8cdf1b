/**
 * Objects of one version that a conversion should be tried with: the least and the most that the
 * schema takes, and at each place the values that converters get wrong. Every one is accepted by the
 * schema, and stands as an API server would hand it to a converter: pruned, with its defaults.
 */
import type { ObjectValidator, SchemaNode } from '../../../kubernetes/index.js';
import { Budget } from '../budget.js';
import { RuleSamples } from './rule-samples.js';
import { Sampler, type Variant } from './sampler.js';
import { accepts, anything } from '../shape.js';
import { sizeOf } from '../size.js';
import {
  isObject,
  mapMembers,
  NumberText,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { append, largest } from '../../../text/long-lists.js';

/** Counted in values that are made up. */
const maxMade = 2_000_000;
/** Levels of optional fields that the fullest object has, while it stays within `fullest` values. */
const depths = [12, 6, 4, 3, 2, 1];
const fullest = 3_000;
/** Values of one object; lists are not made longer beyond it. */
const largestSample = 6_000;

/** @returns none where the schema takes none that could be made */
export function sampleObjects(validator: ObjectValidator, count: number): JsonObject[] {
  const maker = new Samples(validator, count);
  return maker.all();
}

export function sampleFew(validator: ObjectValidator): JsonObject[] {
  return new Samples(validator, 2).plain();
}

class Samples {
  private readonly budget = new Budget(maxMade);
  private readonly mender = new RuleSamples(this.budget);
  private readonly made: JsonObject[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly validator: ObjectValidator,
    private readonly count: number,
  ) {}

  plain(): JsonObject[] {
    this.take(this.draft({ branch: 0, richness: 0, useDefaults: false }));
    const full = this.fullest(0);
    if (full !== undefined) this.take(full);
    for (const richness of [1, 2]) {
      for (const branch of [0, 1]) {
        if (!this.isEnough) this.take(this.draft({ branch, richness, useDefaults: true }));
      }
    }
    return this.made;
  }

  all(): JsonObject[] {
    this.plain();
    const bases = [0, 1, 2, 3]
      .map((branch) => this.fullest(branch))
      .filter((base) => base !== undefined);
    for (const base of bases) this.take(base);
    const [base] = bases;
    if (base !== undefined) this.vary(base);
    for (let seed = 1; !this.isEnough && seed < this.count * 4; seed++) {
      const random = this.draft({
        branch: seed % 4,
        richness: 1 + (seed % 6),
        useDefaults: false,
        seed,
      });
      this.take(random);
    }
    return this.made;
  }

  private get isEnough(): boolean {
    return this.made.length >= this.count || this.budget.isSpent;
  }

  private draft(variant: Variant): JsonObject | undefined {
    const { group, version, kind, namespaced, schema } = this.validator.definition;
    const identity = { apiVersion: `${group}/${version}`, kind, namespaced };
    const sampler = new Sampler({ ...variant, mender: this.mender }, this.budget);
    return sampler.resource([schema], undefined, identity);
  }

  /** With as many fields as there are, lists of several items, and no two values alike. */
  private fullest(branch: number): JsonObject | undefined {
    for (const richness of depths) {
      const plain = this.draft({ branch, richness, useDefaults: false, mapKeys });
      if (plain === undefined || sizeOf(plain) > fullest) continue;
      const { schema } = this.validator;
      const longer = grown(plain, schema) as JsonObject;
      for (const object of [distinct(longer, schema), distinct(plain, schema), plain]) {
        if (this.validator.validateCreate(object).valid === true) return object;
      }
    }
    return undefined;
  }

  /** One kind of odd value at every place at once, then each at each place by itself. */
  private vary(base: JsonObject): void {
    const places = placesIn(base, this.validator.schema).map((place) => ({
      ...place,
      odd: oddValues(place.value, place.node, place.isOptional),
    }));
    const most = largest(
      places.map(({ odd }) => odd.length),
      0,
    );
    for (let round = 0; round < most && !this.isEnough; round++) {
      let together = base;
      // From the inside out: what is within a place that is replaced is gone.
      for (const { keys, odd } of [...places].reverse()) {
        const value = odd[round];
        if (value === undefined || isObject(value.put) || Array.isArray(value.put)) continue;
        if (value.put !== undefined) together = withValue(together, keys, value.put);
      }
      this.take(together);
    }
    for (let round = 0; round < most && !this.isEnough; round++) {
      for (const { keys, odd } of places) {
        const value = odd[round];
        if (this.isEnough) return;
        if (value !== undefined) this.take(withValue(base, keys, value.put));
      }
    }
  }

  private take(object: JsonObject | undefined): void {
    if (object === undefined || this.made.length >= this.count) return;
    this.budget.spend(sizeOf(object));
    const named = identified(object, this.made.length);
    const { result, prepared } = this.validator.create(named);
    if (result.valid !== true || prepared === undefined) return;
    const contents = { ...prepared.stored, metadata: null };
    const text = JSON.stringify(contents, (_key, value: unknown) =>
      value instanceof NumberText ? value.text : value,
    );
    if (this.seen.has(text)) return;
    this.seen.add(text);
    this.made.push(prepared.stored);
  }
}

/** Under a name of its own, with metadata as a stored object has it. */
function identified(object: JsonObject, index: number): JsonObject {
  const made = own(object, 'metadata');
  const metadata: JsonObject = isObject(made) ? { ...made } : {};
  const extra = (key: string): JsonObject => {
    const value = own(metadata, key);
    return isObject(value) ? value : {};
  };
  return {
    ...object,
    metadata: {
      ...metadata,
      name: `example-${index}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2024-01-01T00:00:00Z',
      labels: { 'example.com/label': 'kept', ...extra('labels') },
      annotations: { 'example.com/note': 'kept äöü 漢字', ...extra('annotations') },
      finalizers: ['example.com/finalizer'],
    },
  };
}

type Keys = readonly (string | number)[];

interface PlaceIn {
  readonly keys: Keys;
  readonly node: SchemaNode;
  readonly value: JsonValue;
  readonly isOptional: boolean;
}

/** Outer ones first; the identity of the object apart. */
function placesIn(object: JsonObject, root: SchemaNode): PlaceIn[] {
  const places: PlaceIn[] = [];
  const walk = (value: JsonValue, node: SchemaNode, keys: Keys, isOptional: boolean): void => {
    if (keys.length > 0) places.push({ keys, node, value, isOptional });
    if (Array.isArray(value)) {
      // One item stands for all.
      const [item] = value;
      if (item !== undefined) walk(item, node.items ?? anything, [...keys, 0], false);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (keys.length === 0 && identity.has(key)) continue;
        walk(
          value[key] as JsonValue,
          schemaOf(node, key),
          [...keys, key],
          !node.required.includes(key),
        );
      }
    }
  };
  walk(object, root, [], false);
  return places;
}

/** As labels have them, beside a plain one. */
const mapKeys = ['key', 'example.com/Key_2'];
/** More than any page or batch that a converter may think of. */
const longList = 120;

const identity = new Set(['apiVersion', 'kind', 'metadata']);

function schemaOf({ properties, additionalProperties }: SchemaNode, key: string): SchemaNode {
  return properties?.get(key) ?? additionalProperties?.schema ?? anything;
}

interface Odd {
  readonly put: JsonValue | undefined;
}

const texts = ['näïve 漢字 😀 e\u0301', '', ' a  b\n', 'true', '{"a":[1]}', '\u202eabc\u2028'];
const integers: readonly (number | string)[] = [
  '9007199254740993',
  0,
  -1,
  '9223372036854775807',
  '-9223372036854775808',
  2147483647,
  1,
];

function oddValues(value: JsonValue, node: SchemaNode, isOptional: boolean): Odd[] {
  const odd: (JsonValue | undefined)[] = [];
  if (node.enum !== undefined) append(odd, node.enum);
  else if (typeof value === 'string') {
    append(odd, [...texts, 'long '.repeat(Math.floor(Math.min(node.maxLength ?? 2000, 2000) / 5))]);
    if (node.intOrString) odd.push(7, '25%');
  } else if (typeof value === 'boolean') odd.push(!value);
  else if (typeof value === 'number' || value instanceof NumberText) {
    const isInteger = node.type === 'integer' || node.intOrString;
    append(odd, isInteger ? integers.map(numeral) : [0.1, 0, -1.5, 1e-7, 1]);
    for (const bound of [node.minimum, node.maximum]) {
      if (bound !== undefined && (!isInteger || Number.isSafeInteger(bound))) odd.push(bound);
    }
    if (node.intOrString) odd.push('25%');
  } else if (Array.isArray(value)) {
    const [first] = value;
    const length = Math.min(longList, node.maxItems ?? longList);
    if (first !== undefined && sizeOf(first) * length <= largestSample) {
      odd.push(Array.from({ length }, (_, index) => another(first, node, index)));
    }
    odd.push([]);
    if (first !== undefined) odd.push([first, first]);
    odd.push([...value].reverse(), value.slice(0, 1));
  } else if (isObject(value)) {
    odd.push({});
    if (node.additionalProperties !== undefined || node.preserveUnknownFields) {
      const inner = Object.values(value)[0] ?? (node.preserveUnknownFields ? 'value' : undefined);
      if (inner !== undefined) odd.push({ ...value, 'a.b/c-d': inner, 'ключ 😀': inner });
    }
    if (node.preserveUnknownFields) {
      const nested = { list: [1, 'two', { three: '9' }], big: new NumberText('9007199254740993') };
      odd.push({ ...value, unknownField: nested });
    }
  }
  if (node.nullable) odd.unshift(null);
  const fitting: Odd[] = odd
    .filter((put) => put !== undefined && !sameJson(put, value) && accepts(node, put))
    .map((put) => ({ put }));
  if (isOptional) fitting.push({ put: undefined });
  return fitting;
}

/** An item like the first, in what items of the list must differ in. */
function another(item: JsonValue, { listMapKeys }: SchemaNode, index: number): JsonValue {
  if (typeof item === 'string') return `${item}${index}`;
  if (typeof item === 'number') return item + index;
  if (!isObject(item)) return item;
  const keys = listMapKeys.flatMap((key) => {
    const value = own(item, key);
    return value === undefined ? [] : [[key, another(value, anything, index)] as const];
  });
  return { ...item, ...Object.fromEntries(keys) };
}

function numeral(value: number | string): JsonValue {
  if (typeof value === 'number') return value;
  return new NumberText(value);
}

/** Lists of one item get three. */
function grown(value: JsonValue, node: SchemaNode, left = { values: largestSample }): JsonValue {
  if (Array.isArray(value)) {
    const [first] = value;
    if (first === undefined || value.length > 1) return value;
    const item = grown(first, node.items ?? anything, left);
    const size = sizeOf(item) * 2;
    if (size > left.values || (node.maxItems ?? 3) < 3) return [item];
    left.values -= size;
    return [item, item, item];
  }
  if (!isObject(value)) return value;
  return mapMembers(value, (item, key) => {
    const isMetadata = key === 'metadata' && node.properties !== undefined;
    return isMetadata ? item : grown(item, schemaOf(node, key), left);
  });
}

/** No two texts or numbers alike, so that one in the place of another shows; later ones are smaller. */
function distinct(object: JsonObject, root: SchemaNode): JsonObject {
  let next = 900;
  const walk = (value: JsonValue, node: SchemaNode, isRoot: boolean): JsonValue => {
    if (node.enum !== undefined) return value;
    if (typeof value === 'string') {
      const number = next--;
      const fitting = [`${value}-${number}`, `${value}${number}`, `text-${number}`, `${number}`];
      return fitting.find((each) => accepts(node, each)) ?? value;
    }
    if (typeof value === 'number') {
      const number = next--;
      return [number, value + number, number % 100].find((each) => accepts(node, each)) ?? value;
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, node.items ?? anything, false));
    if (!isObject(value)) return value;
    return mapMembers(value, (item, key) => {
      const isIdentity = (isRoot || node.embeddedResource) && identity.has(key);
      return isIdentity ? item : walk(item, schemaOf(node, key), false);
    });
  };
  return walk(object, root, true) as JsonObject;
}

function withValue(object: JsonObject, keys: Keys, put: JsonValue | undefined): JsonObject {
  const change = (value: JsonValue, depth: number): JsonValue => {
    const key = keys[depth];
    const isLast = depth === keys.length - 1;
    if (Array.isArray(value)) {
      return value.flatMap((item, index) => {
        if (index !== key) return [item];
        if (!isLast) return [change(item, depth + 1)];
        return put === undefined ? [] : [put];
      });
    }
    if (!isObject(value)) return value;
    return mapMembers(value, (item, name) => {
      if (name !== key) return item;
      return isLast ? put : change(item, depth + 1);
    });
  };
  return change(object, 0) as JsonObject;
}

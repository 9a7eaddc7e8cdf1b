/** Makes up small objects that a schema should accept, with some places pinned. */
import {
  defineOwn,
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import type { SchemaNode } from '../../../kubernetes/index.js';
import { sampleNumber, sampleString } from './scalars.js';
import type { Budget } from '../budget.js';
import { mergePins, type Pin } from '../pin.js';
import { accepts, anything, fieldOf, otherFieldsOf } from '../shape.js';
import { largest } from '../../../text/long-lists.js';

export interface Variant {
  readonly branch: number;
  /** Levels below the root, or below pinned places, on which optional fields are set too. */
  readonly richness: number;
  readonly useDefaults: boolean;
  readonly seed?: number;
  /** Keys of maps where optional fields are set. Without a seed the default is none. */
  readonly mapKeys?: readonly string[];
  /** Changes values so that they keep the rules of the structural schema, where it can. */
  readonly mender?: RuleMender;
}

export interface Mending {
  readonly node: SchemaNode;
  /** Whether the value has kind, apiVersion and metadata that its schema need not name. */
  readonly isResource: boolean;
  readonly value: JsonValue;
  readonly pin: Pin | undefined;
  /** Makes another value for the same place, with the given pins. */
  readonly make: (pin: Pin) => JsonValue | undefined;
}

export interface RuleMender {
  /** A value that breaks fewer of the rules, or the same one. */
  mend(mending: Mending): JsonValue;
}

/** Kubernetes' own fields of a custom resource. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Larger objects are not made: no witness needs them. Limits of lists in public definitions mostly end at 2,000. */
export const maxValues = 20_000;
export const maxItems = 2_001;

export class Sampler {
  private left = maxValues;
  private state: number;
  /** Whether items of one list get different texts. */
  private areItemsTold = false;

  constructor(
    private readonly variant: Variant,
    private readonly budget: Budget,
  ) {
    this.state = variant.seed ?? 0;
  }

  resource(
    nodes: readonly SchemaNode[],
    pin: Pin | undefined,
    { apiVersion, kind, namespaced }: Identity,
  ): JsonObject | undefined {
    const name = singletonName(nodes[0]);
    const shape: Pin = { kind: 'object', fields: new Map() };
    const given = pin === undefined || pin.kind === 'ordinary' ? shape : pin;
    if (given.kind !== 'value') {
      if (this.budget.isSpent) return undefined;
      this.budget.spend(1);
    }
    const make = (each: Pin): JsonObject | undefined => {
      const body = this.unmended(nodes, each, this.variant.richness, 0);
      return isObject(body) ? identified(body, name, { apiVersion, kind, namespaced }) : undefined;
    };
    const value = make(given);
    const mended = value && this.mended(nodes, value, given, true, make);
    return isObject(mended) ? mended : undefined;
  }

  private mended(
    [node]: readonly SchemaNode[],
    value: JsonValue,
    pin: Pin | undefined,
    isResource: boolean,
    make: Mending['make'],
  ): JsonValue {
    const { mender } = this.variant;
    if (mender === undefined || node === undefined || node.rules.length === 0) return value;
    return mender.mend({ node, isResource, value, pin, make });
  }

  value(
    nodes: readonly SchemaNode[],
    pin: Pin | undefined,
    richness: number,
    salt: number,
  ): JsonValue | undefined {
    if (pin?.kind === 'value') return pin.value;
    if (pin?.kind === 'ordinary') return this.value(nodes, undefined, richness, salt);
    if (pin?.kind === 'within') {
      return this.within(pin, (nodes, rest) =>
        this.value(nodes, rest, richness, Math.max(salt, 1)),
      );
    }
    if (pin?.kind === 'absent' || this.left-- <= 0 || this.budget.isSpent) return undefined;
    this.budget.spend(1);
    if (pin === undefined && this.isChosen(0.08) && nodes[0]?.nullable === true) return null;
    const value = this.unmended(nodes, pin, richness, salt);
    if (value === undefined) return undefined;
    const isResource = nodes[0]?.embeddedResource === true;
    return this.mended(nodes, value, pin, isResource, (other) =>
      this.unmended(nodes, other, richness, salt),
    );
  }

  /** The pin's bound may exclude a default: callers pass a salt, so that none is used and items differ. */
  private within(
    { schema, pin }: Extract<Pin, { kind: 'within' }>,
    make: (nodes: readonly SchemaNode[], pin: Pin | undefined) => JsonValue | undefined,
  ): JsonValue | undefined {
    const before = this.areItemsTold;
    this.areItemsTold = true;
    const value = make([schema], pin);
    this.areItemsTold = before;
    return value;
  }

  private unmended(
    nodes: readonly SchemaNode[],
    pin: Pin | undefined,
    richness: number,
    salt: number,
  ): JsonValue | undefined {
    if (pin?.kind === 'value') return pin.value;
    if (pin?.kind === 'absent') return undefined;
    if (pin?.kind === 'within') {
      return this.within(pin, (nodes, rest) =>
        this.unmended(nodes, rest, richness, Math.max(salt, 1)),
      );
    }
    const shape = pin?.kind === 'ordinary' ? undefined : pin;
    const made = this.made(nodes, shape, richness, salt);
    // Schemas that exclude each other: the structural one decides.
    if (made !== undefined || nodes.length < 2) return made;
    return this.made(nodes.slice(0, 1), shape, richness, salt);
  }

  private made(
    nodes: readonly SchemaNode[],
    pin: Exclude<Pin, { kind: 'value' | 'absent' | 'ordinary' | 'within' }> | undefined,
    richness: number,
    salt: number,
  ): JsonValue | undefined {
    const all = this.demands(nodes);
    if (pin === undefined) {
      const given = this.given(all, salt);
      if (given !== undefined) return given;
    }
    switch (this.type(all, pin)) {
      case 'object':
        return this.object(all, pin, richness, salt);
      case 'array':
        return this.list(all, pin, richness, salt);
      case 'string':
        return sampleString(all, salt + this.choose(8, this.variant.branch), this.budget);
      case 'integer':
        return sampleNumber(all, true, salt + this.choose(16, this.variant.branch));
      case 'number':
        return sampleNumber(all, false, salt + this.choose(16, this.variant.branch));
      case 'boolean':
        return (this.isChosen(0.5) ? [false, true] : [true, false]).find((value) =>
          all.every((node) => accepts(node, value)),
        );
      default:
        return undefined;
    }
  }

  private demands(nodes: readonly SchemaNode[]): SchemaNode[] {
    const { branch } = this.variant;
    const all: SchemaNode[] = [];
    const add = (node: SchemaNode): void => {
      all.push(node);
      const { allOf, anyOf, oneOf } = node;
      for (const each of allOf) add(each);
      for (const branches of [anyOf, oneOf]) {
        const { length } = branches;
        if (length > 0) add(branches[this.choose(length, branch % length)] as SchemaNode);
      }
    };
    for (const node of nodes) add(node);
    return all;
  }

  /** A listed value, or the default. */
  private given(all: readonly SchemaNode[], salt: number): JsonValue | undefined {
    const listed = all.find((node) => node.enum !== undefined)?.enum;
    if (listed !== undefined) {
      const fitting = listed.filter(
        (value) =>
          value !== null && all.every((node) => node.enum === undefined || accepts(node, value)),
      );
      const { length } = fitting;
      return fitting[this.choose(length, (salt + this.variant.branch) % Math.max(length, 1))];
    }
    if (!this.variant.useDefaults || salt > 0 || this.isChosen(0.7)) return undefined;
    return all.find((node) => node.default !== undefined)?.default;
  }

  private type(all: readonly SchemaNode[], pin: Pin | undefined): string {
    if (pin?.kind === 'object') return 'object';
    if (pin?.kind === 'list') return 'array';
    if (all.some((node) => node.intOrString)) {
      const stringy = all.some((node) => node.pattern !== '' || node.type === 'string');
      return stringy || this.choose(2, this.variant.branch % 2) === 1 ? 'string' : 'integer';
    }
    const named = all.find((node) => node.type !== '');
    if (named !== undefined) return named.type;
    const shaped = all.some((node) => node.properties !== undefined || node.required.length > 0);
    return shaped ? 'object' : all[0] === anything ? 'string' : 'object';
  }

  private object(
    all: readonly SchemaNode[],
    pin: Pin | undefined,
    richness: number,
    salt: number,
  ): JsonObject | undefined {
    const pins = pin?.kind === 'object' ? pin.fields : new Map<string, Pin>();
    const object: JsonObject = {};
    const structural = all[0] ?? anything;
    if (all.some((node) => node.embeddedResource)) {
      for (const [name, usual] of embeddedFields) {
        if (pins.has(name)) continue;
        const isDeclared = name !== 'metadata' && structural.properties?.has(name) === true;
        const value = isDeclared ? this.value(this.field(all, name), undefined, 0, 0) : usual;
        if (value !== undefined) object[name] = value;
      }
    }
    // A field that the structural schema prunes cannot be set.
    const wanted = all
      .flatMap((node) => node.required)
      .filter((name) => fieldOf(structural, name) !== undefined);
    const required = new Set([...structural.required, ...wanted, ...pins.keys()]);
    for (const name of required) {
      if (Object.hasOwn(object, name) && !pins.has(name)) continue;
      const fieldPin = pins.get(name);
      if (fieldPin?.kind === 'absent') continue;
      const field = this.field(all, name);
      const value = this.value(field, fieldPin, richness, this.telling(field, salt));
      if (value === undefined) return undefined;
      defineOwn(object, name, value);
    }
    if (richness > 0) this.addOptional(all, pins, object, richness, salt);
    this.fill(all, pins, object);
    return object;
  }

  private addOptional(
    all: readonly SchemaNode[],
    pins: ReadonlyMap<string, Pin>,
    object: JsonObject,
    richness: number,
    salt: number,
  ): void {
    const density = [1, 0, 0.3, 0.7][this.choose(4, 0)] ?? 1;
    const isRandom = this.variant.seed !== undefined;
    const add = (name: string): void => {
      if (Object.hasOwn(object, name) || pins.has(name)) return;
      if (isRandom && !this.isChosen(density)) return;
      const field = this.field(all, name);
      const value = this.value(field, undefined, richness - 1, this.telling(field, salt));
      if (value !== undefined) defineOwn(object, name, value);
    };
    for (const name of all[0]?.properties?.keys() ?? []) add(name);
    const { mapKeys = isRandom ? ['key', 'key1'] : [] } = this.variant;
    if (all[0] !== undefined && otherFieldsOf(all[0]) !== undefined) {
      for (const name of mapKeys) add(name);
    }
  }

  /** Only free texts differ from item to item; other values are those of the first item. */
  private telling([node]: readonly SchemaNode[], salt: number): number {
    const isFree = node?.type === 'string' && node.enum === undefined && node.default === undefined;
    return this.areItemsTold && isFree ? salt : 0;
  }

  private choose(count: number, otherwise: number): number {
    if (this.variant.seed === undefined || count <= 1) return otherwise;
    return Math.floor(this.next() * count);
  }

  private isChosen(probability: number): boolean {
    return this.variant.seed !== undefined && this.next() < probability;
  }

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Adds fields until minProperties is reached; those that are left out for their default count. */
  private fill(
    all: readonly SchemaNode[],
    pins: ReadonlyMap<string, Pin>,
    object: JsonObject,
  ): void {
    const filledIn = [...pins].filter(
      ([name, { kind }]) =>
        kind === 'absent' && all[0]?.properties?.get(name)?.default !== undefined,
    );
    const asked = largest(
      all.map((node) => node.minProperties ?? 0),
      0,
    );
    const minimum = asked - filledIn.length;
    if (minimum <= Object.keys(object).length || minimum > maxItems) return;
    const names = [...(all[0]?.properties?.keys() ?? [])];
    for (let index = 0; Object.keys(object).length < minimum; index++) {
      const name = names[index] ?? `key${index - names.length}`;
      if (index >= names.length && (all[0] === undefined || otherFieldsOf(all[0]) === undefined))
        return;
      if (Object.hasOwn(object, name) || pins.has(name)) continue;
      const value = this.value(this.field(all, name), undefined, 0, 0);
      if (value !== undefined) defineOwn(object, name, value);
      // All undeclared fields have the same schema.
      else if (index >= names.length) return;
    }
  }

  private field(all: readonly SchemaNode[], name: string): SchemaNode[] {
    const found: SchemaNode[] = [];
    for (const node of all) {
      const declared = node.properties?.get(name);
      const field = declared ?? otherFieldsOf(node);
      if (field !== undefined && (declared !== undefined || field !== anything)) found.push(field);
    }
    return found.length > 0 ? found : [anything];
  }

  private list(
    all: readonly SchemaNode[],
    pin: Pin | undefined,
    richness: number,
    salt: number,
  ): JsonValue[] | undefined {
    const { items: pins, every } = pin?.kind === 'list' ? pin : { items: [] };
    const nodes = all.flatMap((node) => node.items ?? []);
    const minimum = largest(
      all.map((node) => node.minItems ?? 0),
      0,
    );
    const usual = richness > 0 || salt > 0 ? 1 : 0;
    const wanted = Math.max(minimum, pins.length, richness > 0 ? this.choose(4, usual) : usual);
    if (wanted > maxItems) return undefined;
    const keys = all.flatMap((node) => (node.listType === 'map' ? node.listMapKeys : []));
    const list: JsonValue[] = [];
    for (let index = 0; index < wanted; index++) {
      const keyPin = this.keyPin(nodes, keys, index);
      const itemPin = pins[index] ?? (every === undefined ? keyPin : mergePins(keyPin, every));
      const value = this.value(
        nodes.length > 0 ? nodes : [anything],
        itemPin,
        richness - 1,
        this.choose(8, index + salt),
      );
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  }

  /** Items of a map list differ in their keys. */
  private keyPin(
    nodes: readonly SchemaNode[],
    keys: readonly string[],
    index: number,
  ): Pin | undefined {
    if (keys.length === 0 || index === 0) return undefined;
    const fields = new Map<string, Pin>();
    for (const key of keys) {
      const value = this.value(this.field(nodes, key), undefined, 0, index);
      if (value !== undefined) fields.set(key, { kind: 'value', value });
    }
    return { kind: 'object', fields };
  }
}

function identified(
  body: JsonObject,
  name: string,
  { apiVersion, kind, namespaced }: Identity,
): JsonObject {
  const made = own(body, 'metadata');
  const metadata: JsonObject = { name, ...(namespaced ? { namespace: 'default' } : {}) };
  if (isObject(made)) {
    for (const key of Object.keys(made)) {
      // The API server has its own schema for other metadata.
      const value = made[key] as JsonValue;
      if (typeof value === 'string' && names.has(key)) metadata[key] = value;
      if (isObject(value) && (key === 'labels' || key === 'annotations')) metadata[key] = value;
    }
  }
  const whole: JsonObject = { apiVersion, kind, metadata };
  for (const key of Object.keys(body)) {
    if (!Object.hasOwn(whole, key)) defineOwn(whole, key, body[key] as JsonValue);
  }
  return whole;
}

/** Rules often permit one name alone: `self.metadata.name == 'cluster'`. A wrong guess is an object that is refused. */
function singletonName(node: SchemaNode | undefined): string {
  for (const { rule } of node?.rules ?? []) {
    const [, name] = /\bself\.metadata\.name\s*==\s*["']([a-z0-9.-]+)["']/.exec(rule) ?? [];
    if (name !== undefined) return name;
  }
  return 'example';
}

const names: ReadonlySet<string> = new Set(['name', 'generateName']);

/** Fields that an embedded resource needs. */
const embeddedFields: readonly (readonly [string, JsonValue])[] = [
  ['apiVersion', 'v1'],
  ['kind', 'ConfigMap'],
  ['metadata', { name: 'embedded' }],
];

/** Values that a schema accepts. */
export function valuesOf(node: SchemaNode, budget: Budget, most = 4): JsonValue[] {
  const values: JsonValue[] = [];
  for (let salt = 0; values.length < most && salt < most + 2; salt++) {
    const sampler = new Sampler(
      { branch: salt % 3, richness: salt % 2, useDefaults: false },
      budget,
    );
    const value = sampler.value([node], undefined, salt % 2, salt);
    const isNew = value !== undefined && !values.some((known) => sameJson(known, value));
    if (isNew) values.push(value);
  }
  return values;
}

/**
 * Numbers as sigs.k8s.io/json reads them, and equality as Go's `reflect.DeepEqual` has it: `1` and `1.0` differ.
 * Source: k8s.io/apiserver/pkg/cel/common/{equality,maplist}.go.
 */
import {
  NumberText,
  type JsonObject,
  type JsonValue,
  isObject,
  own,
} from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import { BadRequest } from './field-error.js';
import {
  type JsonNumber,
  cannotUnmarshal,
  int64Of,
  minInt64,
  float64Of,
  isNumber,
  writeTree,
  type Notation,
  quote,
} from '../../text/go/index.js';
import type { SchemaNode } from './schema.js';

/** Whether the API server reads this literal as an int64. */
function isInteger(value: JsonNumber): boolean {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) || (Number.isInteger(value) && int64Of(value) !== undefined);
  }
  return int64Of(value) !== undefined;
}

/** A number as it is stored: a float64 without a fraction is written as an integer, and read as one. */
export function asStored(value: JsonValue): JsonValue {
  const isWhole = value instanceof NumberText && Number.isInteger(value.value) && !isInteger(value);
  return isWhole ? value.value + 0 : value;
}

/** Go's conversion of a float64 to an int64 on amd64: truncated, out of range is the least int64. */
export function truncateToInt64(value: number): bigint {
  if (!(value >= -9223372036854775808 && value < 9223372036854775808)) return minInt64;
  return BigInt(Math.trunc(value));
}

/** Whether swag.IsFloat64AJSONInteger holds: integral within a relative error of 1e-9 below 2^53. */
export function isJsonInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  if (value < 0 || whole === 0) return false;
  return Math.abs(value - whole) / (value + whole) < 1e-9;
}

/** The JSON type that kube-openapi gives a value. */
export function schemaTypeOf(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return isInteger(value) ? 'integer' : 'number';
    default:
      if (value === null) return 'null';
      if (value instanceof NumberText) return isInteger(value) ? 'integer' : 'number';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

/** As Go's decoder does. @throws BadRequest */
export function checkNumbers(root: JsonValue): void {
  if (!NumberText.isAnyInfinite || !holdsHugeNumber(root)) return;
  // Of several the first in the document is named.
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof NumberText) {
      if (!Number.isFinite(value.value)) {
        throw new BadRequest(cannotUnmarshal(`number ${value.text}`, 'float64'));
      }
    } else if (typeof value === 'object' && value !== null)
      append(open, Object.values(value).reverse());
  }
}

function holdsHugeNumber(root: JsonValue): boolean {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof NumberText) {
      if (!Number.isFinite(value.value)) return true;
    } else if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) open.push(item);
    } else {
      for (const key in value as JsonObject) {
        const item = (value as JsonObject)[key];
        if (typeof item === 'object' && item !== null) open.push(item);
      }
    }
  }
  return false;
}

export function sameValue(left: JsonValue, right: JsonValue): boolean {
  // Objects may nest deeper than functions can call themselves.
  const open: Pair[] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (!isSameSoFar(...pair, open)) return false;
  }
  return true;
}

type Pair = readonly [left: JsonValue, right: JsonValue];

/** @param open called with the values inside the two */
function isSameSoFar(left: JsonValue, right: JsonValue, open: Pair[]): boolean {
  if (left === right && typeof left !== 'number') return true;
  if (isNumber(left) && isNumber(right)) {
    const [leftInteger, rightInteger] = [int64Of(left), int64Of(right)];
    if (leftInteger === undefined && rightInteger === undefined) {
      return float64Of(left) === float64Of(right);
    }
    return leftInteger === rightInteger;
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (const [index, item] of left.entries()) open.push([item, right[index] as JsonValue]);
    return true;
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const other = own(right, key);
    if (other !== undefined) open.push([left[key] as JsonValue, other]);
    return other !== undefined;
  });
}

/** One text for equal values: scalars carry their type, keys of objects are sorted. */
export function identity(value: JsonValue): string {
  return writeTree(value, identified);
}

const identified: Notation = {
  scalar: (value) => {
    if (!isNumber(value)) return JSON.stringify(value);
    const integer = int64Of(value);
    return integer === undefined ? `f${float64Of(value)}` : `i${integer}`;
  },
  key: (key) => `${JSON.stringify(key)}:`,
  list: ['[', ',', ']'],
  map: ['{', ',', '}'],
};

/**
 * Whether an enum holds a value. A lookup takes as long as writing the value as text, however many
 * values are listed. The value is first converted to the type of each listed value, as kube-openapi does: `1` equals a
 * listed `1.0`, `1.5` equals a listed `1`, and 65 a listed `"A"`.
 */
export function enumHolder(listed: readonly JsonValue[]): (value: JsonValue) => boolean {
  const integers = new Set<bigint>();
  const floats = new Set<number>();
  const strings = new Set<string>();
  const others = new Set<string>();
  for (const each of listed) {
    if (isNumber(each)) {
      const integer = int64Of(each);
      if (integer === undefined) floats.add(float64Of(each));
      else integers.add(integer);
    } else if (typeof each === 'string') strings.add(each);
    else if (each !== null) others.add(identity(each));
  }
  return (value) => {
    if (typeof value === 'string') return strings.has(value);
    if (!isNumber(value)) return value !== null && others.has(identity(value));
    const integer = int64Of(value);
    const float = float64Of(value);
    return (
      integers.has(integer ?? truncateToInt64(float)) ||
      floats.has(float) ||
      (integer !== undefined && strings.size > 0 && strings.has(rune(integer)))
    );
  };
}

function rune(code: bigint): string {
  const valid = code >= 0n && code <= 0x10ffffn && (code < 0xd800n || code > 0xdfffn);
  return valid ? String.fromCodePoint(Number(code)) : '\ufffd';
}

/** A value beside its old one: validation tolerates what is unchanged (ratcheting). */
export class Correlated {
  private equal: boolean | undefined;
  private oldItems: ListMap | undefined;
  private readonly children = new Map<string | number, Correlated>();

  constructor(
    readonly value: JsonValue,
    readonly old: JsonValue,
    private readonly schema: SchemaNode,
  ) {}

  /** The field's value and its old one; undefined where there is none to compare with. */
  key(name: string): Correlated | undefined {
    const existing = this.children.get(name);
    if (existing !== undefined) return existing;
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const value = own(this.value, name);
    const old = own(this.old, name);
    const schema = this.schema.properties?.get(name) ?? this.schema.additionalProperties?.schema;
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    return this.remember(name, new Correlated(value, old, schema));
  }

  /** An item of a list of type map, found again by its keys; other lists have no single old item. */
  index(index: number): Correlated | undefined {
    const existing = this.children.get(index);
    if (existing !== undefined) return existing;
    if (!Array.isArray(this.value) || !Array.isArray(this.old)) return undefined;
    const value = this.value[index];
    if (value === undefined || this.schema.listType !== 'map') return undefined;
    this.oldItems ??= new ListMap(this.schema, this.old);
    const old = this.oldItems.get(value);
    if (old === undefined || this.schema.items === undefined) return undefined;
    return this.remember(index, new Correlated(value, old, this.schema.items));
  }

  /** Equal, where items of map lists may have changed places. */
  isUnchanged(): boolean {
    return (this.equal ??= this.compare());
  }

  private remember(key: string | number, child: Correlated): Correlated {
    this.children.set(key, child);
    return child;
  }

  private compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) return this.compareLists(value, old);
    if (isObject(value) && isObject(old)) {
      const keys = Object.keys(value);
      if (keys.length !== Object.keys(old).length) return false;
      return keys.every((key) => this.key(key)?.isUnchanged() === true);
    }
    return sameValue(value, old);
  }

  private compareLists(value: JsonValue[], old: JsonValue[]): boolean {
    if (value.length !== old.length) return false;
    for (let index = 0; index < value.length; index++) {
      const item = this.index(index);
      if (item === undefined) return this.oldItems === undefined && sameValue(value, old);
      if (!item.isUnchanged()) return false;
    }
    return true;
  }
}

/** Look-up by key in the old items of a list of type map: the first item with the key counts. */
export class ListMap {
  private readonly items = new Map<string, JsonObject>();

  constructor(
    private readonly schema: SchemaNode,
    items: readonly JsonValue[],
  ) {
    if (schema.type !== 'array' || schema.listType !== 'map') return;
    for (const item of items) {
      const key = isObject(item) ? this.keyOf(item) : undefined;
      if (key !== undefined && !this.items.has(key)) this.items.set(key, item as JsonObject);
    }
  }

  get(item: JsonValue): JsonObject | undefined {
    const key = isObject(item) ? this.keyOf(item) : undefined;
    return key === undefined ? undefined : this.items.get(key);
  }

  private keyOf(item: JsonObject): string | undefined {
    if (this.schema.listMapKeys.length === 0) return undefined;
    let text = '';
    for (const name of this.schema.listMapKeys) {
      const part = scalarKey(own(item, name), this.schema.listMapKeys.length > 1);
      if (part === undefined) return undefined;
      text += `\0${part}`;
    }
    return text;
  }
}

/** Several keys are joined as text, in which floats have six decimals and types are forgotten. */
function scalarKey(value: JsonValue | undefined, joined: boolean): string | undefined {
  if (typeof value === 'boolean') return joined ? String(value) : `b${value}`;
  if (typeof value === 'string') return joined ? quote(value) : `s${value}`;
  if (value === undefined || !isNumber(value)) return undefined;
  const integer = int64Of(value);
  if (joined) return integer === undefined ? float64Of(value).toFixed(6) : String(integer);
  return integer === undefined ? `f${float64Of(value)}` : `i${integer}`;
}

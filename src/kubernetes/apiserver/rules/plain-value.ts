/**
 * The Go value behind a CEL value: the JSON that it was read from, or something of a type that no
 * JSON has. Lists of a resource collect and hash that instead of values.
 */
import {
  CelList,
  CelMap,
  type CelValue,
  Duration,
  EvaluationError,
  Panic,
  Timestamp,
  TypeValue,
  Uint,
} from '../../../cel/index.js';
import { NumberText, type JsonObject } from '../../../text/documents/index.js';
import { typeName } from '../../../text/go/index.js';
import { identity } from '../equality.js';

/** A value that no JSON has: a time, bytes, a literal, an item that cannot be read. */
export class Foreign {
  constructor(readonly value: CelValue | EvaluationError) {}

  get typeName(): string {
    const { value } = this;
    if (value === null) return 'structpb.NullValue';
    if (value instanceof Uint8Array) return '[]uint8';
    if (value instanceof Uint) return 'uint64';
    if (value instanceof Timestamp) return 'time.Time';
    if (value instanceof Duration) return 'time.Duration';
    if (value instanceof CelList) return '[]ref.Val';
    if (value instanceof CelMap) return 'map[ref.Val]ref.Val';
    return value instanceof EvaluationError ? '*errors.errorString' : 'ref.Val';
  }

  /** The same for equal values, where Go has an equality for them. */
  get identity(): unknown {
    const { value } = this;
    if (value === null) return this.typeName;
    if (value instanceof Uint) return `u${value.value}`;
    if (value instanceof Duration) return `d${value.nanoseconds}`;
    if (value instanceof Timestamp) return `t${value.nanoseconds} ${value.offsetMinutes}`;
    return this;
  }
}

export type Plain =
  null | boolean | number | string | NumberText | JsonObject | Foreign | readonly Plain[];

export function plainOf(value: CelValue | EvaluationError): Plain {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      return Number.isInteger(value) ? new NumberText(`${value}.0`) : value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : new NumberText(String(value));
    default:
      break;
  }
  if (value instanceof TypeValue) return value.typeName;
  return value !== null && isFromJson(value) ? value.plain : new Foreign(value);
}

function isFromJson(value: object): value is { readonly plain: Plain } {
  return 'plain' in value;
}

export function isPlainList(plain: Plain): plain is readonly Plain[] {
  return Array.isArray(plain);
}

export function isPlainObject(plain: Plain): plain is JsonObject {
  if (typeof plain !== 'object' || plain === null) return false;
  return !(plain instanceof NumberText) && !(plain instanceof Foreign) && !isPlainList(plain);
}

/** How many values there are within. */
export function countOf(plain: Plain): number {
  const left = [plain];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    count++;
    const within = isPlainList(next) ? next : isPlainObject(next) ? Object.values(next) : [];
    for (const item of within) left.push(item);
  }
  return count;
}

/** `%T`. */
export function plainTypeName(plain: Plain): string {
  if (plain instanceof Foreign) return plain.typeName;
  return isPlainList(plain) ? '[]interface {}' : typeName(plain);
}

/** @param isInEmpty Go finds nothing in an empty map without hashing @throws Panic for what cannot be a key */
export function hashOf(plain: Plain, isInEmpty = false): unknown {
  const type = plainTypeName(plain);
  if (/^(?:\[|map)/.test(type)) {
    throw new Panic(
      isInEmpty
        ? `hash of unhashable type: ${type}`
        : `runtime error: hash of unhashable type ${type}`,
    );
  }
  return plain instanceof Foreign ? plain.identity : identity(plain as JsonObject);
}

/**
 * Decodes JSON values into shapes as Go's encoding/json decodes into structs: keys without regard to
 * case, null changes nothing, the first value of a wrong type is reported and the rest is still read.
 * The reference reads catalogs that way, and prints these texts.
 */
import { findDefect } from '../documents/json-defect.js';
import { measureJson } from '../documents/json-measure.js';
import { quote, corruptBase64, compareBytes, sortedKeys } from './text.js';
import { NumberText, type JsonObject, type JsonValue, isObject } from '../documents/value.js';
import { isNumber } from './marshal-json.js';

/** Deeper than this encoding/json gives up. */
const maxDepth = 10_000;

/** The text of a `json.SyntaxError`; undefined for JSON. */
export function syntaxError(text: string): string | undefined {
  const go = findDefect(text)?.go;
  if (measureJson(text.slice(0, go?.offset)).depth > maxDepth) return 'exceeded max depth';
  if (go === undefined) return undefined;
  // Go ends its input with a blank, which is what it complains about inside a number or a word.
  if (go.offset >= text.length && go.eof !== 'blank') return 'unexpected end of JSON input';
  // Go looks at bytes: of a character beyond ASCII it names the first byte as if that were one.
  const byte = Buffer.from(String.fromCodePoint(text.codePointAt(go.offset) ?? 0x20))[0] ?? 0;
  return `invalid character ${quoteByte(byte)} ${go.place}`;
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return String.raw`'\''`;
  return byte === 0x22 ? `'"'` : `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

/** The type of a field; `go` is the type's name in messages. */
export type Shape =
  | { readonly kind: 'string' | 'bool' | 'int' | 'bytes' | 'raw'; readonly go: string }
  | { readonly kind: 'list' | 'map'; readonly go: string; readonly of: Shape }
  | {
      readonly kind: 'struct';
      readonly go: string;
      /** The type's name without its package. */
      readonly name: string;
      readonly fields: ReadonlyMap<string, Shape>;
      readonly folded: ReadonlyMap<string, { readonly name: string; readonly shape: Shape }>;
    };

export const text: Shape = { kind: 'string', go: 'string' };
export const bool: Shape = { kind: 'bool', go: 'bool' };
export const bytes: Shape = { kind: 'bytes', go: '[]uint8' };
export const raw: Shape = { kind: 'raw', go: 'json.RawMessage' };
export const integer = (go: 'int' | 'int32'): Shape => ({ kind: 'int', go });
export const named = (go: string): Shape => ({ kind: 'string', go });
export const list = (of: Shape): Shape => ({ kind: 'list', go: `[]${of.go}`, of });
export const map = (of: Shape): Shape => ({ kind: 'map', go: `map[string]${of.go}`, of });

export function struct(go: string, fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return {
    kind: 'struct',
    go,
    name: go.slice(go.lastIndexOf('.') + 1),
    fields: new Map(entries),
    folded: new Map(entries.map(([name, shape]) => [fold(name), { name, shape }])),
  };
}

export interface Decoding {
  /** Keys are met as they are written, and not in the order of their bytes. */
  readonly inOrder?: true;
  /** Go's DisallowUnknownFields. */
  readonly refuseUnknown?: true;
}

/** The text of the first mismatch, or undefined. */
export function mismatch(
  value: JsonValue | undefined,
  shape: Shape,
  decoding: Decoding = {},
): string | undefined {
  if (value === undefined) return 'unexpected end of JSON input';
  if (decoding.refuseUnknown !== true && fits(value, shape)) return undefined;
  return check(value, shape, { owner: '', path: '', ...decoding });
}

/** The struct that is decoded, and the field in it. */
interface At extends Decoding {
  readonly owner: string;
  readonly path: string;
}

/** Nearly everything fits: that is found out without writing down paths. */
function fits(value: JsonValue, shape: Shape): boolean {
  if (value === null || shape.kind === 'raw') return true;
  if (typeof value === 'string') {
    return (
      shape.kind === 'string' || (shape.kind === 'bytes' && corruptBase64(value) === undefined)
    );
  }
  if (typeof value !== 'object') return typeof value === 'boolean' && shape.kind === 'bool';
  if (value instanceof NumberText) return false;
  if (Array.isArray(value)) {
    if (shape.kind !== 'list') return false;
    for (const item of value) if (!fits(item, shape.of)) return false;
    return true;
  }
  if (!('fields' in shape) && shape.kind !== 'map') return false;
  // Values come from a parser: all their keys are their own.
  for (const key in value) {
    const of =
      'fields' in shape ? (shape.fields.get(key) ?? shape.folded.get(fold(key))?.shape) : shape.of;
    if (of !== undefined && !fits(value[key] as JsonValue, of)) return false;
  }
  return true;
}

/** The field of an object that Go would fill: the exact name, or one that differs in case only. */
export function field(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name) && object[name] !== null) return object[name];
  let found: JsonValue | undefined;
  const folded = fold(name);
  for (const key of Object.keys(object)) {
    if (key.length !== name.length || fold(key) !== folded) continue;
    const value = object[key];
    if (value !== null && value !== undefined) found = value;
  }
  return found;
}

function check(value: JsonValue, shape: Shape, at: At): string | undefined {
  if (value === null || shape.kind === 'raw') return undefined;
  if (typeof value === 'string') {
    if (shape.kind === 'string') return undefined;
    if (shape.kind !== 'bytes') return wrong('string', shape, at);
    const byte = corruptBase64(value);
    return byte === undefined ? undefined : `illegal base64 data at input byte ${byte}`;
  }
  if (typeof value === 'boolean') {
    return shape.kind === 'bool' ? undefined : wrong('bool', shape, at);
  }
  if (typeof value === 'number' || value instanceof NumberText) {
    if (shape.kind !== 'int') return wrong('number', shape, at);
    const number = Number(value);
    return isWithin(number, shape.go) ? undefined : wrong(`number ${number}`, shape, at);
  }
  if (Array.isArray(value)) {
    const of = shape.kind === 'bytes' ? uint8 : shape.kind === 'list' ? shape.of : undefined;
    if (of === undefined) return wrong('array', shape, at);
    let first: string | undefined;
    for (const item of value) first ??= check(item, of, at);
    return first;
  }
  if (shape.kind === 'map') {
    for (const key of sortedKeys(value)) {
      const problem = check(value[key] as JsonValue, shape.of, at);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (shape.kind !== 'struct') return wrong('object', shape, at);
  return checkFields(value, shape, at);
}

function wrong(what: string, shape: Shape, { owner, path }: At): string {
  return cannotUnmarshal(what, shape.go, path === '' ? '' : `${owner}.${path}`);
}

function checkFields(
  value: JsonObject,
  shape: Shape & { kind: 'struct' },
  at: At,
): string | undefined {
  const prefix = at.path === '' ? '' : `${at.path}.`;
  let problems: Map<string, string> | undefined;
  for (const key of Object.keys(value)) {
    const exact = shape.fields.get(key);
    const match = exact === undefined ? shape.folded.get(fold(key)) : { name: key, shape: exact };
    if (match === undefined && at.refuseUnknown !== true) continue;
    const problem =
      match === undefined
        ? `json: unknown field ${JSON.stringify(key)}`
        : check(value[key] as JsonValue, match.shape, {
            ...at,
            owner: shape.name,
            path: prefix + match.name,
          });
    if (problem !== undefined && at.inOrder === true) return problem;
    if (problem !== undefined) (problems ??= new Map<string, string>()).set(key, problem);
  }
  if (problems === undefined) return undefined;
  return problems.get([...problems.keys()].sort(compareBytes)[0] as string);
}

const uint8: Shape = { kind: 'int', go: 'uint8' };
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  uint8: [0, 255],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  // Doubles cannot tell 2^63 - 1 from 2^63: the blob went through doubles in the reference, too.
  int: [-(2 ** 63), 2 ** 63 - 1024],
};

function isWithin(value: number, go: string): boolean {
  const [low, high] = ranges[go] ?? [0, 0];
  // From 1e21 on the blob has an exponent, which is no integer literal.
  return Number.isInteger(value) && value >= low && value <= high;
}

/** Go's `foldName` for names of ASCII letters: U+017F folds to s, U+212A to k. */
function fold(name: string): string {
  for (let at = 0; at < name.length; at++) {
    if (name.charCodeAt(at) > 0x7f) {
      return name
        .replaceAll('\u017f', 's')
        .replaceAll('\u212a', 'k')
        .replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
    }
  }
  return name.toUpperCase();
}

export type JsonKind = 'array' | 'bool' | 'null' | 'number' | 'object' | 'string';

export function jsonKind(value: unknown): JsonKind {
  if (isObject(value)) return 'object';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : value === null ? 'null' : 'string';
}

/** @param what a {@link JsonKind}, or `number 1e400` where it does not fit @param field with the struct's name */
export function cannotUnmarshal(what: string, type: string, field = ''): string {
  return field === ''
    ? `json: cannot unmarshal ${what} into Go value of type ${type}`
    : `json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`;
}

/** JSON in and out without losing what a number said. */
import { randomText } from '../platform.js';
import { InvalidInputError, type Place } from './error.js';
import { findDefect } from './json-defect.js';
import type { JsonParts } from './gathered-parts.js';
import { parseEqualParts } from './json-equal-parts.js';
import { measureJson, type JsonMeasure } from './json-measure.js';
import { defaultLimits, type Limits } from './limits.js';
import { placeAt } from './place.js';
import { isObject, NumberText, type JsonValue, type JsonObject } from './value.js';

export interface ParseOptions extends Partial<Limits> {
  readonly file?: string;
}

// A fresh one for each process: no input can hold it by intent or by chance.
const numberMark = randomText(12);
const openMark = `"${numberMark}`;
const followedByColon = /[ \t\r\n]*:/y;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Numbers that JavaScript would not print back are `NumberText`. @throws InvalidInputError `E_JSON`, `E_LIMIT` */
export function parseJson(input: string | Buffer, options: ParseOptions = {}): JsonValue {
  const { maxBytes, maxValues } = { ...defaultLimits, ...options };
  requireSize(input.length, maxBytes, options);
  const text = withoutByteOrderMark(typeof input === 'string' ? input : input.toString('utf8'));
  return parseMeasured(text, measureJson(text, { maxValues }), options);
}

/** The same bytes, as everything that reads takes them. */
export function asBuffer(bytes: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(buffer, byteOffset, byteLength);
}

/** JSON of which nothing is built yet. */
export interface MeasuredJson extends Pick<JsonMeasure, 'depth' | 'values'> {
  readonly bytes: Uint8Array;
  /** Undefined where the text is to be parsed as a whole. */
  readonly parts?: JsonParts;
}

/** Looks over the text of one JSON value, which {@link parseShared} builds. @throws InvalidInputError `E_LIMIT` */
export function measureShared(bytes: Buffer, options: ParseOptions = {}): MeasuredJson {
  const { maxBytes, maxValues } = { ...defaultLimits, ...options };
  requireSize(bytes.length, maxBytes, options);
  const { parts, depth, values, lossyNumbers } = measureJson(bytes.toString('latin1'), {
    maxValues,
    parts: true,
  });
  requireLimits({ depth, values }, options);
  const isPlain = parts !== undefined && lossyNumbers.length === 0;
  return { bytes, depth, values, ...(isPlain ? { parts } : {}) };
}

/** Large parts with the same bytes are one value, which must not be mutated. @throws `E_JSON`, `E_LIMIT` */
export function parseShared({ bytes, parts, ...measure }: MeasuredJson): JsonValue {
  requireLimits(measure, {});
  const buffer = asBuffer(bytes);
  return (parts && parseEqualParts(buffer, parts)) ?? parseJson(buffer);
}

/** Parses a value that is measured already. @throws InvalidInputError */
export function parseMeasured(
  text: string,
  measure: Omit<JsonMeasure, 'end'>,
  options: ParseOptions,
): JsonValue {
  const { lossyNumbers } = measure;
  const where = requireLimits(measure, options);
  try {
    if (lossyNumbers.length === 0) return JSON.parse(text) as JsonValue;
    return restoreNumbers(JSON.parse(markNumbers(text, lossyNumbers)) as JsonValue);
  } catch (error) {
    if (error instanceof SyntaxError) throw syntaxError(text, error, where);
    throw error;
  }
}

/** @throws InvalidInputError `E_LIMIT` */
function requireSize(length: number, maxBytes: number, { file }: ParseOptions): void {
  if (length <= maxBytes) return;
  const message = `is ${length} bytes long; at most ${maxBytes} are read`;
  throw new InvalidInputError('E_LIMIT', message, { file });
}

/** @throws InvalidInputError `E_LIMIT` */
function requireLimits(
  { depth, values }: Pick<JsonMeasure, 'depth' | 'values'>,
  options: ParseOptions,
): Place {
  const { file, maxDepth, maxValues } = { ...defaultLimits, ...options };
  const where = { file };
  if (values > maxValues) {
    throw new InvalidInputError('E_LIMIT', `holds more than ${maxValues} values`, where);
  }
  if (depth > maxDepth) {
    const message = `nests ${depth} levels deep; at most ${maxDepth} are read`;
    throw new InvalidInputError('E_LIMIT', message, where);
  }
  return where;
}

/** Keys in insertion order, numbers as their text stood. A value may nest as deep as memory allows. */
export function stringifyJson(value: unknown, indent?: number): string {
  let marked = false;
  NumberText.replaceInJson = (text) => {
    marked = true;
    return numberMark + text;
  };
  try {
    const json = JSON.stringify(value, undefined, indent) ?? 'null';
    return marked ? json.replaceAll(new RegExp(`"${numberMark}([^"]*)"`, 'g'), '$1') : json;
  } catch (error) {
    // The engine's own writer recurses, and is several times as fast as long as it can.
    if (error instanceof RangeError) return writeDeepJson(value, indent);
    throw error;
  } finally {
    NumberText.replaceInJson = undefined;
  }
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Writes each lossy literal as a marked string, so that the engine's own parser does the rest. */
function markNumbers(text: string, offsets: readonly number[]): string {
  const parts: string[] = [];
  let from = 0;
  for (let index = 0; index + 1 < offsets.length; index += 2) {
    const start = offsets[index] as number;
    const end = offsets[index + 1] as number;
    const literal = text.slice(start, end);
    // Text that is no JSON number, or a number where a key stands, stays as it is: the parser reports it.
    followedByColon.lastIndex = end;
    if (!jsonNumber.test(literal) || followedByColon.test(text)) continue;
    parts.push(text.slice(from, start), openMark, literal, '"');
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function restoreNumbers(root: JsonValue): JsonValue {
  if (typeof root === 'string') return restored(root);
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const item = value[index] as JsonValue;
        if (typeof item === 'string') value[index] = restored(item);
        else if (typeof item === 'object' && item !== null) open.push(item);
      }
    } else if (isObject(value)) {
      // JSON.parse made every key an own property, `__proto__` too: plain assignment reaches it.
      for (const key in value) {
        const item = value[key] as JsonValue;
        if (typeof item === 'object' && item !== null) open.push(item);
        else if (typeof item === 'string' && item.startsWith(numberMark)) {
          value[key] = restored(item);
        }
      }
    }
  }
  return root;
}

function restored(text: string): string | NumberText {
  return text.startsWith(numberMark) ? new NumberText(text.slice(numberMark.length)) : text;
}

function syntaxError(text: string, cause: SyntaxError, where: Place): InvalidInputError {
  const { reason, offset } = findDefect(text) ?? { reason: cause.message, offset: 0 };
  const message = `is not JSON: ${reason}`;
  return new InvalidInputError('E_JSON', message, { ...where, ...placeAt(text, offset) });
}

interface Open {
  /** The keys of an object; undefined for a list, whose indexes are counted. */
  readonly keys: readonly string[] | undefined;
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
  next: number;
  isEmpty: boolean;
}

/** The output of `JSON.stringify(value, undefined, indent)`, with numbers as their text stood. */
export function writeDeepJson(root: unknown, indent = 0): string {
  const parts: string[] = [];
  const open: Open[] = [];

  const newline = (): void => {
    if (indent > 0) parts.push('\n', ' '.repeat(indent * open.length));
  };
  const begin = (value: object): void => {
    const isList = Array.isArray(value);
    parts.push(isList ? '[' : '{');
    open.push({
      keys: isList ? undefined : Object.keys(value),
      value: value as Open['value'],
      next: 0,
      isEmpty: true,
    });
  };
  const write = (value: unknown): void => {
    if (value instanceof NumberText) parts.push(value.text);
    else if (typeof value === 'object' && value !== null) begin(value);
    else parts.push(JSON.stringify(value) ?? 'null');
  };

  write(plain(root, ''));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { keys, value } = top;
    const size = keys === undefined ? (value as readonly unknown[]).length : keys.length;
    if (top.next === size) {
      open.pop();
      if (!top.isEmpty) newline();
      parts.push(keys === undefined ? ']' : '}');
      continue;
    }
    const key = keys === undefined ? String(top.next) : (keys[top.next] as string);
    const item = plain((value as Readonly<Record<string, unknown>>)[key], key);
    top.next++;
    if (keys !== undefined && isLeftOut(item)) continue;
    if (!top.isEmpty) parts.push(',');
    top.isEmpty = false;
    newline();
    if (keys !== undefined) parts.push(JSON.stringify(key), indent > 0 ? ': ' : ':');
    write(item);
  }
  return parts.join('');
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function plain(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, key) as unknown) : value;
}

const known = new WeakMap<JsonObject, ReadonlySet<number>>();

/** Lengths of the keys: few to look through, where there may be a hundred thousand keys and as many paths. */
export function keyLengths(object: JsonObject): ReadonlySet<number> {
  let lengths = known.get(object);
  if (lengths === undefined) {
    known.set(object, (lengths = new Set(Object.keys(object).map((key) => key.length))));
  }
  return lengths;
}

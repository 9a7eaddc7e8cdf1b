/** JSON in and out without losing what a number said. */
import { randomText, isAscii, sha256 } from '../platform.js';
import { InvalidInputError, type Place, defaultLimits, type Limits, placeAt } from './error.js';
import { findDefect } from './json-defect.js';
import { type JsonParts, measureJson, type JsonMeasure } from './json-measure.js';
import { isObject, NumberText, type JsonValue, type JsonObject } from './value.js';

export interface ParseOptions extends Partial<Limits> {
  readonly file?: string;
}

// A fresh one for each process: no input can hold it by intent or by chance.
let ownMark: string | undefined;
const numberMark = (): string => (ownMark ??= randomText(12));
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
    return numberMark() + text;
  };
  try {
    const json = JSON.stringify(value, undefined, indent) ?? 'null';
    return marked ? json.replaceAll(new RegExp(`"${numberMark()}([^"]*)"`, 'g'), '$1') : json;
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
    parts.push(text.slice(from, start), `"${numberMark()}`, literal, '"');
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
        else if (typeof item === 'string' && item.startsWith(numberMark())) {
          value[key] = restored(item);
        }
      }
    }
  }
  return root;
}

function restored(text: string): string | NumberText {
  return text.startsWith(numberMark()) ? new NumberText(text.slice(numberMark().length)) : text;
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
    if (
      keys !== undefined &&
      (item === undefined || typeof item === 'function' || typeof item === 'symbol')
    )
      continue;
    if (!top.isEmpty) parts.push(',');
    top.isEmpty = false;
    newline();
    if (keys !== undefined) parts.push(JSON.stringify(key), indent > 0 ? ': ' : ':');
    write(item);
  }
  return parts.join('');
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

/** How many parts of the same length are compared; the author of the text decides how many there are. */
const maxCandidates = 8;
/** How many bytes are compared, as a multiple of the text's: nested parts can make it many. */
const maxCompared = 8;

// Random for each process, so that no input contains it.
let mark = '';

const onlyBlanks = /^[ \t\r\n]*$/;

/**
 * Parses parts with the same bytes once, as one shared value: a review has an object twice.
 *
 * @returns undefined if the parts cannot be parsed apart; parse the whole text then
 */
function parseEqualParts(bytes: Buffer, parts: JsonParts): JsonValue | undefined {
  mark ||= randomText(12);
  const { starts, ends } = parts;
  const isAlone = starts[0] === 0 && onlyBlanks.test(bytes.toString('latin1', ends[0]));
  const plan = isAlone ? planOf(bytes, parts) : undefined;
  if (plan === undefined) return undefined;
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  const values = new Array<JsonValue>(starts.length);
  try {
    for (const part of plan.order) {
      const inside = plan.inside[part] ?? [];
      let from = starts[part];
      let json = '';
      for (const child of inside) {
        json += `${bytes.toString(encoding, from, starts[child])}"${mark}${child}"`;
        from = ends[child];
      }
      const value = JSON.parse(json + bytes.toString(encoding, from, ends[part])) as JsonValue;
      const put = inside.length && fill(value, (child) => values[plan.sameAs[child] ?? child]);
      // Unequal if a key is repeated, or if a part was taken for a key.
      if (put !== inside.length) return undefined;
      values[part] = value;
    }
    return values[0];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Plan {
  readonly order: readonly number[];
  readonly inside: readonly (number[] | undefined)[];
  readonly sameAs: readonly (number | undefined)[];
}

function planOf(bytes: Buffer, parts: JsonParts): Plan | undefined {
  const { starts, ends } = parts;
  const inside = new Array<number[] | undefined>(starts.length);
  const sameAs = new Array<number | undefined>(starts.length);
  const order: number[] = [];
  const isBuilt = new Uint8Array(starts.length);
  const around: number[] = [];
  const byLength = new Map<number, number[]>();
  let left = maxCompared * bytes.length;
  for (let part = 0; part < starts.length;) {
    const [start, end] = [starts[part] as number, ends[part] as number];
    if (end < 0) return undefined;
    while (around.length > 0 && (ends[around.at(-1) as number] as number) <= start) {
      order.push(around.pop() as number);
    }
    const parent = around.at(-1);
    // The parser refuses text beside the first part.
    if (parent === undefined && part > 0) return undefined;
    if (parent !== undefined) (inside[parent] ??= []).push(part);
    const length = end - start;
    const candidates = byLength.get(length) ?? [];
    const seen = parts.sameAs[part] as number;
    const known = isBuilt[seen] === 1 ? seen : sameAs[seen];
    const same =
      known ??
      candidates.find((other) => {
        const from = starts[other] as number;
        const middle = length >> 1;
        if (bytes[from + middle] !== bytes[start + middle]) return false;
        left -= length;
        return left >= 0 && bytes.compare(bytes, from, from + length, start, end) === 0;
      });
    if (same !== undefined) {
      sameAs[part] = same;
      do part++;
      while (part < starts.length && (starts[part] as number) < end);
      continue;
    }
    if (candidates.length === 0) byLength.set(length, [part]);
    else if (candidates.length < maxCandidates) candidates.push(part);
    isBuilt[part] = 1;
    around.push(part);
    part++;
  }
  for (let part = around.pop(); part !== undefined; part = around.pop()) order.push(part);
  const isApart = new Uint8Array(starts.length);
  sameAs.forEach((same, part) => {
    if (same !== undefined) isApart[part] = isApart[same] = 1;
  });
  // Only parts that occur twice, or contain such parts, are parsed apart; others with their parent.
  const built = order.filter((part) => {
    inside[part] = inside[part]?.filter((child) => isApart[child] === 1);
    if (inside[part]?.length) isApart[part] = 1;
    return part === 0 || isApart[part] === 1;
  });
  return { order: built, inside, sameAs };
}

/** Replaces marks by the values of parts, and returns how many it replaced. */
function fill(value: JsonValue, part: (index: number) => JsonValue | undefined): number {
  let put = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = marked(value[index]);
      if (found < 0) continue;
      value[index] = part(found) as JsonValue;
      put++;
    }
  } else if (isObject(value)) {
    // JSON.parse made every key an own property, `__proto__` too: plain assignment reaches it.
    for (const key in value) {
      const found = marked(value[key]);
      if (found < 0) continue;
      value[key] = part(found) as JsonValue;
      put++;
    }
  }
  return put;
}

function marked(value: JsonValue | undefined): number {
  return typeof value === 'string' && value.startsWith(mark)
    ? Number(value.slice(mark.length))
    : -1;
}

/** A JSON value that several threads read without each being sent a copy. */
export interface SharedJson {
  readonly key: string;
  /** UTF-8. */
  readonly bytes: SharedArrayBuffer;
}

export function shareJson(value: unknown): SharedJson {
  const text = stringifyJson(value);
  const bytes = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(bytes).write(text);
  return { key: sha256(text).toString('base64'), bytes };
}

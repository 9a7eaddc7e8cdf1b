/** How the reference implementations, which are written in Go, order and print values. */
import { NumberText, own, type JsonValue } from '../text/documents/index.js';

/** Go compares text by its UTF-8 bytes, which differs from UTF-16 order above U+FFFF. */
export function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return byteRank(a) - byteRank(b);
  }
  return left.length - right.length;
}

/** Halves of a surrogate pair stand for code points above every other code unit. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Go's `%v` of a float64: shortest digits, with an exponent below 1e-04 and from 1e+06. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Go's `%v` of a list of text. */
export const formatList = (items: readonly string[]): string => `[${items.join(' ')}]`;

const leastInt64 = -(2n ** 63n);
const mostInt64 = 2n ** 63n - 1n;

/**
 * A value as Go's `encoding/json` writes what an unstructured object holds: sorted keys, `<`, `>`, `&`
 * and line separators escaped, integers of 64 bits as they are, every other number as the nearest double.
 * It may nest as deep as memory allows.
 */
export function canonicalJson(root: JsonValue): string {
  let json = '';
  /** What is still to be written, the last first: values, and text as it stands. */
  const ahead: (JsonValue | Written)[] = [root];
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    if (value instanceof Written) json += value.text;
    else if (value === null || typeof value === 'boolean') json += String(value);
    else if (typeof value === 'string') json += jsonString(value);
    else if (typeof value === 'number') json += jsonFloat(value);
    else if (value instanceof NumberText) json += jsonNumber(value);
    else if (Array.isArray(value)) {
      ahead.push(endOfList);
      for (let index = value.length - 1; index >= 0; index--) {
        ahead.push(value[index] as JsonValue, index === 0 ? startOfList : comma);
      }
      if (value.length === 0) ahead.push(startOfList);
    } else {
      const keys = Object.keys(value).sort(compareBytes);
      ahead.push(endOfMap);
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index] as string;
        const before = index === 0 ? '{' : ',';
        ahead.push(own(value, key) ?? null, new Written(`${before}${jsonString(key)}:`));
      }
      if (keys.length === 0) ahead.push(startOfMap);
    }
  }
  return json;
}

class Written {
  constructor(readonly text: string) {}
}
const [startOfList, endOfList] = [new Written('['), new Written(']')];
const [startOfMap, endOfMap] = [new Written('{'), new Written('}')];
const comma = new Written(',');

/** Reads a literal as Go's decoder does: an integer when it is written as one and fits 64 bits. */
export function readInt64(value: number | NumberText): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (value.isIntegerLiteral) {
    const integer = BigInt(value.text);
    return integer >= leastInt64 && integer <= mostInt64 ? integer : undefined;
  }
  return Number.isSafeInteger(value.value) ? BigInt(value.value) : undefined;
}

function jsonNumber(number: NumberText): string {
  const integer = number.isIntegerLiteral ? readInt64(number) : undefined;
  return integer === undefined ? jsonFloat(number.value) : integer.toString();
}

function jsonFloat(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const escapes = /[<>&\u2028\u2029]/g;

function jsonString(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    escapes,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

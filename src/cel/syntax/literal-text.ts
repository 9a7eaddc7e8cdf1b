/** Decodes the text of literals. Source: cel-go/parser/unescape.go. */
import { decimalOf } from '../../text/go/index.js';
import { maxInt, maxUint, minInt, Uint } from '../values.js';

/** A literal that has the form of one, but no value. */
export class NoSuchValue extends Error {}

/** @throws NoSuchValue past 64 bits */
export function intOf(text: string): bigint {
  const isNegative = text.startsWith('-');
  const size = sizeOf(isNegative ? text.slice(1) : text);
  const value = size !== undefined && isNegative ? -size : size;
  if (value === undefined || value > maxInt || value < minInt) {
    throw new NoSuchValue('invalid int literal');
  }
  return value;
}

/** @throws NoSuchValue past 64 bits */
export function uintOf(text: string): Uint {
  const value = sizeOf(text.slice(0, -1));
  if (value === undefined || value > maxUint) throw new NoSuchValue('invalid uint literal');
  return new Uint(value);
}

/** Undefined, or too large, past 64 bits. */
function sizeOf(digits: string): bigint | undefined {
  return digits.startsWith('0x') ? BigInt(digits) : decimalOf(digits);
}

/** @throws NoSuchValue past what a double holds */
export function doubleOf(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new NoSuchValue('invalid double literal');
  return value;
}

const simpleEscapes = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
]);

/** @throws NoSuchValue for an escape that is no character */
export function stringOf(text: string): string {
  return unquoted(text, (escape) => {
    const code = codeOf(escape);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      throw new NoSuchValue('invalid unicode code point');
    }
    return String.fromCodePoint(code);
  });
}

/** Escapes stand for bytes, other characters for their UTF-8. @throws NoSuchValue */
export function bytesOf(text: string): Uint8Array {
  const bytes: number[] = [];
  const plain = unquoted(text.slice(1), (escape) => {
    if (/^\\[uU]/.test(escape)) throw new NoSuchValue('unable to unescape string');
    // No character of UTF-8: stands for the byte until all is put together.
    bytes.push(codeOf(escape));
    return '\ud800';
  });
  let next = 0;
  return new Uint8Array(
    Buffer.concat(
      plain
        .split('\ud800')
        .flatMap((part, index) => [
          ...(index === 0 ? [] : [Buffer.from([bytes[next++] as number])]),
          Buffer.from(part),
        ]),
    ),
  );
}

function unquoted(text: string, unescape: (escape: string) => string): string {
  const isRaw = /^[rR]/.test(text);
  const quoted = (isRaw ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
  const width = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  const inner = quoted.slice(width, -width);
  return isRaw ? inner : inner.replaceAll(/\\(?:[xX].{2}|u.{4}|U.{8}|[0-3]..|[^])/g, unescape);
}

function codeOf(escape: string): number {
  const first = escape[1] as string;
  if (/[xXuU]/.test(first)) return Number.parseInt(escape.slice(2), 16);
  if (/[0-3]/.test(first)) return Number.parseInt(escape.slice(1), 8);
  return simpleEscapes.get(first) ?? first.charCodeAt(0);
}

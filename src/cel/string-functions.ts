/** Strings: cel-go's standard functions, its strings extension (version 2) and Kubernetes' regex library. */
import { compilePattern, findAll } from '../text/go/regexp.js';
import { EvaluationError } from './errors.js';
import { formatText } from './format-text.js';
import type { Frame } from './frame.js';
import { listOf } from './from-json.js';
import type { CelList } from './lists.js';
import { declare } from './signature.js';
import type { CelValue } from './values.js';
import { quote as goQuote } from '../text/go/index.js';

const text = (value: CelValue | undefined): string => value as string;
const int = (value: CelValue | undefined): number => Number(value);

function outOfRange(index: number): EvaluationError {
  return new EvaluationError(`index out of range: ${index}`);
}

function charAt(value: string, index: number): string {
  const runes = [...value];
  if (index < 0 || index > runes.length) throw outOfRange(index);
  return runes[index] ?? '';
}

function indexOf(value: string, part: string, offset: number): bigint {
  if (part === '') return BigInt(offset);
  if (offset < 0) throw outOfRange(offset);
  const runes = [...value];
  const wanted = [...part];
  for (let index = offset; index <= runes.length - wanted.length; index++) {
    if (wanted.every((rune, place) => runes[index + place] === rune)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOf(value: string, part: string, offset: number | undefined): bigint {
  const runes = [...value];
  const wanted = [...part];
  if (part === '') return BigInt(offset ?? runes.length);
  if (offset !== undefined && offset < 0) throw outOfRange(offset);
  if (offset !== undefined && offset >= runes.length) return -1n;
  for (
    let index = Math.min(offset ?? Infinity, runes.length - wanted.length);
    index >= 0;
    index--
  ) {
    if (wanted.every((rune, place) => runes[index + place] === rune)) return BigInt(index);
  }
  return -1n;
}

function substring(value: string, start: number, end: number | undefined): string {
  const runes = [...value];
  if (end === undefined) {
    if (start < 0 || start > runes.length) throw outOfRange(start);
    return runes.slice(start).join('');
  }
  if (start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0 || start > runes.length) throw outOfRange(start);
  if (end < 0 || end > runes.length) throw outOfRange(end);
  return runes.slice(start, end).join('');
}

/** Go's strings.SplitN: an empty separator splits into runes; a negative limit is none. */
function split(value: string, separator: string, limit: number): string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...value] : value.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function replace(value: string, old: string, by: string, limit: number): string {
  if (limit < 0)
    return old === ''
      ? [...value].reduce((sum, rune) => sum + rune + by, by)
      : value.replaceAll(old, () => by);
  const parts = split(value, old, limit + 1);
  return old === '' ? by + parts.slice(0, limit).join(by) : parts.join(by);
}

const lowerAscii = (value: string): string =>
  value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const upperAscii = (value: string): string =>
  value.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
// Go's unicode.IsSpace.
const trim = (value: string): string =>
  value.replaceAll(
    /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g,
    '',
  );

function matches(value: string, pattern: string, frame: Frame): boolean {
  frame.spend((value.length * pattern.length) / 40);
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') throw new EvaluationError(compiled);
  return compiled.test(value);
}

function found(value: string, pattern: string, limit: number, frame: Frame): string[] {
  frame.spend((value.length * pattern.length) / 40);
  const result = findAll(pattern, value, limit);
  if (typeof result === 'string') throw new EvaluationError(`Illegal regex: ${result}`);
  return result;
}

function join(list: CelList, separator: string): string {
  return [...list.items()]
    .map((item) => {
      if (typeof item !== 'string') throw new EvaluationError('join: invalid input');
      return item;
    })
    .join(separator);
}

export const stringOverloads = declare([
  [
    'string:contains(string) bool',
    ([a, b], frame) => {
      frame.spend(text(a).length / 10);
      return text(a).includes(text(b));
    },
  ],
  ['string:startsWith(string) bool', ([a, b]) => text(a).startsWith(text(b))],
  ['string:endsWith(string) bool', ([a, b]) => text(a).endsWith(text(b))],
  ['string:matches(string) bool', ([a, b], frame) => matches(text(a), text(b), frame)],
  ['matches(string, string) bool', ([a, b], frame) => matches(text(a), text(b), frame)],
  ['string:charAt(int) string', ([a, b]) => charAt(text(a), int(b))],
  ['string:indexOf(string) int', ([a, b]) => indexOf(text(a), text(b), 0)],
  ['string:indexOf(string, int) int', ([a, b, c]) => indexOf(text(a), text(b), int(c))],
  ['string:lastIndexOf(string) int', ([a, b]) => lastIndexOf(text(a), text(b), undefined)],
  ['string:lastIndexOf(string, int) int', ([a, b, c]) => lastIndexOf(text(a), text(b), int(c))],
  ['list(string):join() string', ([a]) => join(a as CelList, '')],
  ['list(string):join(string) string', ([a, b]) => join(a as CelList, text(b))],
  ['string:lowerAscii() string', ([a]) => lowerAscii(text(a))],
  ['string:upperAscii() string', ([a]) => upperAscii(text(a))],
  ['string:replace(string, string) string', ([a, b, c]) => replace(text(a), text(b), text(c), -1)],
  [
    'string:replace(string, string, int) string',
    ([a, b, c, d]) => replace(text(a), text(b), text(c), int(d)),
  ],
  ['string:split(string) list(string)', ([a, b]) => listOf(split(text(a), text(b), -1))],
  [
    'string:split(string, int) list(string)',
    ([a, b, c]) => listOf(split(text(a), text(b), int(c))),
  ],
  ['string:substring(int) string', ([a, b]) => substring(text(a), int(b), undefined)],
  ['string:substring(int, int) string', ([a, b, c]) => substring(text(a), int(b), int(c))],
  ['string:trim() string', ([a]) => trim(text(a))],
  ['string:format(list(dyn)) string', ([a, b]) => formatText(text(a), b as CelList)],
  ['strings.quote(string) string', ([a]) => celQuote(text(a))],
  ['string:find(string) string', ([a, b], frame) => found(text(a), text(b), 1, frame)[0] ?? ''],
  [
    'string:findAll(string) list(string)',
    ([a, b], frame) => listOf(found(text(a), text(b), -1, frame)),
  ],
  [
    'string:findAll(string, int) list(string)',
    ([a, b, c], frame) => listOf(found(text(a), text(b), int(c), frame)),
  ],
]);

/** Quotes what would not print; all other characters stay. */
function celQuote(value: string): string {
  return /^[ -~]*$/.test(value)
    ? goQuote(value)
    : `"${value.replaceAll(/[\b\f\n\r\t\v\\"]/g, (character) => goQuote(character).slice(1, -1))}"`;
}

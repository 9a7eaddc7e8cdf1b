/** Strings: cel-go's standard functions, its strings extension (version 2) and Kubernetes' regex library. */
import {
  spend,
  spendOnText,
  EvaluationError,
  noSuchOverload,
  printed,
  TypeValue,
  type CelList,
  type CelValue,
} from '../values.js';
import { escaped, trimSpace } from '../../text/go/index.js';
import { compilePattern, findAll } from '../../text/go/regexp.js';
import { listOf } from '../collections.js';
import { declare, declareWhole, type CelFunction, type Implementation } from '../overloads.js';
import { formatText } from './format-text.js';

function outOfRange(index: bigint): EvaluationError {
  return new EvaluationError(`index out of range: ${index}`);
}

/** The index as a number. @throws EvaluationError below 0 and past the end */
function within(index: bigint, size: number): number {
  if (index < 0n || index > BigInt(size)) throw outOfRange(index);
  return Number(index);
}

function isAt(runes: readonly string[], wanted: readonly string[], index: number): boolean {
  return wanted.every((rune, place) => runes[index + place] === rune);
}

function indexOf(value: string, part: string, offset = 0n): bigint {
  if (part === '') return offset;
  if (offset < 0n) throw outOfRange(offset);
  const [runes, wanted] = [[...value], [...part]];
  for (let index = Number(offset); index <= runes.length - wanted.length; index++) {
    if (isAt(runes, wanted, index)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOf(value: string, part: string, offset?: bigint): bigint {
  const [runes, wanted] = [[...value], [...part]];
  if (part === '') return offset ?? BigInt(runes.length);
  if (offset !== undefined && offset < 0n) throw outOfRange(offset);
  if (offset !== undefined && offset >= BigInt(runes.length)) return -1n;
  const last = Math.min(Number(offset ?? runes.length), runes.length - wanted.length);
  for (let index = last; index >= 0; index--) {
    if (isAt(runes, wanted, index)) return BigInt(index);
  }
  return -1n;
}

function substring(value: string, start: bigint, end?: bigint): string {
  const runes = [...value];
  if (end === undefined) return runes.slice(within(start, runes.length)).join('');
  if (start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  return runes.slice(within(start, runes.length), within(end, runes.length)).join('');
}

const longText = 1000;

/** Go's strings.SplitN: an empty separator splits into runes; a negative limit is none. */
function split(value: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? [...value] : value.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const last = Number(limit) - 1;
  return [...parts.slice(0, last), parts.slice(last).join(separator)];
}

/** Go's strings.Replace: nothing is found before and after every rune. */
function replace(value: string, old: string, by: string, limit = -1n): string {
  if (limit === 0n || old === by) return value;
  const most = Math.floor(value.length / Math.max(old.length, 1)) + 1;
  const count = limit < 0n || limit > BigInt(most) ? most : Number(limit);
  // So that a text cannot be made to grow past what may be held.
  if (count * by.length > longText)
    spendOnText((old === '' ? value.length + 1 : value.split(old).length - 1) * by.length);
  if (old !== '') return split(value, old, limit < 0n ? limit : limit + 1n).join(by);
  let left = limit < 0n ? Infinity : Number(limit);
  const put = (): string => (left-- > 0 ? by : '');
  return [...value].reduce((result, rune) => result + rune + put(), put());
}

const lowerAscii = (value: string): string =>
  value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const upperAscii = (value: string): string =>
  value.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

/** Whether a text matches. @throws EvaluationError for a pattern that does not compile */
function matches(value: string, pattern: string): boolean {
  spend((value.length * pattern.length) / 40);
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') throw new EvaluationError(compiled);
  return compiled.test(value);
}

function found(value: string, pattern: string, limit = -1n): string[] {
  spend((value.length * pattern.length) / 40);
  const result = findAll(pattern, value, Number(limit));
  if (typeof result === 'string') throw new EvaluationError(`Illegal regex: ${result}`);
  return result;
}

/** The string that Go sees in a string or a type. @throws EvaluationError */
function goText(value: CelValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value instanceof TypeValue) return value.typeName;
  throw noSuchOverload();
}

/** A pattern that is a literal is compiled with the expression, and the types are looked at no more. */
const literalPattern =
  (match: (value: string, pattern: string, values: readonly CelValue[]) => CelValue) =>
  (pattern: string): Implementation | string => {
    const compiled = compilePattern(pattern);
    if (typeof compiled === 'string') return compiled;
    return (values) => match(goText(values[0]), pattern, values);
  };

function limitOf(value: CelValue | undefined): bigint | undefined {
  if (value === undefined || typeof value === 'bigint') return value;
  throw noSuchOverload();
}

function join(list: CelList, separator = ''): string {
  const parts: string[] = [];
  for (const item of list.items()) {
    if (typeof item !== 'string') {
      throw new EvaluationError(`join: invalid input: ${printed(item)}`);
    }
    spendOnText(item.length + separator.length);
    parts.push(item);
  }
  return parts.join(separator);
}

/** These look at the types of their arguments themselves, and say less. */
const contains =
  (test: (value: string, part: string) => boolean) =>
  (value: CelValue, part: CelValue): boolean => {
    if (typeof value !== 'string' || typeof part !== 'string') throw noSuchOverload();
    return test(value, part);
  };

export const standardStrings: readonly CelFunction[] = [
  ...declare(
    {
      'contains_string string:contains(string) bool': contains((value, part) =>
        value.includes(part),
      ),
      'ends_with_string string:endsWith(string) bool': contains((value, part) =>
        value.endsWith(part),
      ),
      'starts_with_string string:startsWith(string) bool': contains((value, part) =>
        value.startsWith(part),
      ),
    },
    ['contains', 'endsWith', 'startsWith'],
  ),
  {
    ...declareWhole(
      ['matches matches(string, string) bool', 'matches_string string:matches(string) bool'],
      (value: string, pattern: CelValue) => {
        if (typeof pattern !== 'string') throw noSuchOverload();
        return matches(value, pattern);
      },
      (value) => typeof value === 'string',
    ),
    withPattern: literalPattern((value, pattern, _) => matches(value, pattern)),
  },
];

const find = (value: string, pattern: string): string => found(value, pattern, 1n)[0] ?? '';
const findEvery = (value: string, pattern: string, limit?: bigint): CelList =>
  listOf(found(value, pattern, limit));

const withPatterns = new Map([
  ['find', literalPattern((value, pattern, _) => find(value, pattern))],
  [
    'findAll',
    literalPattern((value, pattern, [, , limit]) => findEvery(value, pattern, limitOf(limit))),
  ],
]);

export const regexFunctions: readonly CelFunction[] = declare({
  'string_find_string string:find(string) string': find,
  'string_find_all_string string:findAll(string) list(string)': findEvery,
  'string_find_all_string_int string:findAll(string, int) list(string)': findEvery,
}).map((declared) => {
  const withPattern = withPatterns.get(declared.name);
  return withPattern === undefined ? declared : { ...declared, withPattern };
});

const splitText = (value: string, separator: string, limit?: bigint): CelList =>
  listOf(split(value, separator, limit));

export const stringFunctions: readonly CelFunction[] = declare({
  'string_char_at_int string:charAt(int) string': (value: string, index: bigint): string => {
    const runes = [...value];
    return runes[within(index, runes.length)] ?? '';
  },
  'string_index_of_string string:indexOf(string) int': indexOf,
  'string_index_of_string_int string:indexOf(string, int) int': indexOf,
  'string_last_index_of_string string:lastIndexOf(string) int': lastIndexOf,
  'string_last_index_of_string_int string:lastIndexOf(string, int) int': lastIndexOf,
  'string_lower_ascii string:lowerAscii() string': lowerAscii,
  'string_replace_string_string string:replace(string, string) string': replace,
  'string_replace_string_string_int string:replace(string, string, int) string': replace,
  'string_split_string string:split(string) list(string)': splitText,
  'string_split_string_int string:split(string, int) list(string)': splitText,
  'string_substring_int string:substring(int) string': substring,
  'string_substring_int_int string:substring(int, int) string': substring,
  'string_trim string:trim() string': trimSpace,
  'string_upper_ascii string:upperAscii() string': upperAscii,
  'string_format string:format(list(dyn)) string': formatText,
  'strings_quote strings.quote(string) string': (value: string) =>
    `"${[...value].map((rune) => escaped.get(rune) ?? rune.replace(/^[\ud800-\udfff]$/, '\ufffd')).join('')}"`,
  'list_join list(string):join() string': join,
  'list_join_string list(string):join(string) string': join,
});

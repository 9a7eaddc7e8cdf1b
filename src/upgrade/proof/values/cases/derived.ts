/**
 * Integers, texts and lists that a rule works out of one value: each question about them is a question
 * about that value, so that nothing is lost.
 */
import type { Node } from '../../../../cel/index.js';
import { readSchema, type SchemaNode } from '../../../../kubernetes/index.js';
import { type Pattern, parsePattern } from '../../../../text/regular/syntax.js';
import { literalOf } from '../scalars.js';
import { added, doubleAt, sumOf } from './facts.js';
import { integerSum, ofSum, type Value } from './case.js';
import { type Formula, isText, type Spot, type Sum, type TextSource } from './spots.js';
import { isPlainText } from './trees.js';

const integer = readSchema({ type: 'integer' }, '$');
const double = readSchema({ type: 'number' }, '$');
export const text = readSchema({ type: 'string' }, '$');
const piecesOf = readSchema({ type: 'array', minItems: 1, items: { type: 'string' } }, '$');

/** @param key the expression with its places written out */
export function derivedSpot(
  node: Node,
  key: string,
  schema: SchemaNode,
  more: Partial<Spot>,
): Spot {
  const at = { key: `(${key})`, isOld: false, steps: [] };
  return { ...at, before: schema, after: schema, term: node, ...more };
}

const longest = 100n;

/** Patterns of characters that nothing is asked of. */
const any = (least: bigint, most?: bigint): string => `(?s:.{${least},${most ?? ''}})`;

/** Larger counts have no automata. */
const isSmall = (count: bigint): boolean => count >= 0n && count <= longest;

type AtMost = (most: bigint) => Formula | undefined;

/** Counts in a text, by the function that counts. */
const counts: ReadonlyMap<string, (spot: Spot, sought: string) => AtMost> = new Map<
  string,
  (spot: Spot, sought: string) => AtMost
>([
  [
    'indexOf',
    (spot, sought) => (most) =>
      isSmall(most + 1n)
        ? {
            any: [
              { not: { spot, pattern: sought } },
              most >= 0n && { spot, pattern: `^${any(0n, most)}${sought}` },
            ],
          }
        : most >= 0n && undefined,
  ],
  [
    'lastIndexOf',
    (spot, sought) => (most) =>
      isSmall(most + 1n)
        ? { not: { spot, pattern: `^${any(most + 1n)}${sought}` } }
        : most >= 0n && undefined,
  ],
]);

/** The size of what `split` gives. */
function piecesIn(spot: Spot, separator: string): AtMost {
  return (most) => {
    if (!isSmall(most)) return most > 0n && undefined;
    if (most === 0n) return false;
    const others = most === 1n ? '' : `(?:(?s:.*)${separator}){${most - 1n}}`;
    return { not: { spot, pattern: `${separator}${others}` } };
  };
}

const white =
  '[\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}]';

const tests: ReadonlyMap<string, readonly [start: string, end: string]> = new Map([
  ['startsWith', ['^', '']],
  ['endsWith', ['', '$']],
  ['contains', ['', '']],
  ['_==_', ['^', '$']],
]);

/** A test of what is found at the start, the end or anywhere; undefined for a test of another kind. */
function edged(
  read: (given: string, start: string, end: string) => string | false | undefined,
): TextSource['read'] {
  return (test, given) => {
    const edges = tests.get(test);
    return edges && read(given, ...edges);
  };
}

function inCase(isLower: boolean): Omit<TextSource, 'spot'> {
  const foreign = isLower ? /[A-Z]/ : /[a-z]/;
  return {
    otherwise: isLower ? '[A-Z]' : '[a-z]',
    read: edged((given, start, end) => {
      if (foreign.test(given)) return false;
      const either = literalOf(given).replaceAll(
        /[a-zA-Z]/g,
        (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
      );
      return `${start}${either}${end}`;
    }),
  };
}

const texts: ReadonlyMap<string, Omit<TextSource, 'spot'>> = new Map([
  ['lowerAscii', inCase(true)],
  ['upperAscii', inCase(false)],
  [
    'trim',
    {
      otherwise: `^${white}|${white}$`,
      read: edged((given, start, end) => {
        if (given === '') return start !== '' && end !== '' ? `^${white}*$` : '';
        if (given !== given.trim()) return undefined;
        const edge = (isThere: string): string => (isThere === '' ? '' : `${white}*`);
        return `${start}${edge(start)}${literalOf(given)}${edge(end)}${end}`;
      }),
    },
  ],
]);

/** The rest of a pattern of a whole text, behind its start, where it may follow something else as well. */
function afterStart(pattern: string): string | undefined {
  const plain = pattern
    .slice(1)
    .replaceAll(/\\[^AbBQ]/g, 'x')
    .replaceAll(/\[\^?\]?(?:\[:\^?\w+:\]|[^\]])*\]/g, 'x');
  let outer = plain;
  for (let size = -1; size !== outer.length; outer = outer.replaceAll(/\([^()]*\)/g, 'x'))
    size = outer.length;
  const isFollowed = /[\\^]|\(\?[^:]/.test(plain) || outer.includes('|');
  return pattern.startsWith('^') && !isFollowed ? pattern.slice(1) : undefined;
}

type Part = Pick<Spot, 'atMost'> & { readonly source: TextSource };

/** A part of a text between characters that are counted, if the text is as long as that. */
export function partOf(spot: Spot, from: bigint, to: bigint | undefined): Part {
  const before = `^${any(from, from)}`;
  const atEdge = edged(
    (given, start, end) => `${before}${start === '' ? '(?s:.*)' : ''}${literalOf(given)}${end}`,
  );
  const read: TextSource['read'] = (test, given) => {
    if (to !== undefined)
      return test === '_==_'
        ? BigInt(given.length) === to - from && `${before}${literalOf(given)}`
        : undefined;
    if (test === 'matches') {
      const rest = afterStart(given);
      return rest && `${before}(?:${rest})`;
    }
    return atEdge(test, given);
  };
  const sum = sumOf({ spot, isSize: true });
  const atMost: AtMost = (most) =>
    to === undefined ? { sum, most: most + from } : to - from <= most;
  return { source: { spot, read }, atMost };
}

/** One of the pieces between separators. */
export function pieceAt(spot: Spot, index: bigint, separator: string): Part {
  const piece = `[^${separator}]*`;
  const before = `^(?:${piece}${separator}){${index}}`;
  const after = `(?:${separator}|$)`;
  const inside = (start: string, given: string, end: string): string =>
    `${before}${start === '' ? piece : ''}${given}${end === '' ? '' : after}`;
  const test = edged((given, start, end) => {
    if (literalOf(given).includes(separator)) return false;
    return inside(start, literalOf(given), end);
  });
  const read: TextSource['read'] = (name, given) => {
    if (name !== 'matches') return test(name, given);
    const [start, pattern, end] = withoutAnchors(
      given,
      separator.codePointAt(separator.length - 1),
    );
    return pattern === undefined ? undefined : inside(start, `(?:${pattern})`, end);
  };
  const atMost: AtMost = (most) =>
    most < 0n
      ? false
      : most <= longestPiece
        ? { spot, pattern: `${before}[^${separator}]{0,${most}}${after}` }
        : undefined;
  return { source: { spot, read }, atMost };
}

/** A pattern with its anchors beside it; undefined where it has others, or matches a character across pieces. */
function withoutAnchors(
  pattern: string,
  separator = -1,
): readonly [start: string, pattern: string | undefined, end: string] {
  const start = pattern.startsWith('^') ? '^' : '';
  const end = /(?:^|[^\\])\$$/.test(pattern) ? '$' : '';
  const inner = pattern.slice(start.length, pattern.length - end.length);
  const isInside = (each: Pattern): boolean => {
    if (each.kind === 'set')
      return !each.set.some(([from, to]) => from <= separator && separator <= to);
    if ('parts' in each) return each.parts.every(isInside);
    return 'part' in each ? isInside(each.part) : each.kind === 'empty';
  };
  const tree = parsePattern(inner);
  const isSplit = tree?.kind === 'choice' && start + end !== '';
  return [start, tree && !isSplit && isInside(tree) ? inner : undefined, end];
}

/** Patterns do not count further. */
const longestPiece = 1_000n;

/** The text of a character that a pattern's set may hold. */
export const oneCharacter = /^(?:[\w ]|\\[./:,;=@|+#%&_])$/;

/** Decimal numbers up to one, without signs. */
function numeralsUpTo(most: bigint): string {
  const digits = [...String(most)];
  const asLong = digits.reduceRight((rest, digit, index) => {
    const after = digits.length - index - 1;
    const same = `${digit}${rest}`;
    return digit === '0' ? same : `(?:[0-${Number(digit) - 1}][0-9]{${after}}|${same})`;
  }, '');
  return digits.length === 1 ? `0*${asLong}` : `0*(?:[0-9]{1,${digits.length - 1}}|${asLong})`;
}

const longestInteger = 10n ** 17n;

/** The texts that `int` may take, and those that it surely takes. */
export const integerTexts = ['^[+-]?[0-9]+$', '^[+-]?0*[0-9]{1,18}$'] as const;

function textToInteger(spot: Spot): AtMost {
  return (most) =>
    most >= longestInteger || most < -longestInteger
      ? undefined
      : most >= 0n
        ? {
            any: [
              { spot, pattern: '^-' },
              { spot, pattern: `^[+]?${numeralsUpTo(most)}$` },
            ],
          }
        : {
            not: {
              any: [
                { not: { spot, pattern: '^-' } },
                { spot, pattern: `^-${numeralsUpTo(-most - 1n)}$` },
              ],
            },
          };
}

const quotient =
  (sum: Sum, by: bigint): AtMost =>
  (most) => ({ sum, most: most >= 0n ? by * most + by - 1n : by * most });

/** Units of a duration, in nanoseconds; upstream counts long ones in doubles. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['getSeconds', 1_000_000_000n],
  ['getMinutes', 60_000_000_000n],
  ['getHours', 3_600_000_000_000n],
]);
const longestExact = 10n ** 15n;

/** The order of two values, as `compareTo` gives it. */
const compared =
  (apart: Sum): AtMost =>
  (most) =>
    most >= 1n || (most >= -1n && { sum: apart, most });

/** The value of a call whose operands do not fail, and which does not fail either. */
export function derivedValue(
  node: Node & { kind: 'call' },
  key: string,
  [one, two, three]: readonly Value[],
): Value | undefined {
  const { name, target } = node;
  const of = (schema: SchemaNode, more: Partial<Spot>): Value => {
    const spot = derivedSpot(node, key, schema, more);
    return schema === integer || schema === double
      ? ofSum(sumOf({ spot, isSize: false }))
      : { fails: 'never', spot };
  };
  const [sum, other] = [one, two].map((each) => each && integerSum(each));
  if (one === undefined || three !== undefined) return undefined;
  if (sum !== undefined) {
    const { constant: by } = two ?? {};
    if (name === '_/_' && typeof by === 'bigint' && by > 0n)
      return of(integer, { atMost: quotient(sum, by) });
    const unit = target?.type?.kind === 'duration' ? units.get(name) : undefined;
    if (unit !== undefined) {
      const exact = quotient(sum, unit);
      const isShort = (most: bigint): boolean => (most < 0n ? -most : most) * unit < longestExact;
      return of(integer, { atMost: (most) => (isShort(most) ? exact(most) : undefined) });
    }
    if (name === 'compareTo' && other !== undefined)
      return of(integer, { atMost: compared(added(sum, other, -1n)) });
    if (name === 'sign') return of(integer, { atMost: compared(sum) });
    if (name === 'double' && node.args[0]?.type?.kind === 'int') {
      const floor = (most: bigint): number => Math.floor(doubleAt(most));
      return of(double, {
        atMost: (most) =>
          Number.isSafeInteger(floor(most)) ? { sum, most: BigInt(floor(most)) } : undefined,
      });
    }
    return undefined;
  }
  const { spot } = one;
  if (spot === undefined || !isText(spot) || (spot.source ?? spot.found) !== undefined)
    return undefined;
  if (name === 'int') return of(integer, { atMost: textToInteger(spot) });
  const made = texts.get(name);
  if (made !== undefined) return of(text, { source: { spot, ...made } });
  const given = two?.constant;
  if (!isPlainText(given) || given === '') return undefined;
  const sought = literalOf(given);
  const count = counts.get(name)?.(spot, sought);
  if (count !== undefined) return of(integer, { atMost: count });
  const pieces = { atMost: piecesIn(spot, sought), separated: { spot, by: sought } };
  return name === 'split' ? of(piecesOf, pieces) : undefined;
}

/** What golden rows have by minor: those in a row that answer alike are one range, `1.29-1.33`. */
import { sameJson } from '../golden/golden.js';
import type { JsonObject, JsonValue } from '../../src/text/documents/index.js';

type Ranges = JsonObject;

export function byRange(minors: readonly string[], answer: (minor: string) => JsonValue): Ranges {
  return minors.reduce<Ranges>((ranges, minor) => {
    const said = answer(minor);
    return withMinor(ranges, minor, said, (known) => sameJson(known, said));
  }, {});
}

export function ofMinor(ranges: Ranges, minor: string): JsonValue | undefined {
  const wanted = number(minor);
  const found = Object.entries(ranges).find(([range]) => {
    const [first, last] = boundsOf(range);
    return number(first) <= wanted && wanted <= number(last);
  });
  return found?.[1];
}

/** With the answer of a minor, which takes the place of the one that it has. */
export function withMinor(
  ranges: Ranges,
  minor: string,
  answer: JsonValue,
  isSame: (known: JsonValue) => boolean,
): Ranges {
  if (ofMinor(ranges, minor) !== undefined) {
    const split = Object.entries(ranges).flatMap(([range, known]): [string, JsonValue][] =>
      minorsBetween(...boundsOf(range)).map((each) => [each, each === minor ? answer : known]),
    );
    const answers = new Map(split);
    return byRange([...answers.keys()], (each) => answers.get(each) ?? null);
  }
  const entries = Object.entries(ranges);
  const last = entries.at(-1);
  if (last === undefined) return { [minor]: answer };
  const [first, end] = boundsOf(last[0]);
  if (number(end) + 1 !== number(minor) || !isSame(last[1])) return { ...ranges, [minor]: answer };
  return Object.fromEntries([...entries.slice(0, -1), [`${first}-${minor}`, last[1]]]);
}

function boundsOf(range: string): [first: string, last: string] {
  const [first = '', last = first] = range.split('-');
  return [first, last];
}

function minorsBetween(first: string, last: string): string[] {
  const count = number(last) - number(first) + 1;
  return Array.from({ length: count }, (_, index) => `1.${number(first) + index}`);
}

function number(minor: string): number {
  return Number(minor.split('.')[1]);
}

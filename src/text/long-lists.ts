/** For lists of any length, where a spread would end in a RangeError: a call takes some 100,000 arguments. */

export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

export function largest(numbers: readonly number[], min = -Infinity): number {
  return numbers.reduce((max, each) => Math.max(max, each), min);
}

export function smallest(numbers: readonly number[], max = Infinity): number {
  return numbers.reduce((min, each) => Math.min(min, each), max);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function* chained<Item>(...all: readonly Iterable<Item>[]): Generator<Item> {
  for (const each of all) yield* each;
}

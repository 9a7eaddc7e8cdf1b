/** For lists of any length, where a spread would end in a RangeError: a call takes some 100,000 arguments. */

export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

export function largest(numbers: readonly number[], least = -Infinity): number {
  return numbers.reduce((most, each) => Math.max(most, each), least);
}

export function smallest(numbers: readonly number[], most = Infinity): number {
  return numbers.reduce((least, each) => Math.min(least, each), most);
}

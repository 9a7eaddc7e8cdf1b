/** From how much to how much: unsigned integers of 64 bits, in which the largest stands for all above. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const most = 2n ** 64n - 1n;

export const unknown: Range = { min: 0n, max: most };

export function exactly(count: bigint | number): Range {
  return { min: BigInt(count), max: BigInt(count) };
}

export const nothing = exactly(0);
export const one = exactly(1);

const bounded = (value: bigint): bigint => (value > most ? most : value);

export function plus(...ranges: readonly Range[]): Range {
  let [min, max] = [0n, 0n];
  for (const range of ranges) {
    min = bounded(min + range.min);
    max = bounded(max + range.max);
  }
  return { min, max };
}

export function times(left: Range, right: Range): Range {
  return { min: bounded(left.min * right.min), max: bounded(left.max * right.max) };
}

/** Each end times the factor, rounded up, in the arithmetic of doubles. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: scaledOne(min, factor), max: scaledOne(max, factor) };
}

function scaledOne(count: bigint, factor: number): bigint {
  const product = Math.ceil(Number(count) * factor);
  return product >= 2 ** 64 ? most : BigInt(product);
}

export function union(left: Range, right: Range): Range {
  return {
    min: left.min < right.min ? left.min : right.min,
    max: left.max > right.max ? left.max : right.max,
  };
}

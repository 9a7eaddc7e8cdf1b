/** Ranges of costs and sizes, and the sizes that variables are declared with. */

/** Both ends included: unsigned integers of 64 bits, in which the largest stands for all above. */
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

export interface DeclaredSizes {
  /** Characters, bytes, items or entries; zero for values without a size. */
  readonly maxElements: bigint;
  readonly item?: DeclaredSizes;
  readonly key?: DeclaredSizes;
  readonly fields?: ReadonlyMap<string, DeclaredSizes>;
}

/**
 * From a variable through field names, `@items`, `@values` and `@keys`; empty where nothing is declared.
 *
 * cel-go grows paths as Go grows slices: two that were grown from the same one may share their last
 * names, and then the one that was grown later changes the other. Costs depend on it:
 * in `x.m[x.k]` the map is looked for under the name of its key.
 */
export class Path {
  private constructor(
    private readonly names: string[],
    private readonly capacity: number,
    readonly length: number,
  ) {}

  static readonly none = new Path([], 0, 0);

  static of(name: string): Path {
    return new Path([name], 1, 1);
  }

  with(name: string): Path {
    if (this.length < this.capacity) {
      this.names[this.length] = name;
      return new Path(this.names, this.capacity, this.length + 1);
    }
    const names = [...this.names.slice(0, this.length), name];
    return new Path(names, Math.max(1, 2 * this.capacity), this.length + 1);
  }

  /** The sizes declared at this path; the first name is the variable, whichever it is. */
  find(root: DeclaredSizes | undefined): DeclaredSizes | undefined {
    if (this.length === 0) return undefined;
    let found = root;
    for (let index = 1; index < this.length; index++) {
      const name = this.names[index] as string;
      if (name === '@items' || name === '@values') found = found?.item;
      else if (name === '@keys') found = found?.key;
      else found = found?.fields?.get(name);
    }
    return found;
  }
}

export function sizeOfDeclared(declared: DeclaredSizes | undefined): Range | undefined {
  return declared && { min: 0n, max: BigInt.asUintN(64, declared.maxElements) };
}

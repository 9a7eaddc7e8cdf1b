/** Lists of numbers by number, in the order in which they were added, without an array for each. */
export class NumberLists {
  private readonly heads: Int32Array;
  private readonly tails: Int32Array;
  private readonly values: number[] = [];
  private readonly followers: number[] = [];

  /** Keys are below `keys`. */
  constructor(keys: number) {
    this.heads = new Int32Array(keys).fill(-1);
    this.tails = new Int32Array(keys).fill(-1);
  }

  add(key: number, value: number): void {
    const cell = this.values.push(value) - 1;
    this.followers.push(-1);
    const tail = this.tails[key] ?? -1;
    if (tail < 0) this.heads[key] = cell;
    else this.followers[tail] = cell;
    this.tails[key] = cell;
  }

  /** The first cell of a key's list; negative at its end. */
  first(key: number): number {
    return this.heads[key] ?? -1;
  }

  next(cell: number): number {
    return this.followers[cell] ?? -1;
  }

  at(cell: number): number {
    return this.values[cell] ?? -1;
  }
}

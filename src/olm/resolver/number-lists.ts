export class NumberLists {
  private readonly heads: Int32Array;
  private readonly tails: Int32Array;
  private values: Int32Array;
  private followers: Int32Array;
  private cells = 0;

  /** Keys are below `keys`; `expected`: how many numbers there will be in all lists, at least. */
  constructor(keys: number, expected: number) {
    this.heads = new Int32Array(keys).fill(-1);
    this.tails = new Int32Array(keys).fill(-1);
    this.values = new Int32Array(expected);
    this.followers = new Int32Array(expected);
  }

  add(key: number, value: number): void {
    const cell = this.cells++;
    this.values = grown(this.values, cell);
    this.followers = grown(this.followers, cell);
    this.values[cell] = value;
    this.followers[cell] = -1;
    const tail = this.tails[key] ?? -1;
    if (tail < 0) this.heads[key] = cell;
    else this.followers[tail] = cell;
    this.tails[key] = cell;
  }

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

export function grown(numbers: Int32Array, index: number): Int32Array {
  if (index < numbers.length) return numbers;
  const larger = new Int32Array(Math.max(2 * numbers.length, index + 1, 16));
  larger.set(numbers);
  return larger;
}

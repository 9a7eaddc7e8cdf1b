/** Remembers the items of a source for later readers, and takes no more of them than needed. */
export class Remembered<Item> implements Iterable<Item> {
  private readonly known: Item[] = [];
  private readonly source: Iterator<Item>;

  constructor(source: Iterable<Item>) {
    this.source = source[Symbol.iterator]();
  }

  *first(most: number): Generator<Item> {
    let left = most;
    for (const item of this) {
      if (left-- <= 0) return;
      yield item;
    }
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let index = 0; ; index++) {
      if (index === this.known.length) {
        const next = this.source.next();
        if (next.done === true) return;
        this.known.push(next.value);
      }
      yield this.known[index] as Item;
    }
  }
}

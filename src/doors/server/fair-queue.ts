/** Waiting work in which everybody who asks gets a turn, however much somebody else has asked. */

/**
 * Who asks, the widest name first: a user, and under it each definition. Turns go round among users,
 * and each user's among its definitions.
 */
export type Asker = readonly string[];

export class FairQueue<Item> {
  readonly #items: Item[] = [];
  /** In the order of their turns. */
  readonly #lines = new Map<string, FairQueue<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(asker: Asker, item: Item): void {
    this.#size++;
    const [name, ...rest] = asker;
    if (name === undefined) {
      this.#items.push(item);
      return;
    }
    let line = this.#lines.get(name);
    if (line === undefined) this.#lines.set(name, (line = new FairQueue()));
    line.push(rest, item);
  }

  /** The oldest of whoever's turn it is. */
  shift(): Item | undefined {
    if (this.#size > 0) this.#size--;
    if (this.#items.length > 0) return this.#items.shift();
    for (const [name, line] of this.#lines) {
      const item = line.shift();
      this.#lines.delete(name);
      if (line.size > 0) this.#lines.set(name, line);
      return item;
    }
    return undefined;
  }

  /** False when it is not there. */
  remove(asker: Asker, item: Item): boolean {
    const [name, ...rest] = asker;
    const line = name === undefined ? undefined : this.#lines.get(name);
    const index = name === undefined ? this.#items.indexOf(item) : -1;
    if (index >= 0) this.#items.splice(index, 1);
    else if (line?.remove(rest, item) !== true) return false;
    if (name !== undefined && line?.size === 0) this.#lines.delete(name);
    this.#size--;
    return true;
  }

  /** Takes away the newest of whoever has most waiting: it is their load that is too much. */
  dropNewest(): Item | undefined {
    let [name, longest]: [string, FairQueue<Item> | undefined] = ['', undefined];
    for (const [each, line] of this.#lines) {
      if (line.size > (longest?.size ?? 0)) [name, longest] = [each, line];
    }
    if (this.#size > 0) this.#size--;
    if (longest === undefined || this.#items.length > longest.size) return this.#items.pop();
    const item = longest.dropNewest();
    if (longest.size === 0) this.#lines.delete(name);
    return item;
  }
}

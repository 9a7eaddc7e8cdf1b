/** Waiting work in which each requester gets a turn, however much another has asked. */

/** A user, and under it each definition. Turns go round among users, and each user's among its definitions. */
export type RequesterPath = readonly string[];

export class FairQueue<Item> {
  readonly #items: Item[] = [];
  readonly #lines = new Map<string, FairQueue<Item>>();
  #size = 0;
  #taken = 0;
  /** How many turns there were, and the last of them that was this asker's. */
  #turns = 0;
  #turn = 0;

  get size(): number {
    return this.#size;
  }

  /** How many turns come, at most, before that of what this asker would ask now. */
  ahead([name, ...rest]: RequesterPath): number {
    if (name === undefined) return this.#size;
    const line = this.#lines.get(name);
    const others = this.#lines.size - (line === undefined ? 0 : 1);
    return Math.min(this.#size, (1 + (line?.ahead(rest) ?? 0)) * (others + 1) - 1);
  }

  push(asker: RequesterPath, item: Item): void {
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

  /**
   * The oldest item of the requester whose turn it is: the one for whom least is being done, and among
   * equals the one whose last turn is longest ago. {@link finish} says when it is done.
   *
   * @param free slots that are free; no requester gets more than are left for others
   */
  shift(free = Infinity): Item | undefined {
    const item = this.#items.shift() ?? this.#shiftLine(free);
    if (item === undefined) return undefined;
    this.#size--;
    this.#taken++;
    return item;
  }

  #shiftLine(free: number): Item | undefined {
    const passed = new Set<FairQueue<Item>>();
    for (;;) {
      let next: FairQueue<Item> | undefined;
      for (const line of this.#lines.values()) {
        if (line.size === 0 || line.#taken >= free || passed.has(line)) continue;
        if (next === undefined || line.#isBefore(next)) next = line;
      }
      const item = next?.shift(free);
      if (next === undefined || item !== undefined) {
        if (next !== undefined) next.#turn = ++this.#turns;
        return item;
      }
      passed.add(next);
    }
  }

  finish([name, ...rest]: RequesterPath): void {
    this.#taken--;
    if (name === undefined) return;
    this.#lines.get(name)?.finish(rest);
    this.#forget(name);
  }

  remove([name, ...rest]: RequesterPath, item: Item): boolean {
    const index = name === undefined ? this.#items.indexOf(item) : -1;
    if (index >= 0) this.#items.splice(index, 1);
    else if (name === undefined || this.#lines.get(name)?.remove(rest, item) !== true) return false;
    this.#size--;
    if (name !== undefined) this.#forget(name);
    return true;
  }

  /** Drops the newest item of the requester with most waiting: it is their load that is too much. */
  dropNewest(): Item | undefined {
    if (this.#size === 0) return undefined;
    this.#size--;
    let longest: readonly [string, FairQueue<Item>] | undefined;
    for (const entry of this.#lines) {
      if (entry[1].size > (longest?.[1].size ?? 0)) longest = entry;
    }
    if (longest === undefined || this.#items.length > longest[1].size) return this.#items.pop();
    const item = longest[1].dropNewest();
    this.#forget(longest[0]);
    return item;
  }

  #isBefore(other: FairQueue<Item>): boolean {
    return this.#taken === other.#taken ? this.#turn < other.#turn : this.#taken < other.#taken;
  }

  #forget(name: string): void {
    const line = this.#lines.get(name);
    if (line?.size === 0 && line.#taken <= 0) this.#lines.delete(name);
  }
}

/** Values by key, found again by any of several properties in time that depends on the hits alone. */
export class MultiIndex<Value> {
  private readonly values = new Map<string, Value>();
  private readonly entries = new Map<string, Map<string, Value>>();

  /** @param properties names of indexes, each with the terms under which a value is found */
  constructor(private readonly properties: Readonly<Record<string, (value: Value) => string[]>>) {}

  set(key: string, value: Value): void {
    this.delete(key);
    this.values.set(key, value);
    for (const term of this.termsOf(value)) {
      let entry = this.entries.get(term);
      if (entry === undefined) this.entries.set(term, (entry = new Map<string, Value>()));
      entry.set(key, value);
    }
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    for (const term of this.termsOf(value)) {
      const entry = this.entries.get(term);
      entry?.delete(key);
      if (entry?.size === 0) this.entries.delete(term);
    }
  }

  get(property: string, terms: readonly string[]): Value[] {
    const found = new Map<string, Value>();
    for (const term of terms) {
      for (const [key, value] of this.entries.get(`${property} ${term}`) ?? [])
        found.set(key, value);
    }
    return [...found.values()];
  }

  all(): Value[] {
    return [...this.values.values()];
  }

  private termsOf(value: Value): string[] {
    return Object.entries(this.properties).flatMap(([property, terms]) =>
      terms(value).map((term) => `${property} ${term}`),
    );
  }
}

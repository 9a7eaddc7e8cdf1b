/** Maps that are literals, and what is made of them. Source: cel-go/common/types/map.go. */
import { attempt, equalLoosely } from './equal.js';
import { EvaluationError, Panic } from './errors.js';
import { goTypeOf, printed } from './printed.js';
import { CelMap, Duration, Opaque, Timestamp, TypeValue, Uint, type CelValue } from './values.js';

type Entry = readonly [key: CelValue, value: CelValue];

/** Keys of different types are different, but a number finds an equal one of another type. */
export class ValueMap extends CelMap {
  protected readonly entries = new Map<unknown, Entry>();

  /** @throws Panic for a key that Go cannot hash */
  constructor(entries: Iterable<Entry>) {
    super();
    for (const entry of entries) this.entries.set(hashOf(entry[0]), entry);
  }

  override get size(): number {
    return this.entries.size;
  }

  override find(key: CelValue): CelValue | undefined {
    if (this.size === 0) return undefined;
    for (const candidate of equalKeys(key)) {
      const found = this.entries.get(hashOf(candidate));
      if (found !== undefined) return found[1];
    }
    return undefined;
  }

  override keys(): CelValue[] {
    return [...this.entries.values()].map(([key]) => key);
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelMap) || this.size !== other.size) return false;
    return this.keys().every((key) => {
      const theirs = attempt(() => other.find(key));
      return theirs !== undefined && equalLoosely(this.find(key) as CelValue, theirs);
    });
  }
}

export class GrowingMap extends ValueMap {
  constructor() {
    super([]);
  }

  insert(key: CelValue, value: CelValue): void {
    this.entries.set(hashOf(key), [key, value]);
  }

  finished(): ValueMap {
    return new ValueMap(this.entries.values());
  }
}

/** The map with one more entry. @throws EvaluationError where it has the key */
export function withEntry(map: CelMap, key: CelValue, value: CelValue): CelMap {
  if (map.find(key) !== undefined) {
    throw new EvaluationError(`insert failed: key ${printed(key)} already exists`);
  }
  if (map instanceof GrowingMap) {
    map.insert(key, value);
    return map;
  }
  const entries = map.keys().map((known): Entry => [known, map.find(known) ?? null]);
  return new ValueMap([[key, value], ...entries]);
}

/** The hash by which Go's maps tell keys apart. @throws Panic */
export function hashOf(key: CelValue): unknown {
  if (key === null || typeof key === 'boolean') return key;
  if (typeof key === 'string') return key.startsWith('\0') ? `\0s${key}` : key;
  if (typeof key === 'bigint') return key;
  // NaN is no key that is found again.
  if (typeof key === 'number') return Number.isNaN(key) ? Symbol('NaN') : key;
  if (key instanceof Uint) return `\0u${key.value}`;
  if (key instanceof Duration) return `\0d${key.nanoseconds}`;
  if (key instanceof Timestamp) return `\0t${key.nanoseconds}/${key.offsetMinutes}`;
  if (key instanceof TypeValue) return `\0y${key.typeName}`;
  if (key instanceof Opaque && key.hash !== undefined) return key.hash;
  if (key instanceof Uint8Array || key instanceof Opaque) {
    throw new Panic(`runtime error: hash of unhashable type ${goTypeOf(key)}`);
  }
  return key;
}

/** The key, then equal numbers of the other integer types. */
function equalKeys(key: CelValue): readonly CelValue[] {
  if (typeof key === 'bigint') return key >= 0n ? [key, new Uint(key)] : [key];
  if (key instanceof Uint) return key.value < 2n ** 63n ? [key, key.value] : [key];
  if (typeof key !== 'number' || !Number.isInteger(key)) return [key];
  if (Math.abs(key) >= 2 ** 64) return [key];
  const integer = BigInt(key);
  return [
    key,
    ...(Math.abs(key) < 2 ** 63 ? [integer] : []),
    ...(key >= 0 ? [new Uint(integer)] : []),
  ];
}

/** Lists and maps as CEL values. Source: cel-go/common/types/{list,map}.go. */
import { spend } from './budget.js';
import { attempt, equal, equalLoosely } from './equal.js';
import { EvaluationError, noSuchOverload, Panic } from './errors.js';
import { printed, goTypeOf } from './printed.js';
import { typeNameOf } from './value-types.js';
import {
  CelList,
  Uint,
  type CelValue,
  CelMap,
  Duration,
  Opaque,
  Timestamp,
  TypeValue,
} from './values.js';

abstract class PlainList extends CelList {
  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      const [mine, theirs] = [attempt(() => this.at(index)), attempt(() => other.at(index))];
      if (!equalLoosely(mine, theirs)) return false;
    }
    return true;
  }

  override includes(value: CelValue): boolean {
    for (let index = 0; index < this.size; index++) {
      if (attempt(() => equal(value, this.at(index))) === true) return true;
    }
    return false;
  }

  override plus(other: CelValue): CelList {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (this.size === 0) return other;
    return other.size === 0 ? this : new Concatenation(this, other);
  }
}

class ValueList extends PlainList {
  constructor(readonly values: readonly CelValue[]) {
    super();
  }

  override get size(): number {
    return this.values.length;
  }

  override at(index: number): CelValue {
    const value = this.values[index];
    if (value === undefined) {
      throw new EvaluationError(`index '${index}' out of range in list size '${this.size}'`);
    }
    return value;
  }
}

/** The accumulator of a comprehension: adding to it changes it. */
export class GrowingList extends ValueList {
  private readonly growing: CelValue[];

  constructor() {
    const values: CelValue[] = [];
    super(values);
    this.growing = values;
  }

  override plus(other: CelValue): CelList {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (other instanceof ValueList && other !== this) {
      spend(other.size);
      for (const value of other.values) this.growing.push(value);
    } else for (const value of [...other.items()]) this.growing.push(value);
    return this;
  }

  finished(): ValueList {
    return new ValueList(this.growing);
  }
}

class Concatenation extends PlainList {
  override readonly size: number;

  constructor(
    private readonly first: CelList,
    private readonly second: CelList,
  ) {
    super();
    this.size = first.size + second.size;
  }

  override at(index: number): CelValue {
    const { size } = this.first;
    return index < size ? this.first.at(index) : this.second.at(index - size);
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    let failure: EvaluationError | undefined;
    for (let index = 0; index < this.size; index++) {
      const same = attempt(() => equal(this.at(index), other.at(index)));
      if (same === false) return false;
      if (same instanceof EvaluationError) failure ??= same;
    }
    if (failure !== undefined) throw failure;
    return true;
  }

  override includes(value: CelValue): boolean {
    const found = attempt(() => this.first.includes(value));
    if (found === true || this.second.includes(value)) return true;
    if (found instanceof EvaluationError) throw found;
    return false;
  }
}

export function listOf(values: readonly CelValue[]): CelList {
  return new ValueList(values);
}

/** The place that a value names in any list. @throws EvaluationError for what is no index */
export function indexOf(index: CelValue): number {
  if (typeof index === 'bigint') return Number(index);
  const number = index instanceof Uint ? Number(index.value) : index;
  if (typeof number !== 'number') {
    throw new EvaluationError(`unsupported index type '${typeNameOf(index)}' in list`);
  }
  const isWhole = Number.isInteger(number) && Math.abs(number) < 2 ** 63;
  if (isWhole) return number;
  throw new EvaluationError(`unsupported index value ${printed(index)} in list`);
}

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

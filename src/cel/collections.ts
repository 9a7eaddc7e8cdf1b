/** Equality, and lists and maps as values. Source: cel-go/common/types/{compare,list,map,util}.go. */
import {
  spend,
  EvaluationError,
  noSuchOverload,
  Panic,
  printed,
  goTypeOf,
  typeNameOf,
  CelList,
  Uint,
  type CelValue,
  CelMap,
  Duration,
  Opaque,
  Timestamp,
  TypeValue,
  spendOnText,
  Optional,
} from './values.js';
import { compareValues } from '../text/group.js';

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

/** @throws EvaluationError */
export function equal(left: CelValue, right: CelValue): boolean {
  return right === null ? left === null : isEqualTo(left, right);
}

/** The same as the left value has it, which need not know null. @throws EvaluationError */
export function isEqualTo(left: CelValue, right: CelValue): boolean {
  spend(1);
  if (left === null) return right === null;
  switch (typeof left) {
    case 'boolean':
      return left === right;
    case 'string':
      if (typeof right !== 'string' || left.length !== right.length) return false;
      spendOnText(left.length);
      return left === right;
    case 'bigint':
      return typeof right === 'bigint' ? left === right : sameNumber(left, right);
    case 'number':
      return sameNumber(left, right);
    default:
      break;
  }
  if (left instanceof Uint) return sameNumber(left, right);
  if (left instanceof CelList || left instanceof CelMap) return left.equals(right);
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && left.typeName === right.typeName;
  }
  if (left instanceof Optional) return sameOptional(left, right);
  return left.equals(right);
}

function sameOptional(left: Optional, right: CelValue): boolean {
  if (!(right instanceof Optional)) return false;
  const [one, other] = [left.value, right.value];
  if (one === undefined || other === undefined) return one === other;
  return isEqualTo(one, other);
}

function sameNumber(left: bigint | number | Uint, right: CelValue): boolean {
  if (!isNumber(right) || Number.isNaN(left) || Number.isNaN(right)) return false;
  return compareNumbers(left, right) === 0;
}

export function isNumber(value: CelValue): value is bigint | number | Uint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** A double and an integer are compared as doubles, however many integers that makes equal. */
export function compareNumbers(
  left: bigint | number | Uint,
  right: bigint | number | Uint,
): number {
  const one = left instanceof Uint ? left.value : left;
  const other = right instanceof Uint ? right.value : right;
  if (typeof one === typeof other) return compareValues(one, other);
  return compareValues(Number(one), Number(other));
}

export function attempt<Value, Given = undefined>(
  read: (given: Given) => Value,
  given?: Given,
): Value | EvaluationError {
  try {
    return read(given as Given);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** The same for a value that may not be read: that is equal to nothing, and resources fail over it. */
export function isEqualToRead(left: CelValue, right: CelValue | EvaluationError): boolean {
  if (!(right instanceof EvaluationError)) return isEqualTo(left, right);
  const isCollection = left instanceof CelList || left instanceof CelMap;
  if (isCollection && left.isOfResource) throw right;
  return false;
}

/** Whether two items are equal to a list or map that is a literal: what cannot be compared passes. */
function equalLoosely(
  left: CelValue | EvaluationError,
  right: CelValue | EvaluationError,
): boolean {
  if (left instanceof EvaluationError) return true;
  if (right instanceof EvaluationError) {
    const isCollection = left instanceof CelList || left instanceof CelMap;
    return left instanceof Opaque || (isCollection && left.isOfResource);
  }
  return attempt(() => equal(left, right)) !== false;
}

/**
 * Lists of a resource. Their items are converted when they are read; how a list compares and what is
 * added to it is decided by the list type of its schema.
 *
 * Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
import {
  CelList,
  CelMap,
  type CelValue,
  Duration,
  EvaluationError,
  Panic,
  Timestamp,
  TypeValue,
  Uint,
  attempt,
  isEqualTo,
  isEqualToRead,
  noSuchOverload,
  spend,
} from '../../../cel/index.js';
import { NumberText, type JsonObject, own } from '../../../text/documents/index.js';
import { typeName } from '../../../text/go/index.js';
import { identity } from '../equality.js';
import type { SchemaNode } from '../schema.js';
import { escapeName } from './field-names.js';

/** A value that no JSON has: a time, bytes, a literal, an item that cannot be read. */
export class Foreign {
  constructor(readonly value: CelValue | EvaluationError) {}

  get typeName(): string {
    const { value } = this;
    if (value === null) return 'structpb.NullValue';
    if (value instanceof Uint8Array) return '[]uint8';
    if (value instanceof Uint) return 'uint64';
    if (value instanceof Timestamp) return 'time.Time';
    if (value instanceof Duration) return 'time.Duration';
    if (value instanceof CelList) return '[]ref.Val';
    if (value instanceof CelMap) return 'map[ref.Val]ref.Val';
    return value instanceof EvaluationError ? '*errors.errorString' : 'ref.Val';
  }

  /** The same for equal values, where Go has an equality for them. */
  get identity(): unknown {
    const { value } = this;
    if (value === null) return this.typeName;
    if (value instanceof Uint) return `u${value.value}`;
    if (value instanceof Duration) return `d${value.nanoseconds}`;
    if (value instanceof Timestamp) return `t${value.nanoseconds} ${value.offsetMinutes}`;
    return this;
  }
}

export type Plain =
  null | boolean | number | string | NumberText | JsonObject | Foreign | readonly Plain[];

export function plainOf(value: CelValue | EvaluationError): Plain {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      return Number.isInteger(value) ? new NumberText(`${value}.0`) : value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : new NumberText(String(value));
    default:
      break;
  }
  if (value instanceof TypeValue) return value.typeName;
  return value !== null && isFromJson(value) ? value.plain : new Foreign(value);
}

function isFromJson(value: object): value is { readonly plain: Plain } {
  return 'plain' in value;
}

export function isPlainList(plain: Plain): plain is readonly Plain[] {
  return Array.isArray(plain);
}

export function isPlainObject(plain: Plain): plain is JsonObject {
  if (typeof plain !== 'object' || plain === null) return false;
  return !(plain instanceof NumberText) && !(plain instanceof Foreign) && !isPlainList(plain);
}

/** How many values there are within. */
export function countOf(plain: Plain): number {
  const left = [plain];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    count++;
    const within = isPlainList(next) ? next : isPlainObject(next) ? Object.values(next) : [];
    for (const item of within) left.push(item);
  }
  return count;
}

/** `%T`. */
export function plainTypeName(plain: Plain): string {
  if (plain instanceof Foreign) return plain.typeName;
  return isPlainList(plain) ? '[]interface {}' : typeName(plain);
}

/** @param isInEmpty Go finds nothing in an empty map without hashing @throws Panic for what cannot be a key */
function hashOf(plain: Plain, isInEmpty = false): unknown {
  const type = plainTypeName(plain);
  if (/^(?:\[|map)/.test(type)) {
    throw new Panic(
      isInEmpty
        ? `hash of unhashable type: ${type}`
        : `runtime error: hash of unhashable type ${type}`,
    );
  }
  return plain instanceof Foreign ? plain.identity : identity(plain as JsonObject);
}

/** How items become values. */
export interface Reader {
  /** @throws EvaluationError for data that does not fit its schema */
  readonly read: (plain: Plain) => CelValue;
  readonly readWithoutSchema: (plain: Plain) => CelValue;
}

export class ResourceList extends CelList {
  override get isOfResource(): boolean {
    return true;
  }

  constructor(
    readonly plain: readonly Plain[],
    protected readonly schema: SchemaNode,
    protected readonly reader: Reader,
  ) {
    super();
  }

  override get size(): number {
    return this.plain.length;
  }

  override at(index: number): CelValue {
    return this.read(this.plain[index] as Plain);
  }

  override includes(value: CelValue): boolean {
    let failure: EvaluationError | undefined;
    for (let index = 0; index < this.size; index++) {
      const same = attempt(() => isEqualTo(this.at(index), value));
      if (same === true) return true;
      if (same instanceof EvaluationError) failure ??= same;
    }
    if (failure !== undefined) throw failure;
    return false;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      if (
        !isEqualToRead(
          this.at(index),
          attempt(() => other.at(index)),
        )
      )
        return false;
    }
    return true;
  }

  /** Reads added items by the schema of this list's items. */
  override plus(other: CelValue): CelList {
    spend(this.size);
    return new ResourceList([...this.plain, ...plainItems(other)], this.schema, this.reader);
  }

  override withoutSchema(): CelList {
    return this.reader.readWithoutSchema(this.plain) as CelList;
  }

  protected read(plain: Plain): CelValue {
    return this.reader.read(plain);
  }
}

/** Equal in any order; adding to it unites. */
export class ResourceSet extends ResourceList {
  private hashes: Set<unknown> | undefined;

  override equals(other: CelValue): boolean {
    const items = plainItems(other);
    if (this.size !== items.length) return false;
    const mine = this.hashed();
    return items.every((item) => mine.has(hashOf(item, mine.size === 0)));
  }

  /** Upstream enters what is added into the left list's set too: the next union with it leaves it out. */
  override plus(other: CelValue): CelList {
    const items = plainItems(other);
    spend(this.size);
    const united = [...this.plain];
    const known = this.hashed();
    for (const item of items) {
      const hash = hashOf(item, known.size === 0);
      if (known.has(hash)) continue;
      known.add(hash);
      united.push(item);
    }
    return new ResourceSet(united, this.schema, this.reader);
  }

  private hashed(): Set<unknown> {
    if (this.hashes === undefined) {
      // Upstream's set stays as far as it was filled when a value cannot enter it.
      this.hashes = new Set();
      for (const item of this.plain) this.hashes.add(hashOf(item));
    }
    return this.hashes;
  }
}

/** Equal in any order; an item that is added takes the place of the one with its keys. */
export class ResourceMapList extends ResourceList {
  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    spend(this.size);
    const mine = new Map(this.plain.map((item) => [this.keyOf(item), item]));
    for (let index = 0; index < other.size; index++) {
      const theirs = attempt(() => other.at(index));
      const item = mine.get(this.keyOf(plainOf(theirs), mine.size === 0));
      if (item === undefined || !isEqualToRead(this.read(item), theirs)) return false;
    }
    return true;
  }

  override plus(other: CelValue): CelList {
    const added = plainItems(other);
    spend(this.size);
    const merged = [...this.plain];
    const places = new Map(merged.map((item, index) => [this.keyOf(item), index]));
    for (const item of added) {
      const place = places.get(this.keyOf(item, places.size === 0));
      if (place === undefined) merged.push(item);
      else merged[place] = item;
    }
    return new ResourceMapList(merged, this.schema, this.reader);
  }

  /** An item that is no object equals no other item. */
  private keyOf(item: Plain, isInEmpty = false): unknown {
    if (!isPlainObject(item)) return Symbol('no object');
    // Upstream looks for the escaped name among names that are not.
    const values = this.schema.listMapKeys.map((key) => own(item, escapeName(key) ?? key) ?? null);
    // More keys than these are put into a text.
    if (values.length > maxHashedKeys) return values.map(identity).join('\0');
    return values.map((value) => hashOf(value, isInEmpty)).join('\0');
  }
}

const maxHashedKeys = 3;

/** @throws EvaluationError for what is no list */
function plainItems(list: CelValue): Plain[] {
  if (!(list instanceof CelList)) throw noSuchOverload();
  spend(list.size);
  return Array.from({ length: list.size }, (_, index) => plainOf(attempt(() => list.at(index))));
}

/** Lists: literals, and lists of an object with the list type of their schema. */
import { isObject, own, type JsonValue } from '../text/documents/index.js';
import { identity } from '../apiserver/equality.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { equal } from './equal.js';
import { EvaluationError, Panic } from './errors.js';
import { fromJson, toJson } from './from-json.js';
import { readable } from './maps.js';
import type { CelValue } from './values.js';

export abstract class CelList {
  abstract readonly size: number;
  abstract at(index: number): CelValue;
  abstract equals(other: CelList): boolean;
  abstract plus(other: CelList): CelList;

  *items(): Generator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  includes(value: CelValue): boolean {
    for (let index = 0; index < this.size; index++) {
      if (equal(this.at(index), value)) return true;
    }
    return false;
  }

  protected equalsInOrder(other: CelList): boolean {
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      if (!equal(this.at(index), other.at(index))) return false;
    }
    return true;
  }
}

export class ValueList extends CelList {
  constructor(private readonly values: readonly CelValue[]) {
    super();
  }

  override get size(): number {
    return this.values.length;
  }

  override at(index: number): CelValue {
    return this.values[index] as CelValue;
  }

  override equals(other: CelList): boolean {
    if (this.size !== other.size) return false;
    return this.values.every((mine, index) => {
      const theirs = readable(() => other.at(index));
      return theirs !== undefined && equal(mine, theirs);
    });
  }

  override plus(other: CelList): CelList {
    return new ValueList([...this.values, ...other.items()]);
  }
}

/** A list of an object, without regard to order where its schema says set or map. */
export class JsonList extends CelList {
  private keys: Set<string> | undefined;

  constructor(
    private readonly values: readonly JsonValue[],
    private readonly schema: SchemaNode,
    private readonly itemSchema: SchemaNode,
  ) {
    super();
  }

  override get size(): number {
    return this.values.length;
  }

  override at(index: number): CelValue {
    return fromJson(this.values[index] as JsonValue, this.itemSchema);
  }

  override equals(other: CelList): boolean {
    if (this.schema.listType === 'set') return this.equalsSet(other);
    if (this.schema.listType !== 'map') return this.equalsInOrder(other);
    if (this.size !== other.size) return false;
    const mine = this.byKey();
    for (let index = 0; index < other.size; index++) {
      const match = mine.get(this.keyAt(other, index, mine.size) ?? '');
      if (match === undefined || !equal(fromJson(match, this.itemSchema), other.at(index))) {
        return false;
      }
    }
    return true;
  }

  /** Sets unite, maps merge by key, other lists are put one after the other. */
  override plus(other: CelList): CelList {
    if (this.schema.listType === 'set') return this.unite(other);
    if (this.schema.listType !== 'map') return new Concatenated(this, other);
    const merged = this.byKey();
    for (let index = 0; index < other.size; index++) {
      const key = this.keyAt(other, index, merged.size);
      if (key === undefined) merged.set(`unreadable ${index}`, null);
      else merged.set(key, toJson(other.at(index)));
    }
    return new JsonList([...merged.values()], this.schema, this.itemSchema);
  }

  /** The list behind. */
  get json(): JsonValue {
    return [...this.values];
  }

  private equalsSet(other: CelList): boolean {
    if (this.size !== other.size) return false;
    const mine = this.keysOfSet();
    for (let index = 0; index < other.size; index++) {
      const key = this.keyAt(other, index, mine.size);
      if (key === undefined || !mine.has(key)) return false;
    }
    return true;
  }

  /**
   * Upstream enters what is added into the set of the left list, too: the next union with the same
   * list leaves it out, and equality counts it as there.
   */
  private unite(other: CelList): CelList {
    const united = [...this.values];
    const keys = this.keysOfSet();
    for (let index = 0; index < other.size; index++) {
      const key = this.keyAt(other, index, keys.size);
      if (key !== undefined && keys.has(key)) continue;
      if (key !== undefined) keys.add(key);
      united.push(key === undefined ? null : toJson(other.at(index)));
    }
    return new JsonList(united, this.schema, this.itemSchema);
  }

  /** Undefined for an item that cannot be read: it is equal to nothing, and still an item. */
  private keyAt(list: CelList, index: number, known: number): string | undefined {
    const item = readable(() => list.at(index));
    // Go finds nothing in an empty map without hashing, and words it differently.
    return item === undefined ? undefined : this.keyOf(toJson(item), known === 0);
  }

  private keysOfSet(): Set<string> {
    if (this.keys === undefined) {
      // Upstream's set stays as far as it was filled when a value cannot enter it.
      this.keys = new Set();
      for (const value of this.values) this.keys.add(this.keyOf(value));
    }
    return this.keys;
  }

  private byKey(): Map<string, JsonValue> {
    return new Map(this.values.map((value) => [this.keyOf(value), value]));
  }

  /** @throws Panic for a value that Go cannot use as a key of a map */
  private keyOf(value: JsonValue, isLookUp = false): string {
    const { listType, listMapKeys } = this.schema;
    if (listType === 'set') return hashed(value, isLookUp);
    if (!isObject(value)) return identity(value);
    // More keys than these are put into a text.
    const keyOf = listMapKeys.length > mostHashedKeys ? identity : hashed;
    return listMapKeys.map((key) => keyOf(own(value, key) ?? null, isLookUp)).join('\0');
  }
}

const mostHashedKeys = 3;

function hashed(value: JsonValue, isLookUp: boolean): string {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return identity(value);
  const type = isList ? '[]interface {}' : 'map[string]interface {}';
  throw new Panic(
    isLookUp
      ? `hash of unhashable type: ${type}`
      : `runtime error: hash of unhashable type ${type}`,
  );
}

/**
 * What `+` makes of a plain list of an object. Upstream appends the other list's items as they are
 * and then fails to read them: only the length and the items of the first list can be used.
 */
class Concatenated extends CelList {
  constructor(
    private readonly first: JsonList,
    private readonly second: CelList,
  ) {
    super();
  }

  override get size(): number {
    return this.first.size + this.second.size;
  }

  override at(index: number): CelValue {
    if (index < this.first.size) return this.first.at(index);
    return this.second.at(index - this.first.size);
  }

  override equals(other: CelList): boolean {
    return this.equalsInOrder(other);
  }

  override plus(other: CelList): CelList {
    return new ValueList([...this.items(), ...other.items()]);
  }
}

/** `list[index]`. @throws EvaluationError out of bounds */
export function itemAt(list: CelList, index: CelValue): CelValue {
  const place = placeOf(index);
  if (place < 0 || place >= list.size) {
    throw new EvaluationError(`index out of bounds: ${typeof index === 'bigint' ? index : place}`);
  }
  return list.at(place);
}

function placeOf(index: CelValue): number {
  if (typeof index === 'bigint') return Number(index);
  if (typeof index === 'number' && Number.isInteger(index)) return index;
  if (
    typeof index === 'object' &&
    index !== null &&
    'value' in index &&
    typeof index.value === 'bigint'
  ) {
    return Number(index.value);
  }
  throw new EvaluationError('unsupported index value in list');
}

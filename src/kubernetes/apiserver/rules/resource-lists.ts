/**
 * Lists of a resource. Their items are converted when they are read; how a list compares and what is
 * added to it is decided by the list type of its schema.
 *
 * Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
import {
  attempt,
  CelList,
  type CelValue,
  EvaluationError,
  isEqualTo,
  isEqualToRead,
  noSuchOverload,
  spend,
} from '../../../cel/index.js';
import { own } from '../../../text/documents/index.js';
import { identity } from '../equality.js';
import type { SchemaNode } from '../schema.js';
import { escapeName } from './escaping.js';
import { hashOf, isPlainObject, plainOf, type Plain } from './plain-value.js';

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

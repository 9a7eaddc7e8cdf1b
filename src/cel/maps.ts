/** Maps: literals, and objects with the fields or the additionalProperties of their schema. */
import { own, type JsonObject } from '../text/documents/index.js';
import { sameValue } from '../apiserver/equality.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { equal } from './equal.js';
import { EvaluationError, noSuchOverload } from './errors.js';
import { escapeName, unescapeName } from './escaping.js';
import { fromJson } from './from-json.js';
import { Uint, type CelValue } from './values.js';

export abstract class CelMap {
  abstract readonly size: number;
  /** The value of a key, undefined where there is none. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): CelValue[];
  abstract equals(other: CelMap): boolean;

  /** @throws EvaluationError also for a value that does not fit its schema */
  has(key: CelValue): boolean {
    return this.find(key) !== undefined;
  }
}

export class ValueMap extends CelMap {
  private readonly entries = new Map<string, readonly [CelValue, CelValue]>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    for (const [key, value] of entries) this.entries.set(keyText(key), [key, value]);
  }

  override get size(): number {
    return this.entries.size;
  }

  override find(key: CelValue): CelValue | undefined {
    return this.entries.get(keyText(key))?.[1];
  }

  override keys(): CelValue[] {
    return [...this.entries.values()].map(([key]) => key);
  }

  override equals(other: CelMap): boolean {
    if (this.size !== other.size) return false;
    return this.keys().every((key) => {
      const theirs = readable(() => other.find(key));
      return theirs !== undefined && equal(this.find(key) as CelValue, theirs);
    });
  }
}

/** Undefined for what cannot be read: to a value without a schema it is just another value. */
export function readable(read: () => CelValue | undefined): CelValue | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** Numbers that are equal are the same key whatever their type. */
function keyText(key: CelValue): string {
  if (typeof key === 'string') return `s${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'bigint' || typeof key === 'boolean')
    return `${typeof key === 'bigint' ? 'n' : 'b'}${key}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `n${key}`;
  throw noSuchOverload();
}

/**
 * An object of the resource. With properties in its schema it has fields, under escaped names, and
 * a null in a field counts as absent; with additionalProperties it is a map.
 */
export class JsonMap extends CelMap {
  constructor(
    private readonly object: JsonObject,
    private readonly schema: SchemaNode,
  ) {
    super();
  }

  override get size(): number {
    return Object.keys(this.object).length;
  }

  private get hasFields(): boolean {
    return this.schema.properties !== undefined;
  }

  private schemaOf(name: string): SchemaNode | undefined {
    if (this.hasFields || this.schema.embeddedResource) return this.schema.properties?.get(name);
    return this.schema.additionalProperties?.schema;
  }

  private place(key: CelValue): { name: string; schema: SchemaNode } | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const name = this.hasFields ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(this.object, name)) return undefined;
    if (this.hasFields && this.object[name] === null) return undefined;
    const schema = this.schemaOf(name);
    return schema === undefined ? undefined : { name, schema };
  }

  override find(key: CelValue): CelValue | undefined {
    const place = this.place(key);
    return place && fromJson(this.object[place.name] ?? null, place.schema);
  }

  override keys(): CelValue[] {
    return Object.keys(this.object)
      .filter((name) => this.schemaOf(name) !== undefined)
      .map((name) => (this.hasFields ? (escapeName(name) ?? name) : name));
  }

  override equals(other: CelMap): boolean {
    if (this.size !== other.size) return false;
    return Object.keys(this.object).every((name) => {
      if (this.schemaOf(name) !== undefined) return this.sameField(name, other);
      // Fields without a schema are compared as they are, and only where both have them.
      if (!(other instanceof JsonMap)) throw noSuchOverload();
      const theirs = own(other.object, name);
      return theirs === undefined || sameValue(own(this.object, name) ?? null, theirs);
    });
  }

  private sameField(name: string, other: CelMap): boolean {
    const mine = this.find(name);
    const theirs = other.find(name);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return equal(mine, theirs);
  }

  /** The object behind. */
  get json(): JsonObject {
    return this.object;
  }
}

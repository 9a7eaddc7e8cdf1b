/**
 * An object of a resource. With properties in its schema it has fields, under escaped names, and a
 * null in a field counts as absent; with additionalProperties it is a map.
 *
 * Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
import {
  attempt,
  CelMap,
  type CelValue,
  isEqualToRead,
  noSuchOverload,
  spend,
} from '../../../cel/index.js';
import { own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { sameValue } from '../equality.js';
import type { SchemaNode } from '../schema.js';
import { escapeName, unescapeName } from './escaping.js';
import { countOf } from './plain-value.js';
import type { Reader } from './resource-lists.js';

export class ResourceMap extends CelMap {
  override readonly isOfResource = true;

  constructor(
    readonly plain: JsonObject,
    private readonly schema: SchemaNode,
    private readonly reader: Reader,
  ) {
    super();
  }

  override get size(): number {
    return Object.keys(this.plain).length;
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const name = this.hasFields ? unescapeName(key) : key;
    const value = name === undefined ? undefined : own(this.plain, name);
    if (name === undefined || value === undefined) return undefined;
    if (this.hasFields && value === null) return undefined;
    const schema = this.schemaOf(name);
    return schema && this.reader.read(value, schema);
  }

  override keys(): CelValue[] {
    return Object.keys(this.plain)
      .filter((name) => this.schemaOf(name) !== undefined)
      .map((name) => (this.hasFields ? (escapeName(name) ?? name) : name));
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelMap)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    return Object.keys(this.plain).every((name) => {
      if (this.schemaOf(name) !== undefined) return this.hasSame(name, other);
      // Fields without a schema are compared as they are, and only where both have them.
      if (!(other instanceof ResourceMap)) throw noSuchOverload();
      const theirs = own(other.plain, name);
      if (theirs === undefined) return true;
      spend(countOf(theirs));
      return sameValue(own(this.plain, name) as JsonValue, theirs);
    });
  }

  override withoutSchema(): CelMap {
    return this.reader.readWithoutSchema(this.plain) as CelMap;
  }

  private get hasFields(): boolean {
    return (this.schema.properties?.size ?? 0) > 0;
  }

  private schemaOf(name: string): SchemaNode | undefined {
    if (this.hasFields || this.schema.embeddedResource) return this.schema.properties?.get(name);
    return this.schema.additionalProperties?.schema;
  }

  private hasSame(name: string, other: CelMap): boolean {
    const mine = this.find(name);
    const theirs = attempt(() => other.find(name));
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return isEqualToRead(mine, theirs);
  }
}

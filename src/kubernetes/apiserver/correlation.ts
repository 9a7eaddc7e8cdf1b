/** For ratcheting of unchanged values. Source: k8s.io/apiserver/pkg/cel/common/{equality,maplist}.go. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { sameValue } from './equality.js';
import type { SchemaNode } from './schema.js';
import { float64Of, int64Of, isNumber, quote } from '../../text/go/index.js';

export class Correlated {
  private equal: boolean | undefined;
  private oldItems: ListMap | undefined;
  private readonly children = new Map<string | number, Correlated>();

  constructor(
    readonly value: JsonValue,
    readonly old: JsonValue,
    private readonly schema: SchemaNode,
  ) {}

  /** The field's value and its old one; undefined where there is none to compare with. */
  key(name: string): Correlated | undefined {
    const existing = this.children.get(name);
    if (existing !== undefined) return existing;
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const value = own(this.value, name);
    const old = own(this.old, name);
    const schema = this.schema.properties?.get(name) ?? this.schema.additionalProperties?.schema;
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    return this.remember(name, new Correlated(value, old, schema));
  }

  /** An item of a list of type map, found again by its keys; other lists have no single old item. */
  index(index: number): Correlated | undefined {
    const existing = this.children.get(index);
    if (existing !== undefined) return existing;
    if (!Array.isArray(this.value) || !Array.isArray(this.old)) return undefined;
    const value = this.value[index];
    if (value === undefined || this.schema.listType !== 'map') return undefined;
    this.oldItems ??= new ListMap(this.schema, this.old);
    const old = this.oldItems.get(value);
    if (old === undefined || this.schema.items === undefined) return undefined;
    return this.remember(index, new Correlated(value, old, this.schema.items));
  }

  /** Equal, where items of map lists may have changed places. */
  isUnchanged(): boolean {
    return (this.equal ??= this.compare());
  }

  private remember(key: string | number, child: Correlated): Correlated {
    this.children.set(key, child);
    return child;
  }

  private compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) return this.compareLists(value, old);
    if (isObject(value) && isObject(old)) {
      const keys = Object.keys(value);
      if (keys.length !== Object.keys(old).length) return false;
      return keys.every((key) => this.key(key)?.isUnchanged() === true);
    }
    return sameValue(value, old);
  }

  private compareLists(value: JsonValue[], old: JsonValue[]): boolean {
    if (value.length !== old.length) return false;
    for (let index = 0; index < value.length; index++) {
      const item = this.index(index);
      if (item === undefined) return this.oldItems === undefined && sameValue(value, old);
      if (!item.isUnchanged()) return false;
    }
    return true;
  }
}

/** Look-up by key in the old items of a list of type map: the first item with the key counts. */
export class ListMap {
  private readonly items = new Map<string, JsonObject>();

  constructor(
    private readonly schema: SchemaNode,
    items: readonly JsonValue[],
  ) {
    if (schema.type !== 'array' || schema.listType !== 'map') return;
    for (const item of items) {
      const key = isObject(item) ? this.keyOf(item) : undefined;
      if (key !== undefined && !this.items.has(key)) this.items.set(key, item as JsonObject);
    }
  }

  get(item: JsonValue): JsonObject | undefined {
    const key = isObject(item) ? this.keyOf(item) : undefined;
    return key === undefined ? undefined : this.items.get(key);
  }

  private keyOf(item: JsonObject): string | undefined {
    if (this.schema.listMapKeys.length === 0) return undefined;
    let text = '';
    for (const name of this.schema.listMapKeys) {
      const part = scalarKey(own(item, name), this.schema.listMapKeys.length > 1);
      if (part === undefined) return undefined;
      text += `\0${part}`;
    }
    return text;
  }
}

/** Several keys are joined as text, in which floats have six decimals and types are forgotten. */
function scalarKey(value: JsonValue | undefined, joined: boolean): string | undefined {
  if (typeof value === 'boolean') return joined ? String(value) : `b${value}`;
  if (typeof value === 'string') return joined ? quote(value) : `s${value}`;
  if (value === undefined || !isNumber(value)) return undefined;
  const integer = int64Of(value);
  if (joined) return integer === undefined ? float64Of(value).toFixed(6) : String(integer);
  return integer === undefined ? `f${float64Of(value)}` : `i${integer}`;
}

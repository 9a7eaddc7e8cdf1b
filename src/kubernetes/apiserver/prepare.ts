/**
 * Changes that a write makes to an object before it is judged: unknown fields are pruned, nulls that may
 * not be null are dropped, embedded metadata is decoded, defaults are set. Nothing is changed in place;
 * an object that needs no change is returned as it is.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{pruning,defaulting,objectmeta}.
 */
import {
  defineOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { coerceEmbedded } from './extensions.js';
import { child as childPath } from './field-error.js';
import type { SchemaNode } from './schema.js';

/** `skip` keeps unknown fields of this value and of list items in it; `keep` of the whole subtree. */
type Mode = 'prune' | 'skip' | 'keep';

const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/** The root's type and object metadata stay. @throws BadRequest when embedded metadata cannot be decoded */
export function pruneRoot(value: JsonObject, schema: SchemaNode | undefined): JsonObject {
  return pruneObject(value, schema, modeAt(schema, 'prune'), true, '');
}

function modeAt(schema: SchemaNode | undefined, mode: Mode): Mode {
  return mode === 'prune' && schema?.preserveUnknownFields === true ? 'skip' : mode;
}

function pruneValue(
  value: JsonValue,
  schema: SchemaNode | undefined,
  mode: Mode,
  path: string,
): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // An object nests deeper than any schema only where nothing describes it.
  if (schema === undefined) return mode === 'keep' ? value : fieldless(value);
  if (Array.isArray(value)) return pruneList(value, schema, modeAt(schema, mode), path);
  if (!isObject(value)) return value;
  return pruneObject(value, schema, modeAt(schema, mode), schema?.embeddedResource === true, path);
}

/** Prunes all fields of a value: lists of lists, and objects without a field, are left. */
function fieldless(root: JsonValue): JsonValue {
  if (!Array.isArray(root)) return isObject(root) && Object.keys(root).length > 0 ? {} : root;
  const emptied = [...root];
  const open = [emptied];
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    for (const [index, item] of list.entries()) {
      if (Array.isArray(item)) open.push((list[index] = [...item]));
      else if (isObject(item)) list[index] = {};
    }
  }
  return emptied;
}

function pruneList(
  list: JsonValue[],
  schema: SchemaNode | undefined,
  mode: Mode,
  path: string,
): JsonValue {
  const items = schema?.items;
  // Without a schema for items, preserved lists keep everything in them.
  const itemMode: Mode = mode === 'skip' && items === undefined ? 'keep' : mode;
  let changed: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const next = pruneValue(item, items, itemMode, `${path}[${index}]`);
    if (next !== item) (changed ??= [...list])[index] = next;
  }
  return changed ?? list;
}

function pruneObject(
  object: JsonObject,
  schema: SchemaNode | undefined,
  mode: Mode,
  isResource: boolean,
  path: string,
): JsonObject {
  const keys = Object.keys(object);
  let changed: JsonObject | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const value = object[key] as JsonValue;
    const next = pruneField(key, value, schema, mode, isResource, path);
    if (changed === undefined && next !== value) {
      changed = {};
      for (const before of keys.slice(0, index)) {
        defineOwn(changed, before, object[before] as JsonValue);
      }
    }
    if (changed !== undefined && next !== undefined) defineOwn(changed, key, next);
  }
  const pruned = changed ?? object;
  return schema?.embeddedResource === true ? coerceEmbedded(pruned, path) : pruned;
}

/** The field's new value; undefined drops it. */
function pruneField(
  key: string,
  value: JsonValue,
  schema: SchemaNode | undefined,
  mode: Mode,
  isResource: boolean,
  path: string,
): JsonValue | undefined {
  const property = schema?.properties?.get(key);
  const child = property ?? schema?.additionalProperties?.schema;
  const known = property !== undefined || schema?.additionalProperties !== undefined;
  let childMode: Mode = mode === 'keep' ? 'keep' : 'prune';
  if (isResource && metaFields.has(key)) childMode = 'keep';
  else if (!known && mode === 'prune') return undefined;
  else if (!known) childMode = 'keep';
  if (value === null) {
    const dropped = child !== undefined && !child.nullable && child.default === undefined;
    return dropped ? undefined : null;
  }
  if (typeof value !== 'object') return value;
  const place =
    property === undefined && child !== undefined ? `${path}[${key}]` : childPath(path, key);
  return pruneValue(value, child, childMode, place);
}

/** Prunes a default as a value at its own place would be pruned. */
export function pruneDefault(
  value: JsonValue,
  schema: SchemaNode,
  inPreservedList: boolean,
): JsonValue {
  return pruneOnly(value, schema, modeAt(schema, inPreservedList ? 'skip' : 'prune'));
}

function pruneOnly(value: JsonValue, schema: SchemaNode | undefined, mode: Mode): JsonValue {
  if (schema === undefined && mode === 'prune') return fieldless(value);
  if (Array.isArray(value)) {
    const items = schema?.items;
    if (mode === 'skip' && items === undefined) return value;
    return value.map((item) => pruneOnly(item, items, modeAt(items, mode)));
  }
  if (!isObject(value)) return value;
  const pruned: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as JsonValue;
    const property = schema?.properties?.get(key);
    const known = property !== undefined || schema?.additionalProperties !== undefined;
    const isMeta = schema?.embeddedResource === true && metaFields.has(key);
    if (isMeta || (!known && mode === 'skip')) defineOwn(pruned, key, item);
    else if (known) {
      const child = property ?? schema?.additionalProperties?.schema;
      defineOwn(pruned, key, pruneOnly(item, child, modeAt(child, 'prune')));
    }
  }
  return schema?.embeddedResource === true ? coerceEmbedded(pruned, '', true) : pruned;
}

/** The defaults of a schema, each pruned when it is first set. */
export class Defaults {
  private readonly values = new Map<SchemaNode, JsonValue>();
  private readonly expanded = new Map<SchemaNode, JsonValue>();
  /** The properties that have a default, of each schema that was met. */
  private readonly filled = new Map<SchemaNode, readonly (readonly [string, SchemaNode])[]>();

  constructor(private readonly root: SchemaNode) {}

  /** Sets defaults in a value that is already pruned. */
  apply<Value extends JsonValue>(value: Value): Value {
    return this.set(value, this.root, false) as Value;
  }

  private valueOf(schema: SchemaNode, inPreservedList: boolean): JsonValue | undefined {
    if (schema.default === undefined) return undefined;
    let value = this.values.get(schema);
    if (value === undefined) {
      value = pruneDefault(schema.default, schema, inPreservedList);
      this.values.set(schema, value);
    }
    return value;
  }

  private filledIn(schema: SchemaNode): readonly (readonly [string, SchemaNode])[] {
    let filled = this.filled.get(schema);
    if (filled === undefined) {
      filled = [...(schema.properties ?? [])].filter((entry) => entry[1].default !== undefined);
      this.filled.set(schema, filled);
    }
    return filled;
  }

  private set(
    value: JsonValue,
    schema: SchemaNode | undefined,
    inPreservedList: boolean,
  ): JsonValue {
    if (typeof value !== 'object' || value === null) return value;
    if (schema === undefined || !schema.holds('defaults')) return value;
    if (Array.isArray(value)) {
      return this.setInList(
        value,
        schema.items,
        inPreservedList || schema.preserveUnknownFields === true,
      );
    }
    return isObject(value) ? this.setInObject(value, schema) : value;
  }

  private setInList(
    list: JsonValue[],
    items: SchemaNode | undefined,
    inPreservedList: boolean,
  ): JsonValue {
    let changed: JsonValue[] | undefined;
    for (const [index, item] of list.entries()) {
      const next = this.set(this.replaceNull(item, items, inPreservedList), items, inPreservedList);
      if (next !== item) (changed ??= [...list])[index] = next;
    }
    return changed ?? list;
  }

  private setInObject(object: JsonObject, schema: SchemaNode): JsonObject {
    let changed: JsonObject | undefined;
    const write = (key: string, value: JsonValue): void => {
      changed ??= copy(object);
      defineOwn(changed, key, value);
    };
    for (const [name, property] of this.filledIn(schema)) {
      if (Object.hasOwn(object, name)) continue;
      const fallback = this.expandedOf(property);
      if (fallback !== undefined) write(name, fallback);
    }
    for (const key of Object.keys(object)) {
      const child = schema.properties?.get(key) ?? schema.additionalProperties?.schema;
      if (child === undefined) continue;
      const value = object[key] as JsonValue;
      const next = this.set(this.replaceNull(value, child, false), child, false);
      if (next !== value) write(key, next);
    }
    return changed ?? object;
  }

  /** A field's default with the defaults that lie within it. */
  private expandedOf(property: SchemaNode): JsonValue | undefined {
    let value = this.expanded.get(property);
    if (value !== undefined) return value;
    const fallback = this.valueOf(property, false);
    if (fallback === undefined) return undefined;
    this.expanded.set(property, (value = this.set(fallback, property, false)));
    return value;
  }

  private replaceNull(
    value: JsonValue,
    schema: SchemaNode | undefined,
    inPreservedList: boolean,
  ): JsonValue {
    if (value !== null || schema === undefined || schema.nullable) return value;
    return this.valueOf(schema, inPreservedList) ?? null;
  }
}

export function copy(object: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) defineOwn(result, key, object[key] as JsonValue);
  return result;
}

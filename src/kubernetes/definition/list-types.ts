/** Requirements of x-kubernetes-list-type and -map-type on a schema and its items. */
import {
  child,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../apiserver/field-error.js';
import { keyed } from './structural.js';
import type { SchemaNode } from '../apiserver/schema.js';

/** A set whose items can be changed in part. */
export function hasNonAtomicItems({ listType, items }: SchemaNode): boolean {
  return listType === 'set' && nonAtomicKeyword(items) !== undefined;
}

function nonAtomicKeyword(items: SchemaNode | undefined): string | undefined {
  if (items?.type === 'array') {
    const isAtomic = items.listType === undefined || items.listType === 'atomic';
    return isAtomic ? undefined : 'x-kubernetes-list-type';
  }
  if (items?.type !== 'object' || items.mapType === 'atomic') return undefined;
  return 'x-kubernetes-map-type';
}

/** Keys that may be missing or null, and items that may be null. */
export function mapListErrors(schema: SchemaNode, path: string): FieldError[] {
  const { items, listType } = schema;
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  const place = child(path, 'items');
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbidden(child(place, 'nullable'), detail));
  }
  if (listType === 'set') return errors;
  const why = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const key of schema.listMapKeys) {
    const property = items.properties?.get(key);
    if (property === undefined) continue;
    const field = keyed(place, 'properties', key);
    if (!items.required.includes(key) && property.default === undefined) {
      const detail = `${why} must have a default or be a required property`;
      errors.push(required(child(field, 'default'), detail));
    }
    if (property.nullable) {
      errors.push(forbidden(child(field, 'nullable'), `${why} cannot be nullable`));
    }
  }
  return errors;
}

/** @param requiresAtomic whether items of sets must be atomic */
export function listTypeErrors(
  schema: SchemaNode,
  path: string,
  requiresAtomic: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const { listType, mapType, type } = schema;
  const wrongType = (keyword: string, expected: string): void => {
    const detail = `must be ${expected} if ${keyword} is specified`;
    errors.push(
      type === '' ? required(child(path, 'type'), detail) : invalid(child(path, 'type'), detail),
    );
  };
  if (mapType !== undefined) {
    if (type !== 'object') wrongType('x-kubernetes-map-type', 'object');
    if (mapType !== 'atomic' && mapType !== 'granular') {
      errors.push(notSupported(child(path, 'x-kubernetes-map-type'), ['atomic', 'granular']));
    }
  }
  if (listType !== undefined) {
    const keyword = listType === 'set' ? nonAtomicKeyword(schema.items) : undefined;
    if (type !== 'array') wrongType('x-kubernetes-list-type', 'array');
    else if (requiresAtomic && keyword !== undefined) {
      const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
      errors.push(invalid(child(child(path, 'items'), keyword), detail));
    }
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(notSupported(child(path, 'x-kubernetes-list-type'), ['atomic', 'set', 'map']));
    }
  }
  if (schema.listMapKeys.length > 0 && listType !== 'map') {
    const place = child(path, 'x-kubernetes-list-type');
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(listType === undefined ? required(place, detail) : invalid(place, detail));
  }
  if (listType === 'map') mapErrors(schema, path, errors);
  return errors;
}

function mapErrors(schema: SchemaNode, path: string, errors: FieldError[]): void {
  const keysPlace = child(path, 'x-kubernetes-list-map-keys');
  const itemsPlace = child(path, 'items');
  const { items, listMapKeys: keys, unjudged } = schema;
  if (keys.length === 0) {
    errors.push(required(keysPlace, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (items === undefined && unjudged?.itemList === undefined) {
    errors.push(required(itemsPlace, 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  if (items === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    errors.push(invalid(itemsPlace, detail));
    return;
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(child(itemsPlace, 'type'), detail));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.get(key);
    if (property === undefined) {
      errors.push(invalid(keysPlace, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(child(keyed(itemsPlace, 'properties', key), 'type'), detail));
    }
    if (seen.has(key)) errors.push(invalid(keysPlace, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

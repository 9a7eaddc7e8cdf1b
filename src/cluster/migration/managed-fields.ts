/**
 * Entries of `metadata.managedFields`: moved from one version to another, and read back as what their
 * manager has applied.
 *
 * Source: Kubernetes' documentation, "Server-Side Apply", and the format of fieldsV1 that
 * sigs.k8s.io/structured-merge-diff writes: `f:` a field, `k:` an item by its keys, `v:` an item by its
 * value, `i:` an item by its index, `.` the value itself.
 */
import {
  defineOwn,
  isObject,
  own,
  parseJson,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { objectAt, textAt, valueAt } from '../../text/documents/fields.js';

export interface MovedEntries {
  readonly entries: readonly JsonObject[];
  /** How many of them named a version that is removed. */
  readonly moved: number;
}

/**
 * The entries with another version in place of those that go. An API server keeps one entry for each
 * manager, operation and subresource, for updates each version too, and forgets all others that are
 * sent: entries that become the same are one, with the fields of both and the later time.
 *
 * @param goes whether an apiVersion, `example.com/v1beta1`, is to be replaced
 * @param apiVersion what replaces it
 */
export function moveEntries(
  entries: readonly JsonObject[],
  goes: (apiVersion: string) => boolean,
  apiVersion: string,
): MovedEntries {
  const kept = new Map<string, JsonObject>();
  let moved = 0;
  for (const entry of entries) {
    const isMoved = goes(textAt(entry, 'apiVersion') ?? '');
    if (isMoved) moved++;
    const next = isMoved ? { ...entry, apiVersion } : entry;
    const key = identityOf(next);
    const same = kept.get(key);
    kept.set(key, same === undefined ? next : merged(same, next));
  }
  return { entries: [...kept.values()], moved };
}

/** The fields by which an API server tells entries apart. */
function identityOf(entry: JsonObject): string {
  const keys = ['manager', 'operation', 'subresource', 'apiVersion'];
  const [manager, operation, subresource, apiVersion] = keys.map((key) => textAt(entry, key) ?? '');
  return JSON.stringify([manager, operation, subresource, operation === 'Apply' ? '' : apiVersion]);
}

function merged(left: JsonObject, right: JsonObject): JsonObject {
  const [fields, more] = [left, right].map((entry) => own(entry, 'fieldsV1'));
  const isLater = (textAt(right, 'time') ?? '') > (textAt(left, 'time') ?? '');
  return {
    ...left,
    ...(isLater ? { time: textAt(right, 'time') ?? '' } : {}),
    fieldsV1: union(isObject(fields) ? fields : {}, isObject(more) ? more : {}),
  };
}

/** All fields of both sets. A field without any below it is owned by itself, which `.` says beside others. */
export function union(left: JsonObject, right: JsonObject): JsonObject {
  const whole: JsonObject = {};
  const open = [{ into: whole, left, right, isRoot: true }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const sides = [at.left, at.right];
    const keys = new Set(sides.flatMap((side) => Object.keys(side)));
    const isLeaf = !at.isRoot && sides.some((side) => Object.keys(side).length === 0);
    if (isLeaf && keys.size > 0) keys.add('.');
    for (const key of keys) {
      const [one, other] = sides.map((side) => own(side, key));
      if (isObject(one) && isObject(other)) {
        const into: JsonObject = {};
        defineOwn(at.into, key, into);
        open.push({ into, left: one, right: other, isRoot: false });
      } else {
        defineOwn(at.into, key, one ?? other ?? {});
      }
    }
  }
  return whole;
}

/** Deeper than any schema that people write; below it a value is taken as it is. */
const maxDepth = 200;

/**
 * The configuration with which a manager keeps all fields that an entry says are its own: the part of the object that
 * the set names, with apiVersion, kind and name.
 */
export function configurationOf(object: JsonObject, fields: JsonObject): JsonObject {
  const part = objectAt(partOf(object, fields, 0));
  const named: JsonObject = { ...objectAt(part, 'metadata') };
  for (const key of ['name', 'namespace']) {
    const value = valueAt(object, 'metadata', key);
    if (value !== undefined) named[key] = value;
  }
  return {
    ...part,
    apiVersion: own(object, 'apiVersion') ?? '',
    kind: own(object, 'kind') ?? '',
    metadata: named,
  };
}

function partOf(value: JsonValue, fields: JsonObject, depth: number): JsonValue {
  const names = Object.keys(fields).filter((key) => key !== '.');
  if (depth > maxDepth || (names.length === 0 && depth > 0)) return value;
  const below = (child: JsonValue, name: string): JsonValue => {
    return partOf(child, objectAt(fields, name) ?? {}, depth + 1);
  };
  if (isObject(value)) {
    const part: JsonObject = {};
    for (const name of names.filter((each) => each.startsWith('f:'))) {
      const key = name.slice(2);
      const child = own(value, key);
      if (child !== undefined) defineOwn(part, key, below(child, name));
    }
    return part;
  }
  if (!Array.isArray(value)) return value;
  return value.flatMap((item, index) => {
    const name = names.find((each) => isItem(each, item, index));
    if (name === undefined) return [];
    const part = below(item, name);
    const keys = name.startsWith('k:') ? jsonOf(name) : undefined;
    return [isObject(part) && isObject(keys) ? { ...keys, ...part } : part];
  });
}

function isItem(name: string, item: JsonValue, index: number): boolean {
  if (name.startsWith('i:')) return name === `i:${index}`;
  const wanted = jsonOf(name);
  if (wanted === undefined) return false;
  if (name.startsWith('v:')) return sameJson(wanted, item);
  if (!name.startsWith('k:') || !isObject(wanted) || !isObject(item)) return false;
  return Object.keys(wanted).every((key) => sameJson(own(wanted, key), own(item, key)));
}

function jsonOf(name: string): JsonValue | undefined {
  try {
    return parseJson(name.slice(2));
  } catch {
    return undefined;
  }
}

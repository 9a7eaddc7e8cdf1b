import { sameValue, type SchemaNode } from '../../kubernetes/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';

export interface Difference {
  /** `emptied`: an empty value (`0`, `""`, `false`, `[]`, `{}`, null) came or went with its field. */
  readonly kind: 'lost' | 'changed' | 'added' | 'emptied';
  readonly path: string;
}

/** Differences of the contents; of the metadata labels and annotations count, and new ones do not. */
export function differences(
  before: JsonObject,
  after: JsonObject,
  node: SchemaNode | undefined,
): Difference[] {
  const found: Difference[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (key === 'apiVersion' || key === 'kind' || key === 'metadata') continue;
    compare(own(before, key), own(after, key), `^.${key}`, node?.properties?.get(key), found);
  }
  const [old, now] = [own(before, 'metadata'), own(after, 'metadata')];
  for (const key of ['labels', 'annotations']) {
    const was = isObject(old) ? own(old, key) : undefined;
    const is = isObject(now) ? own(now, key) : undefined;
    for (const [name, value] of Object.entries(isObject(was) ? was : {})) {
      const now = isObject(is) ? own(is, name) : undefined;
      if (now === value) continue;
      found.push({ kind: now === undefined ? 'lost' : 'changed', path: `^.metadata.${key}` });
    }
  }
  return found;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  node: SchemaNode | undefined,
  found: Difference[],
): void {
  if (before === undefined && after === undefined) return;
  if (after === undefined) {
    found.push({ kind: isEmpty(before) ? 'emptied' : 'lost', path });
  } else if (before === undefined) {
    found.push({ kind: isEmpty(after) ? 'emptied' : 'added', path });
  } else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const declared = node?.properties?.get(key);
      const inner = declared ?? node?.additionalProperties?.schema;
      const step = declared === undefined ? '[*]' : `.${key}`;
      compare(own(before, key), own(after, key), `${path}${step}`, inner, found);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, node, found);
  } else if (!sameValue(before, after)) {
    found.push({ kind: 'changed', path });
  }
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
  node: SchemaNode | undefined,
  found: Difference[],
): void {
  if (before.length !== after.length) {
    found.push({ kind: before.length > after.length ? 'lost' : 'added', path: `${path}[*]` });
    return;
  }
  // A set, and a list that is a map, mean the same in any order.
  if (node?.listType === 'set' || node?.listType === 'map') {
    const left = [...after];
    const isSame = before.every((item) => {
      const at = left.findIndex((each) => sameValue(each, item));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    if (isSame) return;
  }
  for (const [index, item] of before.entries()) {
    compare(item, after[index], `${path}[*]`, node?.items, found);
  }
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === null || value === 0 || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

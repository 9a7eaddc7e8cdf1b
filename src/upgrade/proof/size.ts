/** How large a value is, as budgets count it: each object, list and scalar in it is one, and so are 64 characters. */
import { isObject, type JsonValue } from '../../text/documents/index.js';
import type { SchemaNode } from '../../kubernetes/index.js';
import { innerOf, stepsTo, type Place } from './pin.js';

export function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  let size = 1;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) size += sizeOf(value[key] as JsonValue);
  }
  return size;
}

/** The least size of a value that has something at the place. */
export function leastSizeAt(root: SchemaNode, place: Place | undefined): number {
  let size = root.leastSize;
  let node: SchemaNode | undefined = root;
  for (const step of stepsTo(place)) {
    const parent: SchemaNode = node;
    node = innerOf(parent, step);
    if (node === undefined) break;
    if (step.kind === 'item' || !parent.requires(step.name)) size += node.leastSize;
  }
  return size;
}

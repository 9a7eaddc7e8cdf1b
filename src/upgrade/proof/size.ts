/** How large a value is, as budgets count it: each object, list and scalar in it is one, and so are 64 characters. */
import { isObject, type JsonValue } from '../../text/documents/index.js';
import type { SchemaNode } from '../../kubernetes/index.js';
import { stepsTo, type Place } from './pin.js';
import { fieldOf, requires } from './shape.js';

export function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  let size = 1;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) size += sizeOf(value[key] as JsonValue);
  }
  return size;
}

const least = new WeakMap<SchemaNode, number>();

/** The size of the smallest value that has what the schema requires, logical operators aside. */
function leastSize(node: SchemaNode): number {
  if (node.required.length === 0) return 1;
  let size = least.get(node);
  if (size !== undefined) return size;
  size = 1;
  for (const name of node.required) {
    const field = node.properties?.get(name);
    if (field?.default === undefined) size += field === undefined ? 1 : leastSize(field);
  }
  least.set(node, size);
  return size;
}

/** The same for an object that has something at the place. */
export function leastSizeAt(root: SchemaNode, place: Place | undefined): number {
  let size = leastSize(root);
  let node: SchemaNode | undefined = root;
  for (const step of stepsTo(place)) {
    const parent: SchemaNode = node;
    node = step.kind === 'item' ? parent.items : fieldOf(parent, step.name);
    if (node === undefined) break;
    if (step.kind === 'item' || !requires(parent, step.name)) size += leastSize(node);
  }
  return size;
}

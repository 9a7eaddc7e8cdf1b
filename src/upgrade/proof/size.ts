/** How large a value is, as budgets count it: each object, list and scalar in it is one, and so are 64 characters. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import type { SchemaNode } from '../../kubernetes/index.js';
import { type Place, schemasTo, stepsTo } from './pin.js';

export function sizeOf(root: JsonValue): number {
  let size = 0;
  // Values may nest deeper than calls.
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    size += typeof value === 'string' ? 1 + (value.length >> 6) : 1;
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isObject(value)) for (const key in value) open.push(value[key] as JsonValue);
  }
  return size;
}

/** Schemas of real definitions nest less; deeper parts are counted one side at a time. */
const comparedLevels = 200;

/** The size of both together; parts that they share are counted once and doubled. */
export function sizeOfBoth(left: JsonValue, right: JsonValue, levels = comparedLevels): number {
  if (left === right) return 2 * sizeOf(left);
  const isPair = Array.isArray(left)
    ? Array.isArray(right)
    : isObject(left) && isObject(right) && !Array.isArray(right);
  if (!isPair || levels === 0) return sizeOf(left) + sizeOf(right);
  // A list is read as an object whose keys are its indexes.
  const [one, other] = [left, right] as [JsonObject, JsonObject];
  let size = 2;
  for (const key in one) {
    const beside = own(other, key);
    const value = one[key] as JsonValue;
    size += beside === undefined ? sizeOf(value) : sizeOfBoth(value, beside, levels - 1);
  }
  for (const key in other) {
    if (!Object.hasOwn(one, key)) size += sizeOf(other[key] as JsonValue);
  }
  return size;
}

/** The least size of a value that has something at the place. */
export function leastSizeAt(root: SchemaNode, place: Place | undefined): number {
  const steps = stepsTo(place);
  return schemasTo(root, steps).reduce((size, { leastSize }, index, way) => {
    const step = steps[index - 1];
    const isCounted =
      step !== undefined && step.kind !== 'item' && way[index - 1]?.requires(step.name);
    return isCounted === true ? size : size + leastSize;
  }, 0);
}

/** `==`: in lists, two items that cannot be compared are equal. Source: cel-go/common/types/{compare,util}.go. */
import { compareValues } from '../text/group.js';
import { spend, spendOnText } from './budget.js';
import { EvaluationError } from './errors.js';
import {
  CelList,
  CelMap,
  Duration,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type CelValue,
} from './values.js';

/** @throws EvaluationError */
export function equal(left: CelValue, right: CelValue): boolean {
  return right === null ? left === null : isEqualTo(left, right);
}

/** The same as the left value has it, which need not know null. @throws EvaluationError */
export function isEqualTo(left: CelValue, right: CelValue): boolean {
  spend(1);
  if (left === null) return right === null;
  switch (typeof left) {
    case 'boolean':
      return left === right;
    case 'string':
      if (typeof right !== 'string' || left.length !== right.length) return false;
      spendOnText(left.length);
      return left === right;
    case 'bigint':
      return typeof right === 'bigint' ? left === right : sameNumber(left, right);
    case 'number':
      return sameNumber(left, right);
    default:
      break;
  }
  if (left instanceof Uint) return sameNumber(left, right);
  if (left instanceof CelList || left instanceof CelMap) return left.equals(right);
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && left.typeName === right.typeName;
  }
  if (left instanceof Optional) return sameOptional(left, right);
  return left.equals(right);
}

function sameOptional(left: Optional, right: CelValue): boolean {
  if (!(right instanceof Optional)) return false;
  const [one, other] = [left.value, right.value];
  if (one === undefined || other === undefined) return one === other;
  return isEqualTo(one, other);
}

function sameNumber(left: bigint | number | Uint, right: CelValue): boolean {
  if (!isNumber(right) || Number.isNaN(left) || Number.isNaN(right)) return false;
  return compareNumbers(left, right) === 0;
}

export function isNumber(value: CelValue): value is bigint | number | Uint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** A double and an integer are compared as doubles, however many integers that makes equal. */
export function compareNumbers(
  left: bigint | number | Uint,
  right: bigint | number | Uint,
): number {
  const one = left instanceof Uint ? left.value : left;
  const other = right instanceof Uint ? right.value : right;
  if (typeof one === typeof other) return compareValues(one, other);
  return compareValues(Number(one), Number(other));
}

export function attempt<Value, Given = undefined>(
  read: (given: Given) => Value,
  given?: Given,
): Value | EvaluationError {
  try {
    return read(given as Given);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** The same for a value that may not be read: that is equal to nothing, and resources fail over it. */
export function isEqualToRead(left: CelValue, right: CelValue | EvaluationError): boolean {
  if (!(right instanceof EvaluationError)) return isEqualTo(left, right);
  const isCollection = left instanceof CelList || left instanceof CelMap;
  if (isCollection && left.isOfResource) throw right;
  return false;
}

/** Whether two items are equal to a list or map that is a literal: what cannot be compared passes. */
export function equalLoosely(
  left: CelValue | EvaluationError,
  right: CelValue | EvaluationError,
): boolean {
  if (left instanceof EvaluationError) return true;
  if (right instanceof EvaluationError) {
    const isCollection = left instanceof CelList || left instanceof CelMap;
    return left instanceof Opaque || (isCollection && left.isOfResource);
  }
  return attempt(() => equal(left, right)) !== false;
}

/** `==` of two values; numbers of different types are equal when they are the same number. */
import { noSuchOverload } from './errors.js';
import { CelList } from './lists.js';
import { CelMap } from './maps.js';
import { Duration, Opaque, Optional, Timestamp, TypeValue, Uint, type CelValue } from './values.js';

export function equal(left: CelValue, right: CelValue): boolean {
  if (left === null || right === null) return left === right;
  if (typeof left !== 'object') return equalScalar(left, right);
  if (left instanceof Uint) return equalScalar(left.value, right);
  if (left instanceof CelList) {
    if (!(right instanceof CelList)) return false;
    return left.equals(right);
  }
  if (left instanceof CelMap) return right instanceof CelMap && left.equals(right);
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
  if (left instanceof Optional) return equalOptional(left, right);
  if (left instanceof Opaque) return left.equals(right);
  throw noSuchOverload();
}

function equalScalar(left: boolean | bigint | number | string, right: CelValue): boolean {
  const other = right instanceof Uint ? right.value : right;
  if (typeof left === 'bigint' && typeof other === 'number') return sameNumber(other, left);
  if (typeof left === 'number' && typeof other === 'bigint') return sameNumber(left, other);
  return left === other;
}

function sameNumber(double: number, integer: bigint): boolean {
  return Number.isInteger(double) && BigInt(double) === integer;
}

function equalOptional(left: Optional, right: CelValue): boolean {
  if (!(right instanceof Optional)) return false;
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equal(left.value, right.value);
}

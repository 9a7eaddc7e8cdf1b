/** Optional values: cel-go's optional types. */
import { EvaluationError } from './errors.js';
import { ValueList } from './lists.js';
import { ValueMap } from './maps.js';
import { declare } from './signature.js';
import { Duration, noValue, Optional, Timestamp, Uint, type CelValue } from './values.js';

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  // Lists and objects of the resource do not say that they are empty.
  if (value instanceof ValueList || value instanceof ValueMap) return value.size === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Optional) return value.value === undefined || isZero(value.value);
  return (value instanceof Duration || value instanceof Timestamp) && value.nanoseconds === 0n;
}

function dereference(value: CelValue): CelValue {
  const content = (value as Optional).value;
  if (content === undefined) throw new EvaluationError('optional.none() dereference');
  return content;
}

export const optionalOverloads = declare([
  ['optional.of(A) optional_type(A)', ([a]) => new Optional(a)],
  [
    'optional.ofNonZeroValue(A) optional_type(A)',
    ([a]) => (isZero(a!) ? noValue : new Optional(a)),
  ],
  ['optional.none() optional_type(A)', () => noValue],
  ['optional_type(A):value() A', ([a]) => dereference(a!)],
  ['optional_type(A):hasValue() bool', ([a]) => (a as Optional).isPresent],
  // The alternatives are evaluated lazily by the compiler; these are for their types.
  [
    'optional_type(A):or(optional_type(A)) optional_type(A)',
    ([a, b]) => ((a as Optional).value === undefined ? b! : a!),
  ],
  ['optional_type(A):orValue(A) A', ([a, b]) => (a as Optional).value ?? b!],
]);

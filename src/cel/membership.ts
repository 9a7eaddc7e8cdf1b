/**
 * `in` of literals is a look-up in a set of equal numbers, too. Source: cel-go's maybeOptimizeSetMembership.
 */
import type { Run } from './attribute.js';
import { spend } from './budget.js';
import { hashOf } from './maps.js';
import { Uint, type CelList, type CelValue } from './values.js';

export interface Membership {
  readonly run: Run;
  readonly constant?: { readonly value: CelValue };
}

/** Undefined where the list holds something else than literals. */
export function membership(value: Run, list: CelList): Membership | undefined {
  if (list.size === 0) return { run: () => false, constant: { value: false } };
  const set = new Set<unknown>();
  for (const item of list.items()) {
    const isPrimitive = item instanceof Uint || (item !== null && typeof item !== 'object');
    if (!isPrimitive) return undefined;
    for (const candidate of [item, ...equalNumbers(item)]) set.add(hashOf(candidate));
  }
  return {
    run: (frame) => {
      spend(1);
      return set.has(hashOf(value(frame)));
    },
  };
}

/** A double stands for integers only where none is lost, an integer for its nearest double. */
function equalNumbers(value: CelValue): CelValue[] {
  const integer = value instanceof Uint ? value.value : value;
  if (typeof integer === 'bigint') {
    const other = typeof value === 'bigint' ? new Uint(integer) : integer;
    const hasOther = typeof value === 'bigint' ? integer >= 0n : integer < 2n ** 63n;
    return [Number(integer), ...(hasOther ? [other] : [])];
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) return [];
  return [
    ...(Math.abs(value) < 2 ** 63 ? [BigInt(value)] : []),
    ...(value >= 0 && value < 2 ** 64 ? [new Uint(BigInt(value))] : []),
  ];
}

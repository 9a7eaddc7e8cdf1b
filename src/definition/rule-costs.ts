/** What rules may cost: limits, and the arithmetic of unsigned integers that never overflow. */

/** Of one rule, as often as it can be evaluated in one object; and of one message. */
export const ruleLimit = 10_000_000n;
/** Of all rules of one schema. */
export const schemaLimit = 100_000_000n;

const most = 2n ** 64n - 1n;

export function saturated(value: bigint): bigint {
  return value > most ? most : value;
}

/** Rule: `getCostErrorMessage`. */
export function costMessage(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  let text = `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  if (factor > 100) text = 'more than 100x';
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Cost limits of rules, and the arithmetic of unsigned integers that never overflow. */
import environment from './cel-environment.json' with { type: 'json' };
import type { SchemaNode } from '../apiserver/schema.js';

export interface Multiplier {
  readonly schema: SchemaNode;
  readonly path: string;
  readonly outer: Multiplier | undefined;
}

/** Limit for all evaluations of one rule in one object, and for those of its message. */
export const ruleLimit = BigInt(environment.limits.rule);
export const schemaLimit = BigInt(environment.limits.schema);

const most = 2n ** 64n - 1n;

export function saturated(value: bigint): bigint {
  return value > most ? most : value;
}

/** How many bound a list, map or text; some in place of what the schema says. */
export type Bounds = ReadonlyMap<SchemaNode, number>;
export const noBounds: Bounds = new Map();

/** How many entries or characters the schema allows; undefined where it does not say. */
function boundOf(schema: SchemaNode, bounds: Bounds): number | undefined {
  return bounds.get(schema) ?? schema[boundKeyword(schema)];
}

export function boundKeyword({ type }: SchemaNode): 'maxItems' | 'maxProperties' | 'maxLength' {
  if (type === 'array') return 'maxItems';
  return type === 'object' ? 'maxProperties' : 'maxLength';
}

/** How often a value can be in one object; undefined where any list or map around it has no bound. */
export function cardinality(around: Multiplier | undefined, bounds: Bounds): bigint | undefined {
  let product = 1n;
  for (let each = around; each !== undefined; each = each.outer) {
    const most = boundOf(each.schema, bounds);
    if (most === undefined) return undefined;
    product = saturated(product * BigInt(Math.max(most, 0)));
  }
  return product;
}

/** Rule: `getCostErrorMessage`. */
export function costMessage(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  let text = `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  if (factor > 100) text = 'more than 100x';
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

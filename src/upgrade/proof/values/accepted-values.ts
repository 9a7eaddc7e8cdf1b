/** Values that a schema accepts. */
import { sameJson, type JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { Sampler } from './sampler.js';

export function valuesOf(node: SchemaNode, budget: Budget, most = 4): JsonValue[] {
  const values: JsonValue[] = [];
  for (let salt = 0; values.length < most && salt < most + 2; salt++) {
    const sampler = new Sampler(
      { branch: salt % 3, richness: salt % 2, useDefaults: false },
      budget,
    );
    const value = sampler.value([node], undefined, salt % 2, salt);
    const isNew = value !== undefined && !values.some((known) => sameJson(known, value));
    if (isNew) values.push(value);
  }
  return values;
}

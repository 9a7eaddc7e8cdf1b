/** Values that a schema accepts, and others beside it. */
import { sameJson, type JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { pinValue, type Pin } from '../pin.js';
import { Sampler } from './sampler.js';

export function* directed(
  node: SchemaNode,
  demands: readonly SchemaNode[],
  budget: Budget,
  most = Infinity,
): Generator<Pin> {
  const seen = new Set<string>();
  for (const richness of [0, 1, 2]) {
    for (const branch of [0, 1, 2]) {
      const sampler = new Sampler({ branch, richness, useDefaults: false }, budget);
      const value = sampler.value([node, ...demands], undefined, richness, 0);
      if (value === undefined || seen.has(JSON.stringify(value))) continue;
      if (seen.add(JSON.stringify(value)).size > most) return;
      yield pinValue(value);
    }
  }
}

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

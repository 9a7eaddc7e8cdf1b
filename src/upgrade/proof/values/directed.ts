/** Values that the old schema may accept and that lie close to what some other schemas speak of. */
import type { JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { absent, pinFields, pinValue, type Pin } from '../pin.js';
import { Sampler } from './sampler.js';
import { commonStrings } from './scalars.js';
import { anything, conjuncts, fieldOf, typesOf } from '../shape.js';

/** Samples of the node that meet all demands, then with each mentioned field absent or otherwise. */
export function* directed(
  node: SchemaNode,
  demands: readonly SchemaNode[],
  budget: Budget,
  most = 60,
): Generator<Pin> {
  let left = most;
  const seen = new Set<string>();
  for (const pin of candidates(node, demands, budget)) {
    const text = pin.kind === 'value' ? JSON.stringify(pin.value) : undefined;
    if (text !== undefined && seen.has(text)) continue;
    if (text !== undefined) seen.add(text);
    if (left-- <= 0) return;
    yield pin;
  }
}

function* candidates(
  node: SchemaNode,
  demands: readonly SchemaNode[],
  budget: Budget,
): Generator<Pin> {
  for (const richness of [0, 1, 2]) {
    for (const branch of [0, 1, 2]) {
      const sampler = new Sampler({ branch, richness, useDefaults: false }, budget);
      const value = sampler.value([node, ...demands], undefined, richness, 0);
      if (value !== undefined) yield pinValue(value);
    }
  }
  if (typesOf(node).has('object')) yield* fieldCandidates(node, demands, budget);
  if (node.type !== 'object') yield* scalarCandidates(node, demands);
}

function* fieldCandidates(
  node: SchemaNode,
  demands: readonly SchemaNode[],
  budget: Budget,
): Generator<Pin> {
  const names = mentioned(demands.length > 0 ? demands : conjuncts(node));
  yield pinFields(...[...names].map((name): [string, Pin] => [name, absent]));
  for (const name of names) {
    yield pinFields([name, absent]);
    for (const value of valuesOf(fieldOf(node, name) ?? anything, budget))
      yield pinFields([name, pinValue(value)]);
  }
  const present = [...names].flatMap((name): [string, Pin][] => {
    const [value] = valuesOf(fieldOf(node, name) ?? anything, budget);
    return value === undefined ? [] : [[name, pinValue(value)]];
  });
  yield pinFields(...present);
  for (const [index, one] of present.entries()) {
    for (const two of present.slice(index + 1)) yield pinFields(one, two);
  }
}

function* scalarCandidates(node: SchemaNode, demands: readonly SchemaNode[]): Generator<Pin> {
  for (const demand of demands) for (const value of demand.enum ?? []) yield pinValue(value);
  const bounds = demands.flatMap(({ minimum, maximum, minLength, maxLength }) => [
    minimum,
    maximum,
    minLength,
    maxLength,
  ]);
  for (const bound of bounds) {
    if (bound === undefined) continue;
    for (const step of [-1, 0, 1]) {
      yield pinValue(bound + step);
      if (bound + step >= 0 && bound + step < 10_000) yield pinValue('a'.repeat(bound + step));
    }
  }
  const types = typesOf(node);
  if (types.has('string')) for (const text of commonStrings) yield pinValue(text);
  if (types.has('integer')) for (const number of [0, 1, -1, 2, 5, 10, 100]) yield pinValue(number);
  if (types.has('array')) yield pinValue([]);
}

function mentioned(nodes: readonly SchemaNode[]): Set<string> {
  const names = new Set<string>();
  const collect = (node: SchemaNode): void => {
    for (const name of [...(node.properties?.keys() ?? []), ...node.required]) {
      if (names.size < 12) names.add(name);
    }
    [...node.allOf, ...node.anyOf, ...node.oneOf].forEach(collect);
    if (node.not !== undefined) collect(node.not);
  };
  nodes.forEach(collect);
  return names;
}

/** A few different values of a field. */
export function valuesOf(node: SchemaNode, budget: Budget, most = 4): JsonValue[] {
  const values: JsonValue[] = [];
  for (let salt = 0; values.length < most && salt < most + 2; salt++) {
    const sampler = new Sampler(
      { branch: salt % 3, richness: salt % 2, useDefaults: false },
      budget,
    );
    const value = sampler.value([node], undefined, salt % 2, salt);
    if (
      value !== undefined &&
      !values.some((known) => JSON.stringify(known) === JSON.stringify(value))
    ) {
      values.push(value);
    }
  }
  return values;
}

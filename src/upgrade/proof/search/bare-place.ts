/**
 * A place by itself: the way to it and its own schema, without the schema around it. A rule, an
 * alternative, a pattern or a bound around a changed place may exclude every object that would show
 * its harm, and the author of the change may have written it.
 */
import { compileDefinition, readSchema, SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import type { Difference } from '../differences/difference.js';
import { ordinary, type Pin, pinAt, type Step, stepsTo } from '../pin.js';
import { fieldOf } from '../shape.js';
import { Remembered } from '../values/remembered.js';
import { Sampler } from '../values/sampler.js';
import { errorsExcept } from './attribution.js';
import type { Trial } from './trial.js';

/** Values that are put to the place; a difference has few that are likely to be harmed. */
const maxCandidates = 24;

/** By what the two schemas say of it alone: not even the old one's rules and logical operators count. */
export function harmsByItself(
  { place, candidates }: Difference,
  all: Trial,
  budget: Budget,
): boolean {
  const { before, after } = all;
  if (candidates === undefined) return false;
  const steps = stepsTo(place);
  const loose = wayTo(before.schema, steps, (node) => loosened(node, budget));
  const strict = wayTo(before.schema, steps, (node) => node);
  const next = wayTo(after.schema, steps, (node) => node);
  const compiled = ({ definition }: typeof before, schema: SchemaNode): typeof before =>
    compileDefinition({ ...definition, schema }, budget);
  const trial = all.between(compiled(before, loose), compiled(after, next));
  const old = compiled(before, strict);
  const { group, version, kind, namespaced } = before.definition;
  const resource = { apiVersion: `${group}/${version}`, kind, namespaced };
  const pins: readonly Pin[] = [ordinary, ...new Remembered(candidates()).first(maxCandidates)];
  for (const pin of pins) {
    const sampler = new Sampler({ branch: 0, richness: 1, useDefaults: true }, budget);
    const object = sampler.resource([loose], pinAt(place, pin), resource);
    const accepted = object === undefined ? undefined : trial.accept(object);
    if (accepted === undefined) continue;
    const harm = trial.harm(accepted);
    const asBefore = trial.harm(accepted, old);
    if (errorsExcept(harm.errors, asBefore.errors).length > 0) return true;
    if (harm.lost.some((path) => !asBefore.lost.includes(path))) return true;
  }
  return false;
}

const empty = readSchema({}, '$');

/** The schemas on the way with nothing but that way; where a schema ends, so does the way. */
function wayTo(
  node: SchemaNode,
  [step, ...rest]: readonly Step[],
  at: (node: SchemaNode) => SchemaNode,
): SchemaNode {
  if (step === undefined) return at(node);
  const { type, nullable, preserveUnknownFields, embeddedResource, additionalProperties } = node;
  const bare = { ...empty, type, nullable, preserveUnknownFields, embeddedResource };
  if (step.kind === 'item') {
    if (node.items === undefined) return new SchemaNode(bare);
    return new SchemaNode({ ...bare, items: wayTo(node.items, rest, at) });
  }
  const declared = node.properties?.get(step.name);
  if (declared !== undefined) {
    const properties = new Map([[step.name, wayTo(declared, rest, at)]]);
    return new SchemaNode({ ...bare, properties });
  }
  const other = fieldOf(node, step.name);
  if (other === undefined || additionalProperties === undefined) return new SchemaNode(bare);
  const others = { allows: true, schema: wayTo(other, rest, at) };
  return new SchemaNode({ ...bare, additionalProperties: others });
}

/** The schema without rules and logical operators, there and beneath. */
function loosened(node: SchemaNode, budget: Budget): SchemaNode {
  budget.spend(1);
  const { items, properties, additionalProperties } = node;
  const inner = additionalProperties?.schema;
  return new SchemaNode({
    ...node,
    rules: [],
    allOf: [],
    anyOf: [],
    oneOf: [],
    not: undefined,
    items: items && loosened(items, budget),
    properties:
      properties && new Map([...properties].map(([name, each]) => [name, loosened(each, budget)])),
    additionalProperties: additionalProperties && {
      ...additionalProperties,
      schema: inner && loosened(inner, budget),
    },
  });
}

/** What lies in a schema, so that walks for it leave out what has none of it. */
import type { SchemaNode } from './schema.js';

/** One bit each. */
const parts = {
  defaults: 1,
  /** Rules in CEL; those under allOf do not count. */
  rules: 2,
  rulesUnderAllOf: 4,
  embedded: 8,
  /** Lists of type `set` or `map`. */
  listTypes: 16,
} as const;

const known = new WeakMap<SchemaNode, number>();

/** Whether it has such a part, or one beneath has. Each node is looked at once, whoever shares it. */
export function holdsPart(schema: SchemaNode, part: keyof typeof parts): boolean {
  return (partsOf(schema) & parts[part]) !== 0;
}

function partsOf(schema: SchemaNode): number {
  let found = known.get(schema);
  if (found !== undefined) return found;
  found = 0;
  if (schema.default !== undefined) found |= parts.defaults;
  if (schema.rules.length > 0) found |= parts.rules;
  if (schema.embeddedResource) found |= parts.embedded;
  if (schema.listType === 'set' || schema.listType === 'map') found |= parts.listTypes;
  if (schema.items !== undefined) found |= partsOf(schema.items);
  const others = schema.additionalProperties?.schema;
  if (others !== undefined) found |= partsOf(others);
  if (schema.properties !== undefined) {
    for (const property of schema.properties.values()) found |= partsOf(property);
  }
  for (const branch of schema.allOf) {
    if ((partsOf(branch) & (parts.rules | parts.rulesUnderAllOf)) !== 0) {
      found |= parts.rulesUnderAllOf;
    }
  }
  const isAround =
    schema.items !== undefined ||
    others !== undefined ||
    schema.properties !== undefined ||
    schema.allOf.length > 0;
  // One without others inside, as most are, is looked at again as fast as it is remembered.
  if (isAround) known.set(schema, found);
  return found;
}

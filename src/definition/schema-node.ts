/** The tree that judges values, made of a schema that turned out to be structural. */
import type { SchemaNode } from '../apiserver/schema.js';
import type { SchemaProps } from './schema-props.js';

const nodes = new WeakMap<SchemaProps, SchemaNode>();

/** One node for each schema, so that what is known of a node is known once. */
export function nodeOf(schema: SchemaProps): SchemaNode {
  let node = nodes.get(schema);
  if (node === undefined) nodes.set(schema, (node = makeNode(schema)));
  return node;
}

function makeNode(schema: SchemaProps): SchemaNode {
  const { additionalProperties, items, properties } = schema;
  const optional = {
    default: schema.default,
    maximum: schema.maximum,
    minimum: schema.minimum,
    multipleOf: schema.multipleOf,
    maxLength: schema.maxLength,
    minLength: schema.minLength,
    maxItems: schema.maxItems,
    minItems: schema.minItems,
    maxProperties: schema.maxProperties,
    minProperties: schema.minProperties,
    enum: schema.enum,
    listType: schema.listType,
    mapType: schema.mapType,
    items: items?.schema === undefined ? undefined : nodeOf(items.schema),
    not: schema.not === undefined ? undefined : nodeOf(schema.not),
    properties:
      properties === undefined || properties.size === 0
        ? undefined
        : new Map([...properties].map(([name, property]) => [name, nodeOf(property)] as const)),
    additionalProperties:
      additionalProperties === undefined
        ? undefined
        : {
            allows: additionalProperties.allows,
            ...(additionalProperties.schema === undefined
              ? {}
              : { schema: nodeOf(additionalProperties.schema) }),
          },
  };
  return {
    type: schema.type,
    nullable: schema.nullable,
    format: schema.format,
    exclusiveMaximum: schema.exclusiveMaximum,
    exclusiveMinimum: schema.exclusiveMinimum,
    pattern: schema.pattern,
    uniqueItems: schema.uniqueItems,
    required: schema.required ?? [],
    allOf: (schema.allOf ?? []).map(nodeOf),
    anyOf: (schema.anyOf ?? []).map(nodeOf),
    oneOf: (schema.oneOf ?? []).map(nodeOf),
    preserveUnknownFields: schema.preserveUnknownFields === true,
    embeddedResource: schema.embeddedResource,
    intOrString: schema.intOrString,
    listMapKeys: schema.listMapKeys ?? [],
    rules: (schema.rules ?? []).map(({ reason, optionalOldSelf, ...rule }) => ({
      ...rule,
      optionalOldSelf: optionalOldSelf === true,
      ...(reason === undefined ? {} : { reason }),
    })),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<SchemaNode>),
  };
}

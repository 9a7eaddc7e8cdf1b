/** The tree that judges values, made of a schema that turned out to be structural. */
import type { SchemaNode } from '../apiserver/schema.js';
import { boundKeyword, type Bounds } from './rule-costs.js';
import type { SchemaProps } from './schema-props.js';

const nodes = new WeakMap<SchemaProps, SchemaNode>();

/** One node for each schema, so that what is known of a node is known once. */
export function nodeOf(schema: SchemaProps): SchemaNode {
  let node = nodes.get(schema);
  if (node === undefined) nodes.set(schema, (node = makeNode(schema)));
  return node;
}

/** The same with other bounds: what no bound concerns is shared. */
export function boundedNodeOf(schema: SchemaProps, bounds: Bounds): SchemaNode {
  const node = nodeOf(schema);
  const { items, properties, additionalProperties } = node;
  const own = bounds.get(schema);
  const changed: Partial<Writable<SchemaNode>> = own === undefined ? {} : { [boundKeyword(schema)]: own }; // prettier-ignore
  const inItems = items && boundedNodeOf(schema.items?.schema as SchemaProps, bounds);
  if (inItems !== undefined && inItems !== items) changed.items = inItems;
  const { schema: values } = schema.additionalProperties ?? {};
  const inValues = values && boundedNodeOf(values, bounds);
  if (inValues !== undefined && inValues !== additionalProperties?.schema) {
    changed.additionalProperties = { allows: true, schema: inValues };
  }
  let fields: Map<string, SchemaNode> | undefined;
  for (const [name, property] of schema.properties ?? []) {
    const bounded = boundedNodeOf(property, bounds);
    if (bounded === properties?.get(name)) continue;
    fields ??= new Map(properties);
    fields.set(name, bounded);
  }
  if (fields !== undefined) changed.properties = fields;
  return Object.keys(changed).length === 0 ? node : { ...node, ...changed };
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

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

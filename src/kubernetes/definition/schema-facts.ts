/** What is known of the schemas of a definition once it was asked for. */
import { SchemaNode, type SchemaKeywords } from '../apiserver/schema.js';
import { boundKeyword, type Bounds } from './rule-costs.js';
import { schemasBelow, type SchemaProps } from './schema-props.js';

export class SchemaFacts {
  readonly #nodes = new Map<SchemaProps, SchemaNode>();
  readonly #unsupported = new Map<SchemaProps, string | undefined>();
  readonly #sizes = new Map<SchemaProps, number>();

  /** The tree that judges values, made of a schema that turned out to be structural. */
  readonly node = (schema: SchemaProps): SchemaNode => {
    let node = this.#nodes.get(schema);
    if (node === undefined) this.#nodes.set(schema, (node = makeNode(schema, this.node)));
    return node;
  };

  /** The same with other bounds: what no bound concerns is shared. */
  boundedNode(schema: SchemaProps, bounds: Bounds): SchemaNode {
    const node = this.node(schema);
    const { items, properties, additionalProperties } = node;
    const own = bounds.get(schema);
    const changed: Partial<Writable<SchemaKeywords>> = own === undefined ? {} : { [boundKeyword(schema)]: own }; // prettier-ignore
    const inItems = items && this.boundedNode(schema.items?.schema as SchemaProps, bounds);
    if (inItems !== undefined && inItems !== items) changed.items = inItems;
    const { schema: values } = schema.additionalProperties ?? {};
    const inValues = values && this.boundedNode(values, bounds);
    if (inValues !== undefined && inValues !== additionalProperties?.schema) {
      changed.additionalProperties = { allows: true, schema: inValues };
    }
    let fields: Map<string, SchemaNode> | undefined;
    for (const [name, property] of schema.properties ?? []) {
      const bounded = this.boundedNode(property, bounds);
      if (bounded === properties?.get(name)) continue;
      fields ??= new Map(properties);
      fields.set(name, bounded);
    }
    if (fields !== undefined) changed.properties = fields;
    return Object.keys(changed).length === 0 ? node : new SchemaNode({ ...node, ...changed });
  }

  /** Why no structural schema can be made of a schema; undefined where one can. */
  readonly unsupported = (schema: SchemaProps): string | undefined => {
    if (!this.#unsupported.has(schema)) {
      this.#unsupported.set(schema, findUnsupported(schema, this.unsupported));
    }
    return this.#unsupported.get(schema);
  };

  /** How many schemas a schema is made of. */
  readonly size = (schema: SchemaProps): number => {
    let size = this.#sizes.get(schema);
    if (size === undefined) this.#sizes.set(schema, (size = sizeOf(schema, this.size)));
    return size;
  };
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

function sizeOf(
  { items, additionalProperties, properties }: SchemaProps,
  sizeBelow: (schema: SchemaProps) => number,
): number {
  const below = [items?.schema, additionalProperties?.schema, ...(properties?.values() ?? [])];
  return below.reduce((sum, each) => sum + (each === undefined ? 0 : sizeBelow(each)), 1);
}

function findUnsupported(
  schema: SchemaProps,
  reasonBelow: (schema: SchemaProps) => string | undefined,
): string | undefined {
  const keyword = unsupportedKeyword(schema);
  if (keyword !== undefined) return `OpenAPIV3Schema '${keyword}' is not supported`;
  if (schema.preserveUnknownFields === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if ((schema.items?.schemas.length ?? 0) > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const below of schemasBelow(schema)) {
    const reason = reasonBelow(below);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function unsupportedKeyword(schema: SchemaProps): string | undefined {
  if (schema.id !== '') return 'id';
  if (schema.schemaUrl !== '') return 'schema';
  if (schema.ref !== undefined && schema.ref !== '') return '$ref';
  if ((schema.patternProperties?.size ?? 0) > 0) return 'patternProperties';
  if ((schema.dependencies?.size ?? 0) > 0) return 'dependencies';
  if (schema.additionalItems !== undefined) return 'additionalItems';
  return (schema.definitions?.size ?? 0) > 0 ? 'definitions' : undefined;
}

function makeNode(schema: SchemaProps, nodes: (schema: SchemaProps) => SchemaNode): SchemaNode {
  const { additionalProperties, items, properties } = schema;
  return new SchemaNode({
    type: schema.type,
    nullable: schema.nullable,
    format: schema.format,
    exclusiveMaximum: schema.exclusiveMaximum,
    exclusiveMinimum: schema.exclusiveMinimum,
    pattern: schema.pattern,
    uniqueItems: schema.uniqueItems,
    required: schema.required ?? [],
    allOf: (schema.allOf ?? []).map(nodes),
    anyOf: (schema.anyOf ?? []).map(nodes),
    oneOf: (schema.oneOf ?? []).map(nodes),
    preserveUnknownFields: schema.preserveUnknownFields === true,
    embeddedResource: schema.embeddedResource,
    intOrString: schema.intOrString,
    listMapKeys: schema.listMapKeys ?? [],
    rules: (schema.rules ?? []).map(({ reason, optionalOldSelf, ...rule }) => ({
      ...rule,
      optionalOldSelf: optionalOldSelf === true,
      reason,
    })),
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
    items: items?.schema === undefined ? undefined : nodes(items.schema),
    not: schema.not === undefined ? undefined : nodes(schema.not),
    properties:
      properties === undefined || properties.size === 0
        ? undefined
        : new Map([...properties].map(([name, property]) => [name, nodes(property)] as const)),
    additionalProperties:
      additionalProperties === undefined
        ? undefined
        : {
            allows: additionalProperties.allows,
            schema: additionalProperties.schema && nodes(additionalProperties.schema),
          },
  });
}

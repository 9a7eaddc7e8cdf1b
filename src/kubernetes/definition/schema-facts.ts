import { SchemaNode, type SchemaKeywords } from '../apiserver/schema.js';
import { boundKeyword, type Bounds } from './rule-costs.js';
import { schemasBelow } from './schema-walk.js';

export class SchemaFacts {
  readonly #unsupported = new Map<SchemaNode, string | undefined>();
  readonly #sizes = new Map<SchemaNode, number>();

  /** Why no structural schema can be made of a schema; undefined where one can. */
  readonly unsupported = (schema: SchemaNode): string | undefined => {
    if (!schema.holds('unstructured')) return undefined;
    if (!this.#unsupported.has(schema)) {
      this.#unsupported.set(schema, findUnsupported(schema, this.unsupported));
    }
    return this.#unsupported.get(schema);
  };

  readonly size = (schema: SchemaNode): number => {
    let size = this.#sizes.get(schema);
    if (size === undefined) this.#sizes.set(schema, (size = sizeOf(schema, this.size)));
    return size;
  };
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** The schema with other bounds; schemas without a changed bound are shared. */
export function withBounds(schema: SchemaNode, bounds: Bounds): SchemaNode {
  const { items, properties, additionalProperties } = schema;
  const own = bounds.get(schema);
  const changed: Partial<Writable<SchemaKeywords>> = own === undefined ? {} : { [boundKeyword(schema)]: own }; // prettier-ignore
  const inItems = items && withBounds(items, bounds);
  if (inItems !== items) changed.items = inItems;
  const values = additionalProperties?.schema;
  const inValues = values && withBounds(values, bounds);
  if (inValues !== values) changed.additionalProperties = { allows: true, schema: inValues };
  let fields: Map<string, SchemaNode> | undefined;
  for (const [name, property] of properties ?? []) {
    const bounded = withBounds(property, bounds);
    if (bounded === property) continue;
    fields ??= new Map(properties);
    fields.set(name, bounded);
  }
  if (fields !== undefined) changed.properties = fields;
  return Object.keys(changed).length === 0 ? schema : new SchemaNode({ ...schema, ...changed });
}

function sizeOf(
  { items, additionalProperties, properties }: SchemaNode,
  sizeBelow: (schema: SchemaNode) => number,
): number {
  const below = [items, additionalProperties?.schema, ...(properties?.values() ?? [])];
  return below.reduce((sum, each) => sum + (each === undefined ? 0 : sizeBelow(each)), 1);
}

function findUnsupported(
  schema: SchemaNode,
  reasonBelow: (schema: SchemaNode) => string | undefined,
): string | undefined {
  const keyword = unsupportedKeyword(schema);
  if (keyword !== undefined) return `OpenAPIV3Schema '${keyword}' is not supported`;
  if (schema.preserveUnknownFields === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if ((schema.unjudged?.itemList?.schemas.length ?? 0) > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const below of schemasBelow(schema)) {
    const reason = reasonBelow(below);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function unsupportedKeyword({ unjudged }: SchemaNode): string | undefined {
  if (unjudged === undefined) return undefined;
  if (unjudged.id !== undefined) return 'id';
  if (unjudged.schemaUrl !== undefined) return 'schema';
  if (unjudged.ref !== undefined && unjudged.ref !== '') return '$ref';
  if ((unjudged.patternProperties?.size ?? 0) > 0) return 'patternProperties';
  if ((unjudged.dependencies?.size ?? 0) > 0) return 'dependencies';
  if (unjudged.additionalItems !== undefined) return 'additionalItems';
  return (unjudged.definitions?.size ?? 0) > 0 ? 'definitions' : undefined;
}

/** Types that rules are checked against: k8s.io/apiserver/pkg/cel/{common/schemas,types}.go. */
import {
  type CelType,
  listOfType,
  mapOfType,
  objectType,
  types,
  type DeclaredSizes,
} from '../../../cel/index.js';
import type { SchemaNode } from '../schema.js';
import { escapeName } from './field-names.js';
import { largest } from '../../../text/long-lists.js';

/** Undefined where rules cannot see them. @param name of the place: object types differ from place to place */
export function typeOfSchema(
  schema: SchemaNode,
  isResource: boolean,
  name = 'selfType',
): CelType | undefined {
  if (schema.intOrString) return types.dyn;
  const node = isResource ? schema.asResource() : schema;
  switch (node.type) {
    case 'array': {
      const item =
        node.items && typeOfSchema(node.items, node.items.embeddedResource, `${name}.@idx`);
      return item && listOfType(item);
    }
    case 'object':
      return node.declaredType(name, () => typeOfObject(node, name));
    case 'string':
      return textTypes.get(node.format) ?? types.string;
    case 'boolean':
      return types.bool;
    case 'number':
      return types.double;
    case 'integer':
      return types.int;
    default:
      return undefined;
  }
}

const textTypes = new Map([
  ['byte', types.bytes],
  ['duration', types.duration],
  ['date', types.timestamp],
  ['date-time', types.timestamp],
]);

function typeOfObject(schema: SchemaNode, name: string): CelType | undefined {
  const additional = schema.additionalProperties?.schema;
  if (additional !== undefined) {
    const value = typeOfSchema(additional, additional.embeddedResource, `${name}.@elem`);
    return value && mapOfType(types.string, value);
  }
  const fields = new Map<string, CelType>();
  for (const [property, node] of schema.properties ?? []) {
    const identifier = escapeName(property);
    if (identifier === undefined) continue;
    const field = typeOfSchema(node, node.embeddedResource, `${name}.${identifier}`);
    if (field !== undefined) fields.set(identifier, field);
  }
  return objectType(name, fields);
}

// Largest in one request. Sources: SchemaDeclType in apiserver/pkg/cel/common/schemas.go, pkg/cel/limits.go.

/** Bytes of a request; what no schema bounds is bounded by it. */
const maxRequestBytes = 3n * 1024n * 1024n;

export interface SchemaSizes extends DeclaredSizes {
  /** Bytes that the smallest value takes as JSON. */
  readonly minSerializedSize: bigint;
}

interface Counting {
  /** Whether maxLength bounds the text of an int-or-string, as newer servers count. */
  readonly boundsIntOrString: boolean;
  /** Whether names of resources are as long as a name may be, as still newer servers count. */
  readonly boundsNames: boolean;
  /** Weight of a character: four bytes when costs are estimated, one when an evaluation pays for it. */
  readonly character: bigint;
}

export const ofEstimates: Counting = {
  boundsIntOrString: true,
  boundsNames: false,
  character: 4n,
};
/** Source: cel-go/interpreter/runtimecost.go (actualSize), cel-go/common/types/string.go (Size). */
export const ofEvaluations: Counting = { ...ofEstimates, character: 1n };

/**
 * Undefined where rules cannot see them. @param isResource has kind, apiVersion and metadata without naming them
 */
export function sizesOfSchema(
  schema: SchemaNode,
  isResource: boolean,
  counting: Counting = ofEstimates,
): SchemaSizes | undefined {
  if (schema.intOrString) {
    const maxElements = counting.boundsIntOrString ? charactersOf(schema, counting) : content;
    return { minSerializedSize: 1n, maxElements };
  }
  const node = isResource ? schema.asResource(counting.boundsNames) : schema;
  switch (node.type) {
    case 'array':
      return sizesOfList(node, counting);
    case 'object':
      return sizesOfObject(node, counting);
    case 'string':
      switch (node.format) {
        case 'byte':
          return { minSerializedSize: 2n, maxElements: bound(node.maxLength) ?? content };
        case 'duration':
          return { minSerializedSize: 3n, maxElements: 32n };
        case 'date':
          return { minSerializedSize: 12n, maxElements: 12n };
        case 'date-time':
          return { minSerializedSize: 21n, maxElements: 32n };
        default:
          return { minSerializedSize: 2n, maxElements: charactersOf(node, counting) };
      }
    case 'boolean':
      return { minSerializedSize: 4n, maxElements: 0n };
    case 'number':
    case 'integer':
      return { minSerializedSize: 1n, maxElements: 0n };
    default:
      return undefined;
  }
}

/** How often a value fits into one request. Source: maxCardinality in apiextensions' schema/cel/compilation.go. */
export function maxCardinality({ minSerializedSize }: SchemaSizes): bigint {
  return maxRequestBytes / (minSerializedSize + 1n);
}

/** Without the brackets, or quotes. */
const content = maxRequestBytes - 2n;

function bound(maximum: number | undefined): bigint | undefined {
  if (maximum === undefined) return undefined;
  const most = 2n ** 63n - 1n;
  if (maximum < 0) return 0n;
  return BigInt(maximum) > most ? most : BigInt(maximum);
}

function sizesOfList({ items, maxItems }: SchemaNode, counting: Counting): SchemaSizes | undefined {
  const item = items && sizesOfSchema(items, items.embeddedResource, counting);
  if (item === undefined) return undefined;
  const maxElements = bound(maxItems) ?? content / (item.minSerializedSize + 1n);
  return { minSerializedSize: 2n, maxElements, item };
}

const key: DeclaredSizes = { maxElements: 0n };

function sizesOfObject(schema: SchemaNode, counting: Counting): SchemaSizes | undefined {
  const { additionalProperties, maxProperties, properties, required } = schema;
  const values = additionalProperties?.schema;
  if (values !== undefined) {
    const item = sizesOfSchema(values, values.embeddedResource, counting);
    if (item === undefined) return undefined;
    const maxElements = bound(maxProperties) ?? content / (item.minSerializedSize + 6n);
    return { minSerializedSize: 2n, maxElements, item, key };
  }
  const fields = new Map<string, DeclaredSizes>();
  let minSerializedSize = 2n;
  for (const [name, node] of properties ?? []) {
    const field = sizesOfSchema(node, node.embeddedResource, counting);
    if (field === undefined) continue;
    const identifier = escapeName(name);
    if (identifier !== undefined) fields.set(identifier, field);
    // A required field with a default may be left out.
    if (required.includes(name) && node.default === undefined) {
      minSerializedSize += BigInt(Buffer.byteLength(name)) + field.minSerializedSize + 4n;
    }
  }
  return { minSerializedSize, maxElements: 0n, fields };
}

/** For an enumeration, the length of its longest text. */
function charactersOf(
  { maxLength, enum: values, intOrString }: SchemaNode,
  { character }: Counting,
): bigint {
  const most = bound(maxLength);
  if (most !== undefined) return most * character;
  if (intOrString || values === undefined || values.length === 0) return content;
  const lengths = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return BigInt(largest(lengths, 0));
}

/**
 * A version's schema as the API server decodes it (apiextensions.JSONSchemaProps): unknown keywords
 * are gone, absent ones have Go's zero value. This is the tree that validation, pruning, defaulting,
 * CEL and the proof profile walk.
 */
import type { JsonValue } from '../../text/documents/index.js';

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason?: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/** What a schema may hold, so that walks for it skip what has none of it; one bit each. */
const parts = {
  defaults: 1,
  /** Rules in CEL; those under allOf do not count. */
  rules: 2,
  rulesUnderAllOf: 4,
  embedded: 8,
  /** Lists of type `set` or `map`. */
  listTypes: 16,
} as const;

export class SchemaNode {
  /** Empty where the schema names no type. */
  readonly type: string;
  readonly nullable: boolean;
  /** Absent for no default; a default of `null` is none. */
  declare readonly default?: JsonValue;
  readonly format: string;
  declare readonly maximum?: number;
  readonly exclusiveMaximum: boolean;
  declare readonly minimum?: number;
  readonly exclusiveMinimum: boolean;
  declare readonly maxLength?: number;
  declare readonly minLength?: number;
  readonly pattern: string;
  declare readonly maxItems?: number;
  declare readonly minItems?: number;
  readonly uniqueItems: boolean;
  declare readonly multipleOf?: number;
  declare readonly maxProperties?: number;
  declare readonly minProperties?: number;
  readonly required: readonly string[];
  declare readonly enum?: readonly JsonValue[];
  declare readonly items?: SchemaNode;
  /** Undefined where the keyword is absent or empty. */
  declare readonly properties?: ReadonlyMap<string, SchemaNode>;
  declare readonly additionalProperties?: {
    readonly allows: boolean;
    readonly schema?: SchemaNode;
  };
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  declare readonly not?: SchemaNode;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  declare readonly listType?: string;
  readonly listMapKeys: readonly string[];
  declare readonly mapType?: string;
  readonly rules: readonly ValidationRule[];
  #parts: number | undefined;
  #requiredNames: ReadonlySet<string> | undefined;
  #leastSize: number | undefined;
  #asResource: SchemaNode | undefined;
  #asBoundedResource: SchemaNode | undefined;

  constructor(from: SchemaKeywords) {
    this.type = from.type;
    this.nullable = from.nullable;
    this.format = from.format;
    this.exclusiveMaximum = from.exclusiveMaximum;
    this.exclusiveMinimum = from.exclusiveMinimum;
    this.pattern = from.pattern;
    this.uniqueItems = from.uniqueItems;
    this.required = from.required;
    this.allOf = from.allOf;
    this.anyOf = from.anyOf;
    this.oneOf = from.oneOf;
    this.preserveUnknownFields = from.preserveUnknownFields;
    this.embeddedResource = from.embeddedResource;
    this.intOrString = from.intOrString;
    this.listMapKeys = from.listMapKeys;
    this.rules = from.rules;
    // A schema of 100,000 fields has room for those that are there.
    if (from.default !== undefined) this.default = from.default;
    if (from.maximum !== undefined) this.maximum = from.maximum;
    if (from.minimum !== undefined) this.minimum = from.minimum;
    if (from.maxLength !== undefined) this.maxLength = from.maxLength;
    if (from.minLength !== undefined) this.minLength = from.minLength;
    if (from.maxItems !== undefined) this.maxItems = from.maxItems;
    if (from.minItems !== undefined) this.minItems = from.minItems;
    if (from.multipleOf !== undefined) this.multipleOf = from.multipleOf;
    if (from.maxProperties !== undefined) this.maxProperties = from.maxProperties;
    if (from.minProperties !== undefined) this.minProperties = from.minProperties;
    if (from.enum !== undefined) this.enum = from.enum;
    if (from.items !== undefined) this.items = from.items;
    if (from.properties !== undefined) this.properties = from.properties;
    if (from.additionalProperties !== undefined)
      this.additionalProperties = from.additionalProperties;
    if (from.not !== undefined) this.not = from.not;
    if (from.listType !== undefined) this.listType = from.listType;
    if (from.mapType !== undefined) this.mapType = from.mapType;
  }

  /** Whether it has such a part, or one beneath has. */
  holds(part: keyof typeof parts): boolean {
    return (this.parts & parts[part]) !== 0;
  }

  private get parts(): number {
    return (this.#parts ??= partsOf(this, (inner) => inner.parts));
  }

  requires(name: string): boolean {
    if (this.required.length === 0) return false;
    return (this.#requiredNames ??= new Set(this.required)).has(name);
  }

  /** The size of the smallest value that has what the schema requires, logical operators aside. */
  get leastSize(): number {
    return (this.#leastSize ??= this.required.reduce((size, name) => {
      const field = this.properties?.get(name);
      return field?.default === undefined ? size + (field?.leastSize ?? 1) : size;
    }, 1));
  }

  /**
   * The schema with kind, apiVersion, metadata.name and metadata.generateName, which every resource
   * has whether its schema names them or not.
   *
   * @param boundsNames whether these names are as long as a name may be, as newer servers count
   */
  asResource(boundsNames = false): SchemaNode {
    return boundsNames
      ? (this.#asBoundedResource ??= withTypeAndMeta(this, true))
      : (this.#asResource ??= withTypeAndMeta(this, false));
  }
}

/** The keywords of a node, which a changed copy is made of. */
export type SchemaKeywords = Omit<SchemaNode, 'holds' | 'requires' | 'leastSize' | 'asResource'>;

const named: Readonly<Record<keyof SchemaKeywords, true>> = {
  type: true,
  nullable: true,
  default: true,
  format: true,
  maximum: true,
  exclusiveMaximum: true,
  minimum: true,
  exclusiveMinimum: true,
  maxLength: true,
  minLength: true,
  pattern: true,
  maxItems: true,
  minItems: true,
  uniqueItems: true,
  multipleOf: true,
  maxProperties: true,
  minProperties: true,
  required: true,
  enum: true,
  items: true,
  properties: true,
  additionalProperties: true,
  allOf: true,
  anyOf: true,
  oneOf: true,
  not: true,
  preserveUnknownFields: true,
  embeddedResource: true,
  intOrString: true,
  listType: true,
  listMapKeys: true,
  mapType: true,
  rules: true,
};

/** All that a node may have, in one order, whatever order its own are in. */
export const keywordsOfNodes = Object.keys(named) as readonly (keyof SchemaKeywords)[];

function partsOf(schema: SchemaNode, inner: (schema: SchemaNode) => number): number {
  let found = 0;
  if (schema.default !== undefined) found |= parts.defaults;
  if (schema.rules.length > 0) found |= parts.rules;
  if (schema.embeddedResource) found |= parts.embedded;
  if (schema.listType === 'set' || schema.listType === 'map') found |= parts.listTypes;
  if (schema.items !== undefined) found |= inner(schema.items);
  const others = schema.additionalProperties?.schema;
  if (others !== undefined) found |= inner(others);
  if (schema.properties !== undefined) {
    for (const property of schema.properties.values()) found |= inner(property);
  }
  for (const branch of schema.allOf) {
    if ((inner(branch) & (parts.rules | parts.rulesUnderAllOf)) !== 0) {
      found |= parts.rulesUnderAllOf;
    }
  }
  return found;
}

const empty: SchemaKeywords = {
  type: '',
  nullable: false,
  format: '',
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  pattern: '',
  uniqueItems: false,
  required: [],
  allOf: [],
  anyOf: [],
  oneOf: [],
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: [],
  rules: [],
};
const string = new SchemaNode({ ...empty, type: 'string' });
const metadata = new SchemaNode({
  ...empty,
  type: 'object',
  properties: new Map([
    ['name', string],
    ['generateName', string],
  ]),
});

/** A generated suffix has a byte at least. */
const longestName = 253;
const longestGenerateName = longestName - 1;

function bounded(schema: SchemaNode | undefined, most: number): SchemaNode {
  return new SchemaNode({ ...string, maxLength: Math.min(schema?.maxLength ?? most, most) });
}

function withTypeAndMeta(schema: SchemaNode, boundsNames: boolean): SchemaNode {
  const properties = new Map(schema.properties);
  const own = properties.get('metadata')?.properties;
  const isComplete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    own?.get('name')?.type === 'string' &&
    own.get('generateName')?.type === 'string';
  if (!isComplete) {
    const names = new Map([
      ['name', bounded(own?.get('name'), longestName)],
      ['generateName', bounded(own?.get('generateName'), longestGenerateName)],
    ]);
    properties
      .set('kind', string)
      .set('apiVersion', string)
      .set('metadata', boundsNames ? new SchemaNode({ ...metadata, properties: names }) : metadata);
  }
  return new SchemaNode({ ...schema, properties });
}

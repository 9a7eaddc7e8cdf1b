/**
 * A version's schema as the API server decodes it (apiextensions.JSONSchemaProps): unknown keywords
 * are gone, absent ones have Go's zero value. Validation, pruning, defaulting, CEL, the proof profile
 * and the rules for schemas themselves walk this tree.
 */
import type { CelType } from '../../cel/index.js';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';

export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason?: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** A list that is absent. It is as empty as any, and yet another value than one that is there. */
export const absent: readonly never[] = Object.freeze([]);

export interface SchemaOrFlag {
  readonly allows: boolean;
  readonly schema?: SchemaNode | undefined;
}

type Schemas = ReadonlyMap<string, SchemaNode>;

/** Keywords by which no value is judged. What is absent or empty text is undefined. */
export interface UnjudgedKeywords {
  readonly id?: string | undefined;
  readonly schemaUrl?: string | undefined;
  readonly ref?: string | undefined;
  readonly description?: string | undefined;
  readonly title?: string | undefined;
  /** Set where `items` is not a single schema. */
  readonly itemList?: { readonly schemas: readonly SchemaNode[] } | undefined;
  readonly patternProperties?: Schemas | undefined;
  readonly dependencies?: ReadonlyMap<string, SchemaNode | undefined> | undefined;
  readonly additionalItems?: SchemaOrFlag | undefined;
  readonly definitions?: Schemas | undefined;
  readonly externalDocs?: JsonObject | undefined;
  readonly example?: JsonValue | undefined;
}

/** Parts that a schema may hold, one bit each, so that walks skip schemas without them. */
const parts = {
  defaults: 1,
  /** Rules in CEL; those under allOf do not count. */
  rules: 2,
  rulesUnderAllOf: 4,
  embedded: 8,
  /** Lists of type `set` or `map`. */
  listTypes: 16,
  /** Schemas that keep fields which they do not declare. */
  unknownFields: 32,
  /** `additionalProperties: false`, those under anyOf and its like aside. */
  closed: 64,
  /** `additionalProperties: false` somewhere under anyOf and its like. */
  closedUnderClauses: 128,
  /** Content that no structural schema may have, in whatever keyword. */
  unstructured: 256,
  /** Formats and integers, also under anyOf and its like: what releases judge values differently by. */
  released: 512,
  /** Without it are known types with fields, items, bounds and descriptions, however schemas around them stand. */
  refusable: 1024,
} as const;

export interface SchemaOrigin {
  readonly source: JsonObject;
  readonly nodes: number;
  /** How many of them are inside each other. */
  readonly height: number;
}

/** Names under which the type of one schema is kept. */
const maxDeclared = 4;

export class SchemaNode {
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
  declare readonly properties?: Schemas;
  declare readonly additionalProperties?: SchemaOrFlag;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  declare readonly not?: SchemaNode;
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  declare readonly listType?: string;
  readonly listMapKeys: readonly string[];
  declare readonly mapType?: string;
  readonly rules: readonly ValidationRule[];
  declare readonly unjudged?: UnjudgedKeywords;
  readonly #origin: SchemaOrigin | undefined;
  #parts: number | undefined;
  #requiredNames: ReadonlySet<string> | undefined;
  #leastSize: number | undefined;
  #asResource: SchemaNode | undefined;
  #asBoundedResource: SchemaNode | undefined;
  #declared: Map<string, CelType | undefined> | undefined;

  /** @param origin undefined where it was made of other schemas */
  constructor(from: SchemaKeywords, origin?: SchemaOrigin) {
    this.#origin = origin;
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
    // Absent keywords take no memory: a definition may have 100,000 fields.
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
    if (from.unjudged !== undefined) this.unjudged = from.unjudged;
    // The schemas below were read just before.
    if (origin !== undefined) this.#parts = partsOf(this, (inner) => inner.parts);
  }

  get origin(): SchemaOrigin | undefined {
    return this.#origin;
  }

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

  /** The type that its values have in rules; kept, for rules of every schema around it ask for it too. */
  declaredType(name: string, declare: () => CelType | undefined): CelType | undefined {
    const known = (this.#declared ??= new Map<string, CelType | undefined>());
    if (known.has(name)) return known.get(name);
    const type = declare();
    // An author who writes rules at all levels of a deep schema has each type declared under as many names.
    if (known.size === maxDeclared) known.clear();
    known.set(name, type);
    return type;
  }

  /** Every resource has them, named or not. @param boundsNames as long as a name may be, as on newer servers */
  asResource(boundsNames = false): SchemaNode {
    return boundsNames
      ? (this.#asBoundedResource ??= withTypeAndMeta(this, true))
      : (this.#asResource ??= withTypeAndMeta(this, false));
  }
}

/** The keywords of a node, which a changed copy is made of. */
export type SchemaKeywords = Omit<
  SchemaNode,
  'origin' | 'holds' | 'requires' | 'leastSize' | 'asResource' | 'declaredType'
>;
export type JudgedKeyword = Exclude<keyof SchemaKeywords, 'unjudged'>;
type UnjudgedKeyword = Exclude<keyof UnjudgedKeywords, 'itemList'>;
export type Keyword = JudgedKeyword | UnjudgedKeyword;

/** In the order of the fields of Go's struct; those of the API come last. */
const allKeywords = `
    id schemaUrl ref description type nullable format title default maximum exclusiveMaximum
    minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems
    multipleOf enum maxProperties minProperties required items allOf oneOf anyOf not properties
    additionalProperties patternProperties dependencies additionalItems definitions externalDocs
    example preserveUnknownFields embeddedResource intOrString listMapKeys listType mapType
    rules`
  .trim()
  .split(/\s+/) as readonly Keyword[];

const unjudgedKeywords: ReadonlySet<string> = new Set(
  'id schemaUrl ref description title patternProperties dependencies additionalItems definitions externalDocs example'.split(
    ' ',
  ),
);

function isJudged(keyword: Keyword): keyword is JudgedKeyword {
  return !unjudgedKeywords.has(keyword);
}

/** All that a value may be judged by, in one order, whatever order a node's own are in. */
export const keywordsOfNodes = allKeywords.filter(isJudged);

/** Keywords that are pointers in Go: they count even where they point to a zero value. */
const pointers: ReadonlySet<string> = new Set(
  'ref preserveUnknownFields listType mapType default example'.split(' '),
);

export function isUsed(schema: SchemaNode, keyword: Keyword): boolean {
  const { unjudged } = schema;
  if (keyword === 'items' && unjudged?.itemList !== undefined) return true;
  const value = isJudged(keyword) ? schema[keyword] : unjudged?.[keyword];
  if (value === undefined || value === absent) return false;
  return pointers.has(keyword) || (value !== '' && value !== false);
}

export function usedKeywords(schema: SchemaNode): Keyword[] {
  return allKeywords.filter((keyword) => isUsed(schema, keyword));
}

function partsOf(schema: SchemaNode, inner: (schema: SchemaNode) => number): number {
  let found = 0;
  if (schema.default !== undefined) found |= parts.defaults;
  if (schema.rules.length > 0) found |= parts.rules;
  if (schema.embeddedResource) found |= parts.embedded;
  if (schema.preserveUnknownFields) found |= parts.unknownFields;
  if (schema.listType === 'set' || schema.listType === 'map') found |= parts.listTypes;
  if (schema.format !== '' || schema.type === 'integer') found |= parts.released;
  if (isUnstructured(schema)) found |= parts.unstructured | parts.refusable;
  if (isRefusable(schema)) found |= parts.refusable;
  if (schema.items !== undefined) found |= inner(schema.items);
  if (schema.additionalProperties !== undefined) {
    const others = schema.additionalProperties.schema;
    found |= others === undefined ? parts.closed : inner(others);
  }
  if (schema.properties !== undefined) {
    for (const property of schema.properties.values()) found |= inner(property);
  }
  for (const branch of schema.allOf) {
    const below = inner(branch);
    found |= partsUnderClause(below);
    if ((below & (parts.rules | parts.rulesUnderAllOf)) !== 0) found |= parts.rulesUnderAllOf;
  }
  for (const branch of schema.anyOf) found |= partsUnderClause(inner(branch));
  for (const branch of schema.oneOf) found |= partsUnderClause(inner(branch));
  if (schema.not !== undefined) found |= partsUnderClause(inner(schema.not));
  return found;
}

function partsUnderClause(below: number): number {
  const isClosed = (below & (parts.closed | parts.closedUnderClauses)) !== 0;
  return (
    (below & (parts.unstructured | parts.released)) | (isClosed ? parts.closedUnderClauses : 0)
  );
}

/** Whether a schema itself says what no structural schema can; what else is beneath such a keyword does not matter. */
function isUnstructured({ preserveUnknownFields, unjudged }: SchemaNode): boolean {
  if (preserveUnknownFields === false) return true;
  return unjudged !== undefined && Object.keys(unjudged).some((key) => !isKept.has(key));
}

function isRefusable(schema: SchemaNode): boolean {
  const { type, additionalProperties, properties, items, listType, mapType } = schema;
  return (
    (type === 'array' ? items === undefined : !plainTypes.has(type) && !schema.intOrString) ||
    (schema.intOrString && !isIntOrString(schema)) ||
    schema.pattern !== '' ||
    schema.default !== undefined ||
    schema.embeddedResource ||
    schema.uniqueItems ||
    schema.rules.length > 0 ||
    schema.listMapKeys.length > 0 ||
    (listType !== undefined && (listType !== 'atomic' || type !== 'array')) ||
    (mapType !== undefined && (mapType !== 'atomic' || type !== 'object')) ||
    (additionalProperties !== undefined && properties !== undefined) ||
    (schema.anyOf.length > 0 && !isIntOrString(schema)) ||
    schema.allOf.length + schema.oneOf.length > 0 ||
    schema.not !== undefined
  );
}

const plainTypes: ReadonlySet<string> = new Set('string number integer boolean object'.split(' '));

/** Spelled as controller-gen does. */
function isIntOrString({ intOrString, type, anyOf, preserveUnknownFields }: SchemaNode): boolean {
  const isSuch = (branch: SchemaNode | undefined, only: string): boolean =>
    branch?.type === only && Object.keys(branch.origin?.source ?? {}).length === 1;
  return (
    intOrString &&
    type === '' &&
    preserveUnknownFields === undefined &&
    (anyOf.length === 0 ||
      (anyOf.length === 2 && isSuch(anyOf[0], 'integer') && isSuch(anyOf[1], 'string')))
  );
}

/** Keywords without a meaning that a structural schema may have. */
const isKept: ReadonlySet<string> = new Set(['description', 'title', 'externalDocs', 'example']);

/** Keywords of a schema that says nothing, all of them, so that every schema is made in the same shape. */
export const noKeywords: SchemaKeywords = {
  type: '',
  nullable: false,
  format: '',
  default: undefined,
  maximum: undefined,
  exclusiveMaximum: false,
  minimum: undefined,
  exclusiveMinimum: false,
  maxLength: undefined,
  minLength: undefined,
  pattern: '',
  maxItems: undefined,
  minItems: undefined,
  uniqueItems: false,
  multipleOf: undefined,
  enum: undefined,
  maxProperties: undefined,
  minProperties: undefined,
  required: absent,
  items: undefined,
  allOf: absent,
  oneOf: absent,
  anyOf: absent,
  not: undefined,
  properties: undefined,
  additionalProperties: undefined,
  preserveUnknownFields: undefined,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: absent,
  listType: undefined,
  mapType: undefined,
  rules: absent,
  unjudged: undefined,
};

const string = new SchemaNode({ ...noKeywords, preserveUnknownFields: false, type: 'string' });
const metadata = new SchemaNode({
  ...noKeywords,
  preserveUnknownFields: false,
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

/**
 * A version's schema as the API server decodes it (apiextensions.JSONSchemaProps): unknown keywords
 * are gone, absent ones have Go's zero value. This is the tree that validation, pruning, defaulting,
 * CEL and the proof profile walk.
 */
import {
  InvalidInputError,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { float64Of, isNumber } from '../../text/go/index.js';
import { KnownSchemas } from './known-schemas.js';

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason?: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

export interface SchemaNode {
  /** Empty where the schema names no type. */
  readonly type: string;
  readonly nullable: boolean;
  /** Absent for no default; a default of `null` is none. */
  readonly default?: JsonValue;
  readonly format: string;
  readonly maximum?: number;
  readonly exclusiveMaximum: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems: boolean;
  readonly multipleOf?: number;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required: readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly items?: SchemaNode;
  /** Undefined where the keyword is absent or empty. */
  readonly properties?: ReadonlyMap<string, SchemaNode>;
  readonly additionalProperties?: { readonly allows: boolean; readonly schema?: SchemaNode };
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType?: string;
  readonly listMapKeys: readonly string[];
  readonly mapType?: string;
  readonly rules: readonly ValidationRule[];
}

const named: Readonly<Record<keyof SchemaNode, true>> = {
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
export const keywordsOfNodes = Object.keys(named) as readonly (keyof SchemaNode)[];

const unsupported = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
] as const;

/** Deepest nesting and most nodes that are read; a schema in memory that contains itself is refused. */
const maxDepth = 500;
const maxNodes = 500_000;

/** What reading one schema has seen so far. */
interface Progress {
  readonly ancestors: Set<JsonValue>;
  nodes: number;
  /** Most ancestors of what was read last. */
  deepest: number;
  readonly rootLength: number;
  readonly known: KnownSchemas<SchemaNode>;
}

/**
 * Reads a schema as JSON into nodes.
 *
 * @param path JSON path of the schema, for errors.
 * @param known what was read of another definition, for more than one
 * @throws InvalidInputError `E_INPUT` for a keyword of the wrong type or one that no API server
 *   accepts (`$ref`, `patternProperties`, …), or a schema that contains itself; `E_LIMIT` past
 *   {@link maxDepth} levels or {@link maxNodes} schemas.
 */
export function readSchema(
  schema: JsonValue,
  path: string,
  known = new KnownSchemas<SchemaNode>(),
): SchemaNode {
  const rootLength = path.length;
  return readNode(schema, path, { ancestors: new Set(), nodes: 0, deepest: 0, rootLength, known });
}

function readNode(schema: JsonValue, path: string, progress: Progress): SchemaNode {
  const { ancestors, known, rootLength } = progress;
  const depth = ancestors.size;
  const found = known.find(schema, path, rootLength);
  const outside = progress.deepest;
  const before = progress.nodes;
  progress.nodes += found?.nodes ?? 1;
  progress.deepest = depth + (found?.height ?? 0);
  if (progress.deepest > maxDepth || progress.nodes > maxNodes) {
    const limit = `${maxDepth} levels or ${maxNodes} schemas`;
    throw new InvalidInputError('E_LIMIT', `the schema has more than ${limit}`, { path });
  }
  if (ancestors.has(schema)) {
    throw new InvalidInputError('E_INPUT', 'the schema contains itself', { path });
  }
  let node = found?.schema;
  if (node === undefined) {
    ancestors.add(schema);
    node = nodeFrom(schema, path, progress);
    ancestors.delete(schema);
    const nodes = progress.nodes - before;
    const height = progress.deepest - depth;
    known.add(schema, { schema: node, path, rootLength, nodes, height });
  }
  progress.deepest = Math.max(outside, progress.deepest);
  return node;
}

function nodeFrom(schema: JsonValue, path: string, progress: Progress): SchemaNode {
  if (!isObject(schema)) throw wrongType(path, 'an object');
  const read = new Reader(schema, path, progress);
  for (const keyword of unsupported) {
    const value = own(schema, keyword);
    if (value !== undefined && value !== null && !isEmpty(value)) {
      throw new InvalidInputError('E_INPUT', `'${keyword}' is not supported in a CRD's schema`, {
        path: `${path}.${keyword}`,
      });
    }
  }
  const node: MutableNode = {
    type: read.string('type') ?? '',
    nullable: read.boolean('nullable'),
    format: read.string('format') ?? '',
    exclusiveMaximum: read.boolean('exclusiveMaximum'),
    exclusiveMinimum: read.boolean('exclusiveMinimum'),
    pattern: read.string('pattern') ?? '',
    uniqueItems: read.boolean('uniqueItems'),
    required: read.strings('required'),
    allOf: read.schemas('allOf'),
    anyOf: read.schemas('anyOf'),
    oneOf: read.schemas('oneOf'),
    preserveUnknownFields: read.boolean('x-kubernetes-preserve-unknown-fields'),
    embeddedResource: read.boolean('x-kubernetes-embedded-resource'),
    intOrString: read.boolean('x-kubernetes-int-or-string'),
    listMapKeys: read.strings('x-kubernetes-list-map-keys'),
    rules: read.rules(),
  };
  set(node, 'default', read.value('default'));
  set(node, 'maximum', read.number('maximum'));
  set(node, 'minimum', read.number('minimum'));
  set(node, 'multipleOf', read.number('multipleOf'));
  set(node, 'maxLength', read.number('maxLength'));
  set(node, 'minLength', read.number('minLength'));
  set(node, 'maxItems', read.number('maxItems'));
  set(node, 'minItems', read.number('minItems'));
  set(node, 'maxProperties', read.number('maxProperties'));
  set(node, 'minProperties', read.number('minProperties'));
  set(node, 'enum', read.enum());
  set(node, 'items', read.schema('items'));
  set(node, 'properties', read.properties());
  set(node, 'additionalProperties', read.additionalProperties());
  set(node, 'not', read.schema('not'));
  set(node, 'listType', read.string('x-kubernetes-list-type'));
  set(node, 'mapType', read.string('x-kubernetes-map-type'));
  return node;
}

type MutableNode = { -readonly [Keyword in keyof SchemaNode]: SchemaNode[Keyword] };

function set<Keyword extends keyof SchemaNode>(
  node: MutableNode,
  keyword: Keyword,
  value: SchemaNode[Keyword] | undefined,
): void {
  if (value !== undefined) node[keyword] = value;
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'string') return value === '';
  if (isNumber(value) || typeof value === 'boolean') return false;
  return isObject(value) && Object.keys(value).length === 0;
}

function wrongType(path: string, expected: string): InvalidInputError {
  return new InvalidInputError('E_INPUT', `must be ${expected}`, { path });
}

/** One for all: a schema of 100,000 fields has half a million empty lists. */
const none: readonly never[] = [];

class Reader {
  constructor(
    private readonly source: JsonObject,
    private readonly path: string,
    private readonly progress: Progress,
  ) {}

  /** The keyword's value; null counts as absent. */
  value(keyword: string): JsonValue | undefined {
    return own(this.source, keyword) ?? undefined;
  }

  string(keyword: string): string | undefined {
    const value = this.value(keyword);
    if (value === undefined || typeof value === 'string') return value;
    throw wrongType(`${this.path}.${keyword}`, 'a string');
  }

  boolean(keyword: string): boolean {
    const value = this.value(keyword) ?? false;
    if (typeof value === 'boolean') return value;
    throw wrongType(`${this.path}.${keyword}`, 'true or false');
  }

  number(keyword: string): number | undefined {
    const value = this.value(keyword);
    if (value === undefined) return undefined;
    if (isNumber(value)) return float64Of(value);
    throw wrongType(`${this.path}.${keyword}`, 'a number');
  }

  list(keyword: string): readonly JsonValue[] | undefined {
    const value = this.value(keyword);
    if (value === undefined || Array.isArray(value)) return value;
    throw wrongType(`${this.path}.${keyword}`, 'a list');
  }

  /** An empty list lets everything through, as none does. */
  enum(): readonly JsonValue[] | undefined {
    const values = this.list('enum');
    return values?.length === 0 ? undefined : values;
  }

  strings(keyword: string): readonly string[] {
    const values = this.list(keyword);
    if (values === undefined) return none;
    if (values.every((value) => typeof value === 'string')) return values;
    throw wrongType(`${this.path}.${keyword}`, 'a list of strings');
  }

  private child(keyword: string, value: JsonValue): SchemaNode {
    return readNode(value, `${this.path}.${keyword}`, this.progress);
  }

  schema(keyword: string): SchemaNode | undefined {
    const value = this.value(keyword);
    return value === undefined ? undefined : this.child(keyword, value);
  }

  schemas(keyword: string): readonly SchemaNode[] {
    const values = this.list(keyword);
    if (values === undefined) return none;
    return values.map((value, index) => this.child(`${keyword}[${index}]`, value));
  }

  properties(): ReadonlyMap<string, SchemaNode> | undefined {
    const value = this.value('properties');
    if (value === undefined) return undefined;
    if (!isObject(value)) throw wrongType(`${this.path}.properties`, 'an object');
    const properties = new Map<string, SchemaNode>();
    for (const name of Object.keys(value)) {
      properties.set(name, this.child(`properties.${name}`, value[name] ?? {}));
    }
    return properties.size === 0 ? undefined : properties;
  }

  additionalProperties(): SchemaNode['additionalProperties'] {
    const value = this.value('additionalProperties');
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return { allows: value };
    return { allows: true, schema: this.child('additionalProperties', value) };
  }

  rules(): readonly ValidationRule[] {
    const entries = this.list('x-kubernetes-validations');
    if (entries === undefined) return none;
    return entries.map((entry, index) => {
      const path = `${this.path}.x-kubernetes-validations[${index}]`;
      if (!isObject(entry)) throw wrongType(path, 'an object');
      const read = new Reader(entry, path, this.progress);
      const reason = read.string('reason');
      return {
        rule: read.string('rule') ?? '',
        message: read.string('message') ?? '',
        messageExpression: read.string('messageExpression') ?? '',
        fieldPath: read.string('fieldPath') ?? '',
        optionalOldSelf: read.boolean('optionalOldSelf'),
        reason,
      };
    });
  }
}

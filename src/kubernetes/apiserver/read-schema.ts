/** Reads the schema of a version into nodes. */
import {
  InvalidInputError,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { float64Of, isNumber } from '../../text/go/index.js';
import { KnownSchemas } from './known-schemas.js';
import { SchemaNode, type ValidationRule } from './schema.js';

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
  return new SchemaNode({
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
    default: read.value('default'),
    maximum: read.number('maximum'),
    minimum: read.number('minimum'),
    multipleOf: read.number('multipleOf'),
    maxLength: read.number('maxLength'),
    minLength: read.number('minLength'),
    maxItems: read.number('maxItems'),
    minItems: read.number('minItems'),
    maxProperties: read.number('maxProperties'),
    minProperties: read.number('minProperties'),
    enum: read.enum(),
    items: read.schema('items'),
    properties: read.properties(),
    additionalProperties: read.additionalProperties(),
    not: read.schema('not'),
    listType: read.string('x-kubernetes-list-type'),
    mapType: read.string('x-kubernetes-map-type'),
  });
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

/** Reads the schema of a version into nodes. */
import {
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { float64Of, isNumber } from '../../text/go/index.js';
import { Decoder } from './decode.js';
import { KnownSchemas } from './known-schemas.js';
import {
  absent,
  SchemaNode,
  type SchemaOrFlag,
  type UnjudgedKeywords,
  type ValidationRule,
} from './schema.js';

/** Deepest nesting and most nodes that are read; a schema in memory that contains itself is refused. */
const maxDepth = 500;
const maxNodes = 500_000;
const limit = `${maxDepth} levels or ${maxNodes} schemas`;

/** Reads the schemas of one definition as the API server decodes them. */
export class SchemaReader {
  readonly #ancestors = new Set<JsonValue>();
  #nodes = 0;
  /** Most ancestors of what was read last. */
  #deepest = 0;
  #rootLength = 0;

  /** @param known schemas of another definition */
  constructor(private readonly known: KnownSchemas) {}

  /** @throws DecodeError; InvalidInputError `E_LIMIT` past {@link maxDepth} or {@link maxNodes} */
  read(source: JsonObject, path: string): SchemaNode {
    const depth = this.#ancestors.size;
    if (depth === 0) this.#rootLength = path.length;
    const found = this.known.find(source, path, this.#rootLength);
    const [outside, before] = [this.#deepest, this.#nodes];
    this.#nodes += found?.nodes ?? 1;
    this.#deepest = depth + (found?.height ?? 0);
    if (this.#deepest > maxDepth || this.#nodes > maxNodes) throw this.tooLarge(path);
    if (this.#ancestors.has(source)) {
      throw new InvalidInputError('E_INPUT', 'the schema contains itself', { path });
    }
    let schema = found?.schema;
    if (schema === undefined) {
      this.#ancestors.add(source);
      schema = this.#node(this.decoder(source, path));
      this.#ancestors.delete(source);
      const [nodes, height] = [this.#nodes - before, this.#deepest - depth];
      this.known.add(source, { schema, path, rootLength: this.#rootLength, nodes, height });
    }
    this.#deepest = Math.max(outside, this.#deepest);
    return schema;
  }

  protected decoder(source: JsonObject, path: string): Decoder {
    return new Decoder(source, path);
  }

  protected tooLarge(_path: string): InvalidInputError {
    return new InvalidInputError('E_LIMIT', `a schema has more than ${limit}`);
  }

  protected unjudged(read: Decoder): UnjudgedKeywords | undefined {
    const text = (key: string): string | undefined => read.text(key) || undefined;
    const items = read.value('items');
    return {
      id: text('id'),
      schemaUrl: text('$schema'),
      ref: read.optionalText('$ref'),
      description: text('description'),
      title: text('title'),
      // What is neither an object nor a list decodes to neither.
      itemList:
        items === undefined || isObject(items)
          ? undefined
          : { schemas: Array.isArray(items) ? this.#schemas(read, 'items') : [] },
      patternProperties: this.#schemaMap(read, 'patternProperties'),
      dependencies: read.map('dependencies', (value, path) =>
        isObject(value) ? this.read(value, path) : undefined,
      ),
      additionalItems: this.#schemaOrFlag(read, 'additionalItems'),
      definitions: this.#schemaMap(read, 'definitions'),
      externalDocs: read.object('externalDocs', (each) => each),
      example: read.value('example'),
    };
  }

  #node(read: Decoder): SchemaNode {
    const unjudged = this.unjudged(read);
    const items = read.value('items');
    return new SchemaNode({
      type: read.text('type'),
      nullable: read.flag('nullable'),
      format: read.text('format'),
      default: read.value('default'),
      maximum: read.float('maximum'),
      exclusiveMaximum: read.flag('exclusiveMaximum'),
      minimum: read.float('minimum'),
      exclusiveMinimum: read.flag('exclusiveMinimum'),
      maxLength: read.integer('maxLength'),
      minLength: read.integer('minLength'),
      pattern: read.text('pattern'),
      maxItems: read.integer('maxItems'),
      minItems: read.integer('minItems'),
      uniqueItems: read.flag('uniqueItems'),
      multipleOf: read.float('multipleOf'),
      enum: read.list('enum'),
      maxProperties: read.integer('maxProperties'),
      minProperties: read.integer('minProperties'),
      required: read.texts('required') ?? absent,
      items: isObject(items) ? this.read(items, read.place('items')) : undefined,
      allOf: this.#schemas(read, 'allOf'),
      oneOf: this.#schemas(read, 'oneOf'),
      anyOf: this.#schemas(read, 'anyOf'),
      not: read.object('not', (each, path) => this.read(each, path)),
      properties: this.#schemaMap(read, 'properties'),
      additionalProperties: this.#schemaOrFlag(read, 'additionalProperties'),
      preserveUnknownFields: read.optionalFlag('x-kubernetes-preserve-unknown-fields'),
      embeddedResource: read.flag('x-kubernetes-embedded-resource'),
      intOrString: read.flag('x-kubernetes-int-or-string'),
      listMapKeys: read.texts('x-kubernetes-list-map-keys') ?? absent,
      listType: read.optionalText('x-kubernetes-list-type'),
      mapType: read.optionalText('x-kubernetes-map-type'),
      rules: read.objects('x-kubernetes-validations', (each, path) => this.#rule(each, path)) ?? absent, // prettier-ignore
      unjudged,
    });
  }

  #rule(source: JsonObject, path: string): ValidationRule {
    const read = this.decoder(source, path);
    return {
      rule: read.text('rule'),
      message: read.text('message'),
      messageExpression: read.text('messageExpression'),
      reason: read.optionalText('reason'),
      fieldPath: read.text('fieldPath'),
      optionalOldSelf: read.optionalFlag('optionalOldSelf'),
    };
  }

  #schemas(read: Decoder, key: string): readonly SchemaNode[] {
    return read.objects(key, (each, path) => this.read(each, path)) ?? absent;
  }

  #schemaMap(read: Decoder, key: string): ReadonlyMap<string, SchemaNode> | undefined {
    return read.map(key, (value, path) => this.read(read.requireObject(value ?? {}, path), path));
  }

  #schemaOrFlag(read: Decoder, key: string): SchemaOrFlag | undefined {
    const value = read.value(key);
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return { allows: value };
    const path = read.place(key);
    return { allows: true, schema: this.read(read.requireObject(value, path), path) };
  }
}

/**
 * Reads a schema that objects are judged by. Empty lists and maps are like none.
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
  known = new KnownSchemas(),
): SchemaNode {
  if (isObject(schema)) return new AcceptedReader(known).read(schema, path);
  throw new InvalidInputError('E_INPUT', 'must be an object', { path });
}

class AcceptedReader extends SchemaReader {
  protected override decoder(source: JsonObject, path: string): Decoder {
    return new InputDecoder(source, path);
  }

  protected override tooLarge(path: string): InvalidInputError {
    return new InvalidInputError('E_LIMIT', `the schema has more than ${limit}`, { path });
  }

  /** They are refused, or nothing is done with them. */
  protected override unjudged(read: Decoder): undefined {
    for (const keyword of unsupported) {
      const value = read.value(keyword);
      if (value === undefined || isEmpty(value)) continue;
      throw new InvalidInputError('E_INPUT', `'${keyword}' is not supported in a CRD's schema`, {
        path: read.place(keyword),
      });
    }
    const items = read.value('items');
    if (items !== undefined) read.requireObject(items, read.place('items'));
  }
}

const unsupported = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
] as const;

const typesInWords: Readonly<Record<string, string>> = {
  string: 'a string',
  bool: 'true or false',
  float64: 'a number',
  '[]': 'a list',
  '[]string': 'a list of strings',
  object: 'an object',
};

/** Names what is wrong as errors of input do, and takes any number where an integer is asked for. */
class InputDecoder extends Decoder {
  override error(_value: JsonValue, type: string, path: string): Error {
    return new InvalidInputError('E_INPUT', `must be ${typesInWords[type] ?? type}`, { path });
  }

  override optionalFlag(key: string): boolean {
    return super.optionalFlag(key) ?? false;
  }

  override float(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (isNumber(value)) return float64Of(value);
    throw this.error(value, 'float64', this.place(key));
  }

  override integer(key: string): number | undefined {
    return this.float(key);
  }

  override list(key: string): readonly JsonValue[] | undefined {
    const values = super.list(key);
    return values?.length === 0 ? undefined : values;
  }

  override texts(key: string): readonly string[] | undefined {
    const values = this.list(key);
    if (values === undefined || values.every((value) => typeof value === 'string')) return values;
    throw this.error([...values], '[]string', this.place(key));
  }

  override map<Read>(
    key: string,
    read: (value: JsonValue, path: string) => Read,
  ): ReadonlyMap<string, Read> | undefined {
    const map = super.map(key, read);
    return map?.size === 0 ? undefined : map;
  }

  override requireObject(value: JsonValue, path: string): JsonObject {
    if (isObject(value)) return value;
    throw this.error(value, 'object', path);
  }
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'string') return value === '';
  if (isNumber(value) || typeof value === 'boolean') return false;
  return isObject(value) && Object.keys(value).length === 0;
}

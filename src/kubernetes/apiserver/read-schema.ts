import {
  InvalidInputError,
  invalidInput,
  isObject,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { float64Of, isNumber } from '../../text/go/index.js';
import { Decoder } from './decode.js';
import { KnownSchemas } from './known-schemas.js';
import { asStored } from './equality.js';
import {
  absent,
  noKeywords,
  SchemaNode,
  type SchemaKeywords,
  type SchemaOrFlag,
  type UnjudgedKeywords,
  type ValidationRule,
} from './schema.js';

/** Deepest nesting and most nodes that are read; a schema in memory that contains itself is refused. */
const maxDepth = 500;
const maxNodes = 500_000;
const limit = `${maxDepth} levels or ${maxNodes} schemas`;

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** Of several mistakes the first in the document is reported, as by the API server. */
export class SchemaReader {
  readonly #ancestors: JsonValue[] = [];
  #nodes = 0;
  /** Most ancestors of what was read last. */
  #deepest = 0;

  /** @param preserveUnknownFields of a schema that does not say */
  constructor(
    protected readonly known: KnownSchemas,
    private readonly preserveUnknownFields: false | undefined = undefined,
  ) {}

  /**
   * @param place schemas at the same place share what is the same @throws BadRequest; InvalidInputError `E_LIMIT`
   */
  read(source: JsonObject, path: string, place = path): SchemaNode {
    const same = this.known.find(source);
    const twin = same ?? this.known.at(place);
    const schema = this.#read(source, path, twin, same !== undefined);
    this.known.add(source, place, schema);
    return schema;
  }

  /** @param twin the schema at the same place that was read before */
  #read(
    source: JsonObject,
    path: string,
    twin: SchemaNode | undefined,
    isSame = twin?.origin?.source === source,
  ): SchemaNode {
    const depth = this.#ancestors.length;
    const found = isSame ? twin?.origin : undefined;
    const [outside, before] = [this.#deepest, this.#nodes];
    this.#nodes += found?.nodes ?? 1;
    this.#deepest = depth + (found?.height ?? 0);
    if (this.#deepest > maxDepth || this.#nodes > maxNodes) throw this.tooLarge(path);
    if (this.#ancestors.includes(source)) {
      throw invalidInput('the schema contains itself', { path });
    }
    const typeOnly = found === undefined ? this.typeOnly(source) : undefined;
    let schema = typeOnly ?? twin;
    if (found === undefined && typeOnly === undefined) {
      this.#ancestors.push(source);
      const keywords = this.#keywords(source, this.decoder(source, path), twin);
      this.#ancestors.pop();
      if (schema === undefined || !isAlike(keywords, schema)) {
        const [nodes, height] = [this.#nodes - before, this.#deepest - depth];
        schema = new SchemaNode(keywords, { source, nodes, height });
      }
    }
    this.#deepest = Math.max(outside, this.#deepest);
    return schema as SchemaNode;
  }

  protected decoder(source: JsonObject, path: string): Decoder {
    return new Decoder(source, path);
  }

  /** The schema that all fields share which have a type and nothing else that is read. */
  protected typeOnly(_source: JsonObject): SchemaNode | undefined {
    return undefined;
  }

  protected tooLarge(_path: string): InvalidInputError {
    return new InvalidInputError('E_LIMIT', `a schema has more than ${limit}`);
  }

  /** Reads a keyword that judges no value; undefined for one that is not known. */
  protected unjudged(key: string, read: Decoder): UnjudgedKeywords | undefined {
    switch (key) {
      case 'id':
      case 'description':
      case 'title': {
        const text = read.text(key);
        return text === '' ? undefined : { [key]: text };
      }
      case '$schema': {
        const schemaUrl = read.text(key);
        return schemaUrl === '' ? undefined : { schemaUrl };
      }
      case '$ref':
        return { ref: read.optionalText(key) };
      case 'items': {
        const items = read.value(key);
        if (items === undefined) return undefined;
        return { itemList: { schemas: Array.isArray(items) ? this.#schemas(read, key) : [] } };
      }
      case 'patternProperties':
      case 'definitions':
        return { [key]: this.#schemaMap(read, key) };
      case 'dependencies':
        return {
          dependencies: read.map(key, (value, path) =>
            isObject(value) ? this.#read(value, path, undefined) : undefined,
          ),
        };
      case 'additionalItems':
        return { additionalItems: this.#schemaOrFlag(read, key) };
      case 'externalDocs':
        return { externalDocs: read.object(key, (each) => each) };
      case 'example':
        return { example: read.value(key) };
      default:
        return undefined;
    }
  }

  /** Goes through the keywords that are there, which are few of those that there may be. */
  #keywords(source: JsonObject, read: Decoder, twin: SchemaNode | undefined): SchemaKeywords {
    const found: Writable<SchemaKeywords> = {
      ...noKeywords,
      preserveUnknownFields: this.preserveUnknownFields,
    };
    for (const key of Object.keys(source)) {
      switch (key) {
        case 'type':
        case 'format':
        case 'pattern':
          found[key] = read.text(key);
          continue;
        case 'nullable':
        case 'exclusiveMaximum':
        case 'exclusiveMinimum':
        case 'uniqueItems':
          found[key] = read.flag(key);
          continue;
        case 'maximum':
        case 'minimum':
        case 'multipleOf':
          found[key] = read.float(key);
          continue;
        case 'maxLength':
        case 'minLength':
        case 'maxItems':
        case 'minItems':
        case 'maxProperties':
        case 'minProperties':
          found[key] = read.integer(key);
          continue;
        case 'default':
          found.default = asStored(read.value(key) ?? null) ?? undefined;
          continue;
        case 'enum':
          found.enum = read.list(key)?.map(asStored);
          continue;
        case 'required':
          found.required = read.texts(key) ?? absent;
          continue;
        case 'allOf':
        case 'oneOf':
        case 'anyOf':
          found[key] = this.#schemas(read, key, twin?.[key]);
          continue;
        case 'not':
          found.not = read.object(key, (each, path) => this.#read(each, path, twin?.not));
          continue;
        case 'properties':
          found.properties = this.#schemaMap(read, key, twin?.properties);
          continue;
        case 'additionalProperties':
          found.additionalProperties = this.#schemaOrFlag(read, key, twin?.additionalProperties);
          continue;
        case 'x-kubernetes-preserve-unknown-fields':
          found.preserveUnknownFields = read.optionalFlag(key);
          continue;
        case 'x-kubernetes-embedded-resource':
          found.embeddedResource = read.flag(key);
          continue;
        case 'x-kubernetes-int-or-string':
          found.intOrString = read.flag(key);
          continue;
        case 'x-kubernetes-list-map-keys':
          found.listMapKeys = read.texts(key) ?? absent;
          continue;
        case 'x-kubernetes-list-type':
          found.listType = read.optionalText(key);
          continue;
        case 'x-kubernetes-map-type':
          found.mapType = read.optionalText(key);
          continue;
        case 'x-kubernetes-validations':
          found.rules = read.objects(key, (each, path) => this.#rule(each, path)) ?? absent;
          continue;
        case 'items': {
          const items = read.value(key);
          if (!isObject(items ?? null)) break;
          found.items = this.#read(items as JsonObject, read.place(key), twin?.items);
          continue;
        }
        default:
      }
      const unjudged = this.unjudged(key, read);
      if (unjudged !== undefined) found.unjudged = { ...found.unjudged, ...unjudged };
    }
    return found;
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

  #schemas(
    read: Decoder,
    key: string,
    twins: readonly SchemaNode[] = absent,
  ): readonly SchemaNode[] {
    const schemas = read.objects(key, (each, path, index) => this.#read(each, path, twins[index]));
    return schemas ?? absent;
  }

  #schemaMap(
    read: Decoder,
    key: string,
    twins?: ReadonlyMap<string, SchemaNode>,
  ): ReadonlyMap<string, SchemaNode> | undefined {
    return read.map(key, (value, path, name) =>
      this.#read(read.requireObject(value ?? {}, path), path, twins?.get(name)),
    );
  }

  #schemaOrFlag(read: Decoder, key: string, twin?: SchemaOrFlag): SchemaOrFlag | undefined {
    const value = read.value(key);
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return { allows: value };
    const path = read.place(key);
    const schema = this.#read(read.requireObject(value, path), path, twin?.schema);
    return schema === twin?.schema ? twin : { allows: true, schema };
  }
}

/** Whether a schema that is being read has the same keywords as another one, in the same order. */
function isAlike(read: SchemaKeywords, other: SchemaNode): boolean {
  return (
    read.unjudged === undefined &&
    other.unjudged === undefined &&
    read.type === other.type &&
    read.format === other.format &&
    read.pattern === other.pattern &&
    read.nullable === other.nullable &&
    read.maximum === other.maximum &&
    read.exclusiveMaximum === other.exclusiveMaximum &&
    read.minimum === other.minimum &&
    read.exclusiveMinimum === other.exclusiveMinimum &&
    read.maxLength === other.maxLength &&
    read.minLength === other.minLength &&
    read.maxItems === other.maxItems &&
    read.minItems === other.minItems &&
    read.uniqueItems === other.uniqueItems &&
    read.multipleOf === other.multipleOf &&
    read.maxProperties === other.maxProperties &&
    read.minProperties === other.minProperties &&
    read.items === other.items &&
    read.not === other.not &&
    read.additionalProperties === other.additionalProperties &&
    read.preserveUnknownFields === other.preserveUnknownFields &&
    read.embeddedResource === other.embeddedResource &&
    read.intOrString === other.intOrString &&
    read.listType === other.listType &&
    read.mapType === other.mapType &&
    areAlike(read.required, other.required) &&
    areAlike(read.listMapKeys, other.listMapKeys) &&
    areAlike(read.allOf, other.allOf) &&
    areAlike(read.anyOf, other.anyOf) &&
    areAlike(read.oneOf, other.oneOf) &&
    haveSameEntries(read.properties, other.properties) &&
    isSameText(read.default, other.default) &&
    isSameText(read.enum, other.enum) &&
    (read.rules === absent) === (other.rules === absent) &&
    isSameText(read.rules, other.rules)
  );
}

/** A list that is there and empty is another one than none. */
function areAlike(read: readonly unknown[], other: readonly unknown[]): boolean {
  return (
    (read === absent) === (other === absent) &&
    read.length === other.length &&
    read.every((each, index) => each === other[index])
  );
}

function haveSameEntries(
  read: ReadonlyMap<string, SchemaNode> | undefined,
  other: ReadonlyMap<string, SchemaNode> | undefined,
): boolean {
  if (read === undefined || other === undefined) return read === other;
  if (read.size !== other.size) return false;
  const others = other.entries();
  for (const [name, schema] of read) {
    const [otherName, otherSchema] = others.next().value ?? [];
    if (name !== otherName || schema !== otherSchema) return false;
  }
  return true;
}

/** The order of keys counts, for objects are made up in it. */
function isSameText(read: unknown, other: unknown): boolean {
  if (read === other) return true;
  if (read === undefined || other === undefined) return false;
  return stringifyJson(read) === stringifyJson(other);
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
  // Versions of a definition mostly have most of their schemas in common.
  if (isObject(schema)) return new AcceptedReader(known).read(schema, path, 'any version');
  throw invalidInput('must be an object', { path });
}

class AcceptedReader extends SchemaReader {
  constructor(known: KnownSchemas) {
    super(known, false);
  }

  protected override decoder(source: JsonObject, path: string): Decoder {
    return new InputDecoder(source, path);
  }

  protected override tooLarge(path: string): InvalidInputError {
    return new InvalidInputError('E_LIMIT', `the schema has more than ${limit}`, { path });
  }

  /** Most fields have a type and a description, and no other keyword. */
  protected override typeOnly(source: JsonObject): SchemaNode | undefined {
    const { type } = source;
    if (typeof type !== 'string') return undefined;
    for (const key in source) if (key !== 'type' && key !== 'description') return undefined;
    const { byType } = this.known;
    let schema = byType.get(type);
    if (schema === undefined) {
      schema = new SchemaNode(
        { ...noKeywords, preserveUnknownFields: false, type },
        { source, nodes: 1, height: 0 },
      );
      byType.set(type, schema);
    }
    return schema;
  }

  /** They are refused, or nothing is done with them. */
  protected override unjudged(key: string, read: Decoder): undefined {
    const value = read.value(key);
    if (value === undefined) return;
    if (key === 'items') read.requireObject(value, read.place(key));
    if (!unsupported.has(key) || isEmpty(value)) return;
    throw invalidInput(`'${key}' is not supported in a CRD's schema`, {
      path: read.place(key),
    });
  }
}

const unsupported: ReadonlySet<string> = new Set(
  'id $schema $ref patternProperties dependencies additionalItems definitions'.split(' '),
);

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
    return invalidInput(`must be ${typesInWords[type] ?? type}`, { path });
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
    read: (value: JsonValue, path: string, name: string) => Read,
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

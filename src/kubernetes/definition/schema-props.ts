/**
 * A schema as the API server decodes it into apiextensions.JSONSchemaProps: every keyword that Go's
 * struct has, also those that no definition may use. Unlike a `SchemaNode`, which is read from a
 * definition that a server accepted, it can hold what a server refuses.
 */
import {
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { sameValue } from '../apiserver/equality.js';
import type { KnownSchemas } from '../apiserver/known-schemas.js';
import { Decoder } from './decode.js';

export const schemaTypes: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
]);

export interface ValidationRuleProps {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** `items`: one schema, a list of them, or neither. */
export interface Items {
  readonly schema: SchemaProps | undefined;
  readonly schemas: readonly SchemaProps[];
}

export interface AdditionalProperties {
  readonly allows: boolean;
  readonly schema: SchemaProps | undefined;
}

/** Absent text is empty and absent flags are false, as in Go; what Go has a pointer to is undefined. */
export interface SchemaProps {
  readonly id: string;
  readonly schemaUrl: string;
  readonly ref: string | undefined;
  readonly description: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly format: string;
  readonly title: string;
  readonly default: JsonValue | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly multipleOf: number | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[] | undefined;
  readonly items: Items | undefined;
  readonly allOf: readonly SchemaProps[] | undefined;
  readonly oneOf: readonly SchemaProps[] | undefined;
  readonly anyOf: readonly SchemaProps[] | undefined;
  readonly not: SchemaProps | undefined;
  readonly properties: ReadonlyMap<string, SchemaProps> | undefined;
  readonly additionalProperties: AdditionalProperties | undefined;
  readonly patternProperties: ReadonlyMap<string, SchemaProps> | undefined;
  readonly dependencies: ReadonlyMap<string, SchemaProps | undefined> | undefined;
  readonly additionalItems: AdditionalProperties | undefined;
  readonly definitions: ReadonlyMap<string, SchemaProps> | undefined;
  readonly externalDocs: JsonValue | undefined;
  readonly example: JsonValue | undefined;
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[] | undefined;
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRuleProps[] | undefined;
}

/** A keyword of {@link SchemaProps}. */
export type Keyword = keyof SchemaProps;

/** Deepest nesting and most nodes that are read. */
const maxDepth = 500;
const maxNodes = 500_000;

/** Reads the schemas of one definition. */
export class SchemaReader {
  private depth = 0;
  private deepest = 0;
  private nodes = 0;
  private rootLength = 0;

  /** @param known schemas of another definition */
  constructor(private readonly known: KnownSchemas<SchemaProps>) {}

  /** @throws DecodeError; InvalidInputError `E_LIMIT` past {@link maxDepth} or {@link maxNodes} */
  read(source: JsonObject, path: string): SchemaProps {
    if (this.depth === 0) this.rootLength = path.length;
    const found = this.known.find(source, path, this.rootLength);
    const [outside, before] = [this.deepest, this.nodes];
    this.nodes += found?.nodes ?? 1;
    this.deepest = ++this.depth + (found?.height ?? 0);
    if (this.deepest > maxDepth || this.nodes > maxNodes) {
      const limit = `${maxDepth} levels or ${maxNodes} schemas`;
      throw new InvalidInputError('E_LIMIT', `a schema has more than ${limit}`);
    }
    let schema = found?.schema;
    if (schema === undefined) {
      schema = this.props(new Decoder(source, path));
      const [nodes, height] = [this.nodes - before, this.deepest - this.depth];
      this.known.add(source, { schema, path, rootLength: this.rootLength, nodes, height });
    }
    this.depth--;
    this.deepest = Math.max(outside, this.deepest);
    return schema;
  }

  private props(read: Decoder): SchemaProps {
    // The keywords stand in the order of the fields of Go's struct: see `usedKeywords`.
    return {
      id: read.text('id'),
      schemaUrl: read.text('$schema'),
      ref: read.optionalText('$ref'),
      description: read.text('description'),
      type: read.text('type'),
      nullable: read.flag('nullable'),
      format: read.text('format'),
      title: read.text('title'),
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
      required: read.texts('required'),
      items: this.items(read),
      allOf: read.objects('allOf', (each, path) => this.read(each, path)),
      oneOf: read.objects('oneOf', (each, path) => this.read(each, path)),
      anyOf: read.objects('anyOf', (each, path) => this.read(each, path)),
      not: read.object('not', (each, path) => this.read(each, path)),
      properties: this.schemas(read, 'properties'),
      additionalProperties: this.schemaOrBool(read, 'additionalProperties'),
      patternProperties: this.schemas(read, 'patternProperties'),
      dependencies: this.dependencies(read),
      additionalItems: this.schemaOrBool(read, 'additionalItems'),
      definitions: this.schemas(read, 'definitions'),
      externalDocs: read.object('externalDocs', (each) => each),
      example: read.value('example'),
      preserveUnknownFields: read.optionalFlag('x-kubernetes-preserve-unknown-fields'),
      embeddedResource: read.flag('x-kubernetes-embedded-resource'),
      intOrString: read.flag('x-kubernetes-int-or-string'),
      listMapKeys: read.texts('x-kubernetes-list-map-keys'),
      listType: read.optionalText('x-kubernetes-list-type'),
      mapType: read.optionalText('x-kubernetes-map-type'),
      rules: read.objects('x-kubernetes-validations', (each, path) => this.rule(each, path)),
    };
  }

  private rule(source: JsonObject, path: string): ValidationRuleProps {
    const read = new Decoder(source, path);
    return {
      rule: read.text('rule'),
      message: read.text('message'),
      messageExpression: read.text('messageExpression'),
      reason: read.optionalText('reason'),
      fieldPath: read.text('fieldPath'),
      optionalOldSelf: read.optionalFlag('optionalOldSelf'),
    };
  }

  private items(read: Decoder): Items | undefined {
    const value = read.value('items');
    if (value === undefined) return undefined;
    if (Array.isArray(value)) {
      const schemas = read.objects('items', (each, path) => this.read(each, path)) ?? [];
      return { schema: undefined, schemas };
    }
    // What is neither an object nor a list decodes to neither.
    return {
      schema: isObject(value) ? this.read(value, read.place('items')) : undefined,
      schemas: [],
    };
  }

  private schemas(read: Decoder, key: string): ReadonlyMap<string, SchemaProps> | undefined {
    return read.map(key, (value, path) => this.read(read.requireObject(value, path), path));
  }

  private schemaOrBool(read: Decoder, key: string): AdditionalProperties | undefined {
    const value = read.value(key);
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return { allows: value, schema: undefined };
    const path = read.place(key);
    return { allows: true, schema: this.read(read.requireObject(value, path), path) };
  }

  private dependencies(read: Decoder): SchemaProps['dependencies'] {
    return read.map('dependencies', (value, path) =>
      isObject(value) ? this.read(value, path) : undefined,
    );
  }
}

/** What Go has a pointer to is used even where it points to a zero value. */
const pointers: ReadonlySet<Keyword> = new Set([
  'ref',
  'preserveUnknownFields',
  'listType',
  'mapType',
  'default',
  'example',
]);

/** Whether a keyword has another value than Go's zero value; an empty list or map is another. */
export function isUsed(schema: SchemaProps, keyword: Keyword): boolean {
  const value = schema[keyword];
  return value !== undefined && (pointers.has(keyword) || (value !== '' && value !== false));
}

/** The keywords that are used, in the order of the fields of Go's struct. */
export function usedKeywords(schema: SchemaProps): Keyword[] {
  return (Object.keys(schema) as Keyword[]).filter((keyword) => isUsed(schema, keyword));
}

/** Every schema right below another, in whatever keyword. */
export function schemasBelow(schema: SchemaProps): readonly SchemaProps[] {
  const below: SchemaProps[] = [];
  someBelow(schema, (each) => below.push(each) < 0);
  return below;
}

/** Whether a schema, or one anywhere below it, is such. */
export function holds(
  schema: SchemaProps | undefined,
  isSuch: (schema: SchemaProps) => boolean,
): boolean {
  if (schema === undefined) return false;
  return isSuch(schema) || someBelow(schema, (each) => holds(each, isSuch));
}

function someBelow(schema: SchemaProps, isSuch: (schema: SchemaProps) => boolean): boolean {
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties } = schema;
  const { patternProperties, additionalItems, definitions, dependencies } = schema;
  for (const one of [items?.schema, additionalProperties?.schema, additionalItems?.schema, not])
    if (one !== undefined && isSuch(one)) return true;
  for (const list of [items?.schemas, allOf, anyOf, oneOf])
    if (list?.some(isSuch) === true) return true;
  for (const map of [properties, patternProperties, definitions, dependencies])
    if (map !== undefined)
      for (const each of map.values()) if (each !== undefined && isSuch(each)) return true;
  return false;
}

/** The schema with rules that say nothing of optionalOldSelf; itself where none does. */
export function withoutOptionalOldSelf(schema: SchemaProps): SchemaProps {
  const says = ({ rules }: SchemaProps): boolean =>
    rules?.some(({ optionalOldSelf }) => optionalOldSelf !== undefined) === true;
  if (!holds(schema, says)) return schema;
  const { items, properties, additionalProperties, rules } = schema;
  const inside = <Holder extends { readonly schema: SchemaProps | undefined }>(
    holder: Holder | undefined,
  ): Holder | undefined =>
    holder?.schema === undefined
      ? holder
      : { ...holder, schema: withoutOptionalOldSelf(holder.schema) };
  return {
    ...schema,
    rules: rules?.map((rule) => ({ ...rule, optionalOldSelf: undefined })),
    items: inside(items),
    additionalProperties: inside(additionalProperties),
    properties:
      properties &&
      new Map([...properties].map(([name, of]) => [name, withoutOptionalOldSelf(of)] as const)),
  };
}

/** Equality as apimachinery's `Semantic.DeepEqual` has it: an empty list or map is like none. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right || (isEmpty(left) && isEmpty(right))) return true;
  if (left instanceof Map && right instanceof Map) {
    if (left.size !== right.size) return false;
    for (const [key, value] of left)
      if (!right.has(key) || !isSame(value, right.get(key))) return false;
    return true;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false;
  }
  if (left instanceof Map || right instanceof Map) return false;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [one, other] = [(left as never)[key], (right as never)[key]] as [unknown, unknown];
    const same = jsonKeywords.has(key)
      ? (key === 'enum' && isEmpty(one) && isEmpty(other)) ||
        (one !== undefined && other !== undefined
          ? sameValue(one as JsonValue, other as JsonValue)
          : one === other)
      : isSame(one, other);
    if (!same) return false;
  }
  return true;
}

/** Keywords that hold any JSON. */
const jsonKeywords: ReadonlySet<string> = new Set(['default', 'example', 'enum', 'externalDocs']);

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) && value.length === 0;
}

/** Keywords of schemas as the types of Go's API hold them. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { compareBytes, formatFloat } from '../../text/go/index.js';
import { keywordKinds, type Kind, keywordOrder } from './keywords.js';
import {
  readFlag,
  readFloat,
  readInteger,
  readJson,
  readJsonList,
  readList,
  readObject,
  readSchema,
  readSchemaOrFlag,
  readText,
  readTextList,
} from './typed-values.js';

export type GoValue =
  /** A nil of any type: its text, and the text inside a map. */
  | { readonly kind: 'nil'; readonly text: string; readonly plainly: string }
  | { readonly kind: 'leaf' | 'bytes'; readonly text: string; readonly zero: boolean }
  /** `hasMethod` tells whether its type has a `String` method. */
  | { readonly kind: 'pointer'; readonly to: GoValue; readonly hasMethod: boolean }
  | Holder<'struct'>
  | Holder<'map'>
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly GoValue[] };

type Members = readonly (readonly [string, GoValue])[];
type Maybe = JsonValue | undefined;

/** A struct or map whose members are read when they are asked for: a schema may nest deep. */
class Holder<Kind extends 'struct' | 'map'> {
  #members: Members | undefined;

  constructor(
    readonly kind: Kind,
    readonly type: string,
    private readonly read: () => Members,
    /** The schema that a struct holds all keywords of. */
    readonly schema?: JsonObject,
  ) {}

  get members(): Members {
    return (this.#members ??= this.read());
  }
}

const struct = (type: string, read: () => Members): GoValue => new Holder('struct', type, read);
const nil = (text: string, plainly = text): GoValue => ({ kind: 'nil', text, plainly });
const text = (value: string): GoValue => ({ kind: 'leaf', text: value, zero: value === '' });
const flag = (value: boolean): GoValue => ({ kind: 'leaf', text: String(value), zero: !value });
const pointer = (value: string | undefined): GoValue =>
  value === undefined
    ? nil('nil', '<nil>')
    : { kind: 'pointer', to: { kind: 'leaf', text: value, zero: false }, hasMethod: false };
/** To a struct with a `String` method. */
const described = (to: GoValue | undefined): GoValue =>
  to === undefined ? nil('nil') : { kind: 'pointer', to, hasMethod: true };
const json = (raw: string): GoValue =>
  struct('JSON', () => [['Raw', { kind: 'bytes', text: raw, zero: raw === '' }]]);

export class GoReader {
  /** @param stored the schema comes back from an API server, which leaves out empty lists and maps */
  constructor(
    readonly stored: boolean,
    private readonly dropsEmpty = stored,
  ) {}

  schema(schema: JsonObject, without?: ReadonlySet<string>): GoValue {
    const read = (): Members =>
      keywordOrder.map((keyword) => {
        const value = without?.has(keyword) === true ? undefined : own(schema, keyword);
        return [keyword, this.keyword(keyword, keywordKinds.get(keyword) ?? 'json', value)];
      });
    return new Holder('struct', 'JSONSchemaProps', read, schema);
  }

  pointer(schema: JsonObject | undefined): GoValue {
    return described(schema && this.schema(schema));
  }

  /** @throws InvalidInputError `E_INPUT` for a value that the keyword cannot have */
  keyword(keyword: string, kind: Kind, value: Maybe): GoValue {
    switch (kind) {
      case 'text':
        return text(readText(value) ?? '');
      case 'flag':
        return flag(readFlag(value) ?? false);
      case 'pointer-to-text':
        return pointer(readText(value));
      case 'pointer-to-flag':
        return pointer(readFlag(value)?.toString());
      case 'float': {
        const number = readFloat(value);
        // Go takes -0.0 for 0.
        return pointer(number === undefined ? undefined : formatFloat(number === 0 ? 0 : number));
      }
      case 'integer':
        return pointer(readInteger(value)?.toString());
      case 'json': {
        const raw = readJson(value);
        return described(raw === undefined ? undefined : json(raw));
      }
      case 'json-list':
        return this.#list('JSON', readJsonList(value)?.map(json));
      case 'text-list':
        return this.#list('string', readTextList(value)?.map(text));
      case 'schema':
        return this.pointer(readObject(value));
      case 'schema-list':
        return this.#schemas(readList(value));
      case 'schema-map': {
        const isOfFields = keyword !== 'definitions';
        const type = isOfFields ? 'map[string]JSONSchemaProps' : 'JSONSchemaDefinitions';
        return this.#map(type, value, (item) => this.schema(readSchema(item)));
      }
      case 'schema-or-flag':
        return this.#schemaOrFlag(readSchemaOrFlag(value));
      case 'schema-or-list':
        return this.#items(value);
      case 'dependencies':
        return this.#map('JSONSchemaDependencies', value, (item) => this.#dependency(item));
      case 'documentation':
        return this.#documentation(readObject(value));
      case 'validations':
        return this.#list('ValidationRule', readList(value)?.map((item) => validation(readSchema(item)))); // prettier-ignore
    }
  }

  #schemaOrFlag(value: JsonObject | boolean | undefined): GoValue {
    if (value === undefined) return nil('nil');
    return described(
      struct('JSONSchemaPropsOrBool', () => [
        ['Allows', flag(value !== false)],
        ['Schema', this.pointer(isObject(value) ? value : undefined)],
      ]),
    );
  }

  #items(value: Maybe): GoValue {
    if (value === undefined || value === null) return nil('nil');
    const schema = isObject(value) ? value : undefined;
    const schemas = Array.isArray(value) ? value : undefined;
    if (this.stored && schema === undefined && (schemas ?? []).length === 0) return nil('nil');
    return described(
      struct('JSONSchemaPropsOrArray', () => [
        ['Schema', this.pointer(schema)],
        ['JSONSchemas', this.#schemas(schemas)],
      ]),
    );
  }

  #dependency(value: JsonValue): GoValue {
    return struct('JSONSchemaPropsOrStringArray', () => [
      ['Schema', this.pointer(isObject(value) ? value : undefined)],
      ['Property', this.#list('string', (Array.isArray(value) ? readTextList(value) : undefined)?.map(text))], // prettier-ignore
    ]);
  }

  #documentation(value: JsonObject | undefined): GoValue {
    if (value === undefined) return nil('nil');
    return described(
      struct('ExternalDocumentation', () => [
        ['Description', text(readText(own(value, 'description')) ?? '')],
        ['URL', text(readText(own(value, 'url')) ?? '')],
      ]),
    );
  }

  #schemas(items: readonly JsonValue[] | undefined): GoValue {
    return this.#list(
      'JSONSchemaProps',
      items?.map((item) => this.schema(readSchema(item))),
    );
  }

  #list(type: string, items: readonly GoValue[] | undefined): GoValue {
    if (items !== undefined && !(this.dropsEmpty && items.length === 0)) {
      return { kind: 'list', type, items };
    }
    return nil(type === 'string' ? '[]' : `[]${type}{}`, '[]');
  }

  #map(type: string, value: Maybe, read: (item: JsonValue) => GoValue): GoValue {
    const map = readObject(value);
    const keys = Object.keys(map ?? {}).sort(compareBytes);
    if (map === undefined || (this.dropsEmpty && keys.length === 0))
      return nil(`${type}{}`, 'map[]');
    return new Holder('map', type, () => keys.map((key) => [key, read(own(map, key) ?? null)]));
  }
}

function validation(rule: JsonObject): GoValue {
  const member = (key: string): readonly [string, GoValue] => [
    key,
    text(readText(own(rule, key)) ?? ''),
  ];
  return struct('ValidationRule', () => [
    member('rule'),
    member('message'),
    member('messageExpression'),
    ['reason', pointer(readText(own(rule, 'reason')))],
    member('fieldPath'),
    ['optionalOldSelf', pointer(readFlag(own(rule, 'optionalOldSelf'))?.toString())],
  ]);
}

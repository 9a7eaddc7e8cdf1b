/** A schema as the tree of Go values that the reference's differ walks over. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { keywordOrder, keywordKinds, type Kind } from '../../crd/keywords.js';
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
} from '../../crd/typed-values.js';
import { compareBytes, formatFloat } from '../../text/go/index.js';

export type GoValue =
  | { readonly kind: 'nil' }
  | { readonly kind: 'leaf'; readonly text: string; readonly zero: boolean }
  /** `described` is what the type's own `String` method prints, where it has one. */
  | { readonly kind: 'pointer'; readonly to: GoValue; readonly described?: string }
  | { readonly kind: 'struct' | 'map'; readonly members: readonly (readonly [string, GoValue])[] }
  | { readonly kind: 'list'; readonly items: readonly GoValue[] };

type Maybe = JsonValue | undefined;

const nil: GoValue = { kind: 'nil' };
const text = (value: string): GoValue => ({ kind: 'leaf', text: value, zero: value === '' });
const flag = (value: boolean): GoValue => ({ kind: 'leaf', text: String(value), zero: !value });
const pointer = (value: string | undefined): GoValue =>
  value === undefined ? nil : { kind: 'pointer', to: { kind: 'leaf', text: value, zero: false } };
const list = (items: readonly GoValue[] | undefined): GoValue =>
  items === undefined ? nil : { kind: 'list', items };

/** Builds values of one side; a stored side has no empty lists and maps. */
export class GoReader {
  constructor(readonly stored: boolean) {}

  /** Keywords in `without` have their zero value. */
  schema(schema: JsonObject, without?: ReadonlySet<string>): GoValue {
    return {
      kind: 'struct',
      members: keywordOrder.map((keyword) => [
        keyword,
        this.#keyword(keyword, without?.has(keyword) === true ? undefined : own(schema, keyword)),
      ]),
    };
  }

  #keyword(keyword: string, value: Maybe): GoValue {
    return this.#value(keywordKinds.get(keyword) ?? 'json', value);
  }

  #value(kind: Kind, value: Maybe): GoValue {
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
        return pointer(number === undefined ? undefined : formatFloat(number));
      }
      case 'integer':
        return pointer(readInteger(value)?.toString());
      case 'json': {
        const raw = readJson(value);
        return raw === undefined
          ? nil
          : { kind: 'pointer', to: json(raw), described: describeJson(raw) };
      }
      case 'json-list':
        return this.#list(readJsonList(value)?.map(json));
      case 'text-list':
        return this.#list(readTextList(value)?.map(text));
      case 'schema': {
        const schema = readObject(value);
        return schema === undefined ? nil : this.#pointer(schema);
      }
      case 'schema-list':
        return this.#list(readList(value)?.map((item) => this.schema(readSchema(item))));
      case 'schema-map':
        return this.#map(value, (item) => this.schema(readSchema(item)));
      case 'schema-or-flag':
        return this.#schemaOrFlag(readSchemaOrFlag(value));
      case 'schema-or-list':
        return this.#items(value);
      case 'dependencies':
        return this.#map(value, (item) => this.#dependency(item));
      case 'documentation':
        return documentation(readObject(value));
      case 'validations':
        return this.#list(readList(value)?.map((item) => validation(readSchema(item))));
    }
  }

  #pointer(schema: JsonObject): GoValue {
    return { kind: 'pointer', to: this.schema(schema), described: describeSchema(schema) };
  }

  #schemaOrFlag(value: JsonObject | boolean | undefined): GoValue {
    if (value === undefined) return nil;
    const schema = isObject(value) ? value : undefined;
    return {
      kind: 'pointer',
      to: {
        kind: 'struct',
        members: [
          ['Allows', flag(value !== false)],
          ['Schema', schema === undefined ? nil : this.#pointer(schema)],
        ],
      },
      described: `&JSONSchemaPropsOrBool{Allows:${value !== false},Schema:${describeSchema(schema)},}`,
    };
  }

  #items(value: Maybe): GoValue {
    if (value === undefined || value === null) return nil;
    const schema = isObject(value) ? value : undefined;
    const schemas = Array.isArray(value) ? value.map((item) => readSchema(item)) : undefined;
    if (this.stored && schema === undefined && (schemas ?? []).length === 0) return nil;
    const listed = (schemas ?? []).map((item) => `${describeSchema(item).slice(1)},`).join('');
    return {
      kind: 'pointer',
      to: {
        kind: 'struct',
        members: [
          ['Schema', schema === undefined ? nil : this.#pointer(schema)],
          ['JSONSchemas', list(schemas?.map((item) => this.schema(item)))],
        ],
      },
      described: `&JSONSchemaPropsOrArray{Schema:${describeSchema(schema)},JSONSchemas:[]JSONSchemaProps{${listed}},}`,
    };
  }

  #dependency(value: JsonValue): GoValue {
    return {
      kind: 'struct',
      members: [
        ['Schema', isObject(value) ? this.#pointer(value) : nil],
        ['Property', Array.isArray(value) ? this.#list(readTextList(value)?.map(text)) : nil],
      ],
    };
  }

  #list(items: readonly GoValue[] | undefined): GoValue {
    return this.stored && items?.length === 0 ? nil : list(items);
  }

  #map(value: Maybe, read: (item: JsonValue) => GoValue): GoValue {
    const map = readObject(value);
    const keys = Object.keys(map ?? {}).sort(compareBytes);
    if (map === undefined || (this.stored && keys.length === 0)) return nil;
    return {
      kind: 'map',
      members: keys.map((key) => [key, read(own(map, key) ?? null)] as const),
    };
  }
}

const json = (raw: string): GoValue => ({ kind: 'struct', members: [['Raw', text(raw)]] });

function documentation(value: JsonObject | undefined): GoValue {
  if (value === undefined) return nil;
  const description = readText(own(value, 'description')) ?? '';
  const url = readText(own(value, 'url')) ?? '';
  return {
    kind: 'pointer',
    to: {
      kind: 'struct',
      members: [
        ['Description', text(description)],
        ['URL', text(url)],
      ],
    },
    described: `&ExternalDocumentation{Description:${description},URL:${url},}`,
  };
}

function validation(rule: JsonObject): GoValue {
  const member = (key: string): readonly [string, GoValue] => [
    key,
    text(readText(own(rule, key)) ?? ''),
  ];
  return {
    kind: 'struct',
    members: [
      member('rule'),
      member('message'),
      member('messageExpression'),
      ['reason', pointer(readText(own(rule, 'reason')))],
      member('fieldPath'),
      ['optionalOldSelf', pointer(readFlag(own(rule, 'optionalOldSelf'))?.toString())],
    ],
  };
}

function describeJson(raw: string): string {
  return `&JSON{Raw:*[${[...Buffer.from(raw)].join(' ')}],}`;
}

const goNames: readonly (readonly [name: string, keyword: string])[] = keywordOrder
  .slice(0, keywordOrder.indexOf('enum'))
  .map((keyword) => [keyword === '$ref' ? 'Ref' : goName(keyword), keyword]);

function goName(keyword: string): string {
  if (keyword === 'id') return 'ID';
  const bare = keyword.replace('$', '');
  return `${bare[0]?.toUpperCase()}${bare.slice(1)}`;
}

/** As much of `String()` as the differ ever shows: it cuts before the first value of `enum`. */
function describeSchema(schema: JsonObject | undefined): string {
  if (schema === undefined) return 'nil';
  const parts = goNames.map(([name, keyword]) => `${name}:${describe(schema, keyword)},`);
  return `&JSONSchemaProps{${parts.join('')}Enum:[]JSON{`;
}

function describe(schema: JsonObject, keyword: string): string {
  const value = own(schema, keyword);
  const star = (printed: string | undefined): string =>
    printed === undefined ? 'nil' : `*${printed}`;
  switch (keywordKinds.get(keyword)) {
    case 'flag':
      return String(readFlag(value) ?? false);
    case 'pointer-to-text':
      return star(readText(value));
    case 'float': {
      const number = readFloat(value);
      return star(number === undefined ? undefined : formatFloat(number));
    }
    case 'integer':
      return star(readInteger(value)?.toString());
    case 'json': {
      const raw = readJson(value);
      return raw === undefined ? 'nil' : describeJson(raw);
    }
    default:
      return readText(value) ?? '';
  }
}

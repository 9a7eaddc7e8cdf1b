/** A schema as the tree of Go values that the reference's differ walks over. */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
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
import { GoText } from './go-text.js';
import { compareBytes, formatFloat } from '../../../text/go/index.js';

export type GoValue =
  | { readonly kind: 'nil' }
  | { readonly kind: 'leaf'; readonly text: string; readonly zero: boolean }
  /** `described` is what the type's own `String` method prints, where it has one. */
  | { readonly kind: 'pointer'; readonly to: GoValue; readonly described?: string }
  | { readonly kind: 'struct' | 'map'; readonly members: readonly (readonly [string, GoValue])[] }
  | { readonly kind: 'list'; readonly items: readonly GoValue[] };

type Maybe = JsonValue | undefined;

/** In characters; the differ shows less of a text. */
const longestDescription = 512;

const nil: GoValue = { kind: 'nil' };
const text = (value: string): GoValue => ({ kind: 'leaf', text: value, zero: value === '' });
const flag = (value: boolean): GoValue => ({ kind: 'leaf', text: String(value), zero: !value });
const pointer = (value: string | undefined): GoValue =>
  value === undefined ? nil : { kind: 'pointer', to: { kind: 'leaf', text: value, zero: false } };
const list = (items: readonly GoValue[] | undefined): GoValue =>
  items === undefined ? nil : { kind: 'list', items };

/** Builds values of one side; a stored side has no empty lists and maps. */
export class GoReader {
  readonly #text: GoText;

  constructor(readonly stored: boolean) {
    this.#text = new GoText(stored, longestDescription);
  }

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
          : { kind: 'pointer', to: json(raw), described: this.#text.json(raw) };
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
        return this.#documentation(readObject(value));
      case 'validations':
        return this.#list(readList(value)?.map((item) => validation(readSchema(item))));
    }
  }

  #pointer(schema: JsonObject): GoValue {
    return { kind: 'pointer', to: this.schema(schema), described: this.#text.schema(schema) };
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
      described: this.#text.schemaOrFlag(value),
    };
  }

  #items(value: Maybe): GoValue {
    if (value === undefined || value === null) return nil;
    const schema = isObject(value) ? value : undefined;
    const schemas = Array.isArray(value) ? value.map((item) => readSchema(item)) : undefined;
    if (this.stored && schema === undefined && (schemas ?? []).length === 0) return nil;
    return {
      kind: 'pointer',
      to: {
        kind: 'struct',
        members: [
          ['Schema', schema === undefined ? nil : this.#pointer(schema)],
          ['JSONSchemas', list(schemas?.map((item) => this.schema(item)))],
        ],
      },
      described: this.#text.items(value),
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

  #documentation(value: JsonObject | undefined): GoValue {
    if (value === undefined) return nil;
    return {
      kind: 'pointer',
      to: {
        kind: 'struct',
        members: [
          ['Description', text(readText(own(value, 'description')) ?? '')],
          ['URL', text(readText(own(value, 'url')) ?? '')],
        ],
      },
      described: this.#text.documentation(value),
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

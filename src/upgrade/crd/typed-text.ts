/** Texts that are equal exactly when the API's types hold equal values. */
import { sha256 } from '../../text/platform.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { keywordKinds, type Kind } from './keywords.js';
import {
  named,
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
import { compareBytes } from '../../text/go/index.js';
import { append } from '../../text/long-lists.js';

export interface Reading {
  /** The side comes back from an API server, which leaves out empty lists and maps. */
  readonly stored: boolean;
  readonly emptyIsAbsent: boolean;
}

type Maybe = JsonValue | undefined;

/** A value that is there and has no content. */
const hollow = '()';
const longestPlainText = 64;

/** `''` for Go's zero value. Nested schemas become digests: nesting costs no more than the document's length. */
export class TypedText {
  readonly #schemas = new Map<JsonObject, string>();

  constructor(readonly reading: Reading) {}

  /** @throws InvalidInputError `E_INPUT` for a value that the keyword cannot have. */
  keyword(schema: JsonObject, keyword: string): string {
    const kind = keywordKinds.get(keyword);
    const value = kind === undefined ? undefined : own(schema, keyword);
    if (kind === undefined || value === undefined) return '';
    try {
      return this.#value(kind, value);
    } catch (error) {
      throw named(error, keyword);
    }
  }

  schema(root: JsonObject): string {
    const open = [root];
    for (let schema = open.at(-1); schema !== undefined; schema = open.at(-1)) {
      const inner = this.#schemas.has(schema) ? [] : this.#unwritten(schema);
      if (inner.length > 0) append(open, inner);
      else {
        open.pop();
        if (!this.#schemas.has(schema)) this.#schemas.set(schema, this.#write(schema));
      }
    }
    return this.#schemas.get(root) ?? '';
  }

  #unwritten(schema: JsonObject): JsonObject[] {
    const inner: JsonObject[] = [];
    for (const keyword in schema) {
      const kind = keywordKinds.get(keyword);
      if (kind === undefined) continue;
      for (const each of schemasIn(kind, schema[keyword])) {
        if (!this.#schemas.has(each)) inner.push(each);
      }
    }
    return inner;
  }

  #write(schema: JsonObject): string {
    return sealed(
      `{${Object.keys(schema)
        .sort()
        .map((keyword) => [keyword, this.keyword(schema, keyword)] as const)
        .filter(([, value]) => value !== '')
        .map(([keyword, value]) => `${keyword}:${value}`)
        .join(',')}}`,
    );
  }

  #value(kind: Kind, value: Maybe): string {
    switch (kind) {
      case 'text':
        return quoted(readText(value) ?? '');
      case 'pointer-to-text':
        return pointer(readText(value));
      case 'flag':
        return readFlag(value) === true ? 'true' : '';
      case 'pointer-to-flag':
        return String(readFlag(value) ?? '');
      case 'float': {
        const number = readFloat(value);
        return number === undefined ? '' : String(number);
      }
      case 'integer':
        return String(readInteger(value) ?? '');
      case 'json':
        return sealed(readJson(value) ?? '');
      case 'json-list':
        return this.#list(readJsonList(value));
      case 'text-list':
        return this.#list(readTextList(value)?.map((text) => JSON.stringify(text)));
      case 'schema': {
        const schema = readObject(value);
        return schema === undefined ? '' : this.schema(schema);
      }
      case 'schema-list':
        return this.#list(readList(value)?.map((item) => this.schema(readSchema(item))));
      case 'schema-map':
        return this.#map(value, (item) => this.schema(readSchema(item)));
      case 'schema-or-flag': {
        const schema = readSchemaOrFlag(value);
        return isObject(schema) ? this.schema(schema) : String(schema ?? '');
      }
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

  #list(items: readonly string[] | undefined): string {
    return items === undefined || (items.length === 0 && this.#dropsEmpty)
      ? ''
      : sealed(`[${items.join(',')}]`);
  }

  #map(value: Maybe, text: (item: JsonValue) => string): string {
    const map = readObject(value);
    if (map === undefined) return '';
    const keys = Object.keys(map);
    if (keys.length === 0) return this.#dropsEmpty ? '' : '{}';
    keys.sort(compareBytes);
    const members = keys.map((key) => `${JSON.stringify(key)}:${text(own(map, key) ?? null)}`);
    return sealed(`{${members.join(',')}}`);
  }

  #items(value: Maybe): string {
    if (value === undefined || value === null) return '';
    if (isObject(value)) return this.schema(value);
    if (Array.isArray(value) && value.length > 0) {
      return sealed(`[${value.map((item) => this.schema(readSchema(item))).join(',')}]`);
    }
    if (this.reading.stored) return '';
    return Array.isArray(value) && !this.reading.emptyIsAbsent ? '[]' : hollow;
  }

  #dependency(value: JsonValue): string {
    if (isObject(value)) return this.schema(value);
    const names = Array.isArray(value) ? this.#list(readTextList(value)) : '';
    return names === '' ? hollow : names;
  }

  get #dropsEmpty(): boolean {
    return this.reading.stored || this.reading.emptyIsAbsent;
  }
}

const oneSchema: ReadonlySet<Kind> = new Set(['schema', 'schema-or-flag', 'schema-or-list']);
const manySchemas: ReadonlySet<Kind> = new Set([
  'schema-list',
  'schema-map',
  'schema-or-list',
  'dependencies',
]);

export function schemasIn(kind: Kind, value: Maybe): readonly JsonObject[] {
  if (Array.isArray(value)) return manySchemas.has(kind) ? value.filter(isObject) : [];
  if (!isObject(value)) return [];
  if (oneSchema.has(kind)) return [value];
  return manySchemas.has(kind) ? Object.values(value).filter(isObject) : [];
}

const quoted = (text: string): string => (text === '' ? '' : sealed(JSON.stringify(text)));
const pointer = (text: string | undefined): string =>
  text === undefined ? '' : sealed(JSON.stringify(text));

function documentation(value: JsonObject | undefined): string {
  if (value === undefined) return '';
  const parts = ['description', 'url'].map((key) => quoted(readText(own(value, key)) ?? ''));
  return `(${parts.join(',')})`;
}

function validation(rule: JsonObject): string {
  const texts = ['rule', 'message', 'messageExpression', 'fieldPath'].map((key) =>
    quoted(readText(own(rule, key)) ?? ''),
  );
  const reason = pointer(readText(own(rule, 'reason')));
  const optionalOldSelf = String(readFlag(own(rule, 'optionalOldSelf')) ?? '');
  return sealed(`(${[...texts, reason, optionalOldSelf].join(',')})`);
}

function sealed(text: string): string {
  return text.length <= longestPlainText ? text : `#${sha256(text).toString('base64')}`;
}

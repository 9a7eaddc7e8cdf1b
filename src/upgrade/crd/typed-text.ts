/** Texts that are equal exactly when the API's types hold equal values. */
import { sha256 } from '../../text/platform.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { GoReader, type GoValue } from './go-values.js';
import { keywordKinds, type Kind } from './keywords.js';
import { named } from './typed-values.js';
import { append } from '../../text/long-lists.js';

export interface Reading {
  /** The side comes back from an API server, which leaves out empty lists and maps. */
  readonly stored: boolean;
  readonly emptyIsAbsent: boolean;
}

type Maybe = JsonValue | undefined;

const longestPlainText = 64;

/** `''` for Go's zero value. Nested schemas become digests: nesting costs no more than the document's length. */
export class TypedText {
  readonly #schemas = new Map<JsonObject, string>();
  readonly #reader: GoReader;

  constructor(readonly reading: Reading) {
    this.#reader = new GoReader(reading.stored, reading.stored || reading.emptyIsAbsent);
  }

  /** @throws InvalidInputError `E_INPUT` for a value that the keyword cannot have. */
  keyword(schema: JsonObject, keyword: string): string {
    const kind = keywordKinds.get(keyword);
    const value = kind === undefined ? undefined : own(schema, keyword);
    if (kind === undefined || value === undefined) return '';
    try {
      const read = this.#reader.keyword(keyword, kind, value);
      return read.kind === 'leaf' && read.zero ? '' : sealed(this.#canonical(read));
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

  /** Of a nested schema its digest, which is known by then. */
  #canonical(value: GoValue): string {
    switch (value.kind) {
      case 'nil':
        return '';
      case 'leaf':
      case 'bytes':
        return JSON.stringify(value.text);
      case 'pointer':
        return `&${this.#canonical(value.to)}`;
      case 'list':
        return `[${value.items.map((item) => this.#canonical(item)).join(',')}]`;
      case 'struct':
      case 'map': {
        if (value.schema !== undefined) return this.schema(value.schema);
        const member = ([key, of]: readonly [string, GoValue]): string =>
          `${JSON.stringify(key)}:${this.#canonical(of)}`;
        return `{${value.members.map(member).join(',')}}`;
      }
    }
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

function sealed(text: string): string {
  return text.length <= longestPlainText ? text : `#${sha256(text).toString('base64')}`;
}

/**
 * A schema as Go prints it: by the `String` method of its type, and plainly by `%v` where it stands in a
 * map, or in a list of what does, for values there have no such method. Of a number, text or flag behind
 * a pointer `%v` prints the address.
 */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { keywordKinds, keywordOrder, type Kind } from '../../crd/keywords.js';
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
import { compareBytes, formatFloat, formatList } from '../../../text/go/index.js';

type Maybe = JsonValue | undefined;
type Write = (part: string) => void;
/** Text in parts, or what writes it: an iterator in another for each level would cost a step for each. */
type Parts = readonly string[] | ((write: Write) => void);

/** Ends the writing of a text that is long enough. */
const enough = Symbol('enough');

/** Stands for an address, which is another one each time. */
const address = '0x…';

const goNames = new Map(keywordOrder.map((keyword) => [keyword, goName(keyword)]));

function goName(keyword: string): string {
  if (keyword === 'id') return 'ID';
  const words = keyword.replace('$', '').replace('x-kubernetes-', 'x-').split('-');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}

/** Prints values of one side, no longer than `most` characters and an ellipsis. */
export class GoText {
  /** @param stored the side comes back from an API server, which leaves out empty lists */
  constructor(
    readonly stored: boolean,
    readonly most: number,
  ) {}

  schema(schema: JsonObject | undefined): string {
    return this.#cut(this.#pointer(schema));
  }

  schemaOrFlag(value: JsonObject | boolean | undefined): string {
    return this.#cut(this.#schemaOrFlag(value));
  }

  items(value: Maybe): string {
    return this.#cut(this.#items(value));
  }

  json(raw: string | undefined): string {
    return raw === undefined ? 'nil' : `&${this.#json(raw, false)}`;
  }

  documentation(value: JsonObject | undefined): string {
    if (value === undefined) return 'nil';
    const [description, url] = ['description', 'url'].map((key) => readText(own(value, key)) ?? '');
    return `&ExternalDocumentation{Description:${description},URL:${url},}`;
  }

  #cut(parts: Parts): string {
    let text = '';
    try {
      run(parts, (part) => {
        text += part;
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught below
        if (text.length > this.most) throw enough;
      });
      return text;
    } catch (error) {
      if (error !== enough) throw error;
      return `${text.slice(0, this.most)}…`;
    }
  }

  #struct(type: string, members: Iterable<readonly [string, Parts]>, isPlain: boolean): Parts {
    return isPlain
      ? sequence('{', ' ', '}', members, ([, value]) => value)
      : sequence(`${type}{`, ',', ',}', members, ([name, value]) => joined([`${name}:`], value));
  }

  #schema(schema: JsonObject, isPlain: boolean): Parts {
    const members = [...goNames].map(
      ([keyword, name]) =>
        [name, lazily(() => this.#value(keyword, own(schema, keyword), isPlain))] as const,
    );
    return this.#struct('JSONSchemaProps', members, isPlain);
  }

  #pointer(schema: JsonObject | undefined): Parts {
    return schema === undefined ? ['nil'] : joined(['&'], this.#schema(schema, false));
  }

  #value(keyword: string, value: Maybe, isPlain: boolean): Parts {
    const kind = keywordKinds.get(keyword) ?? 'json';
    /** The list of a type with a `String` method of its own. */
    const list = <Item>(
      type: string,
      items: Iterable<Item>,
      print: (item: Item) => Parts,
    ): Parts =>
      isPlain
        ? sequence('[', ' ', ']', items, print)
        : sequence(`[]${type}{`, '', '}', items, (item) => joined(print(item), [',']));
    const map = (print: (item: JsonValue) => Parts): Parts => {
      const type = keyword.endsWith('roperties')
        ? 'map[string]JSONSchemaProps'
        : `JSONSchema${goNames.get(keyword)}`;
      return isPlain
        ? sequence('map[', ' ', ']', entries(value), ([key, item]) =>
            joined([`${key}:`], print(item)),
          )
        : sequence(`${type}{`, '', '}', entries(value), ([key, item]) =>
            joined([`${key}: `], print(item), [',']),
          );
    };
    switch (kind) {
      case 'text':
        return [readText(value) ?? ''];
      case 'flag':
        return [String(readFlag(value) ?? false)];
      case 'pointer-to-text':
      case 'pointer-to-flag':
      case 'float':
      case 'integer':
        return [behind(scalar(kind, value), isPlain)];
      case 'json':
        return [this.json(readJson(value))];
      case 'json-list':
        return list('JSON', readJsonList(value) ?? [], (raw) => [this.#json(raw, isPlain)]);
      case 'text-list':
        return [formatList(readTextList(value) ?? [])];
      case 'schema':
        return this.#pointer(readObject(value));
      case 'schema-list':
        return list('JSONSchemaProps', readList(value) ?? [], (item) =>
          this.#schema(readSchema(item), isPlain),
        );
      case 'schema-map':
        return map((item) => this.#schema(readSchema(item), true));
      case 'dependencies':
        return map((item) => this.#dependency(item));
      case 'schema-or-flag':
        return this.#schemaOrFlag(readSchemaOrFlag(value));
      case 'schema-or-list':
        return this.#items(value);
      case 'documentation':
        return [this.documentation(readObject(value))];
      case 'validations':
        return list('ValidationRule', readList(value) ?? [], (item) =>
          this.#validation(readSchema(item), isPlain),
        );
    }
  }

  #json(raw: string, isPlain: boolean): string {
    const bytes = `[${Buffer.from(raw.slice(0, this.most)).join(' ')}]`;
    if (isPlain) return `{${bytes}}`;
    return `JSON{Raw:${raw === '' ? 'nil' : `*${bytes}`},}`;
  }

  #schemaOrFlag(value: JsonObject | boolean | undefined): Parts {
    if (value === undefined) return ['nil'];
    const schema = isObject(value) ? value : undefined;
    return joined(
      [`&JSONSchemaPropsOrBool{Allows:${value !== false},Schema:`],
      this.#pointer(schema),
      [',}'],
    );
  }

  #items(value: Maybe): Parts {
    if (value === undefined || value === null) return ['nil'];
    const schema = isObject(value) ? value : undefined;
    const schemas = Array.isArray(value) ? value : [];
    if (this.stored && schema === undefined && schemas.length === 0) return ['nil'];
    const listed = sequence('[]JSONSchemaProps{', '', '}', schemas, (item) =>
      joined(this.#schema(readSchema(item), false), [',']),
    );
    return joined(
      ['&JSONSchemaPropsOrArray{Schema:'],
      this.#pointer(schema),
      [',JSONSchemas:'],
      listed,
      [',}'],
    );
  }

  #dependency(value: JsonValue): Parts {
    const names = Array.isArray(value) ? (readTextList(value) ?? []) : [];
    return joined(['{'], this.#pointer(isObject(value) ? value : undefined), [
      ` ${formatList(names)}}`,
    ]);
  }

  #validation(rule: JsonObject, isPlain: boolean): Parts {
    const text = (key: string): Parts => [readText(own(rule, key)) ?? ''];
    return this.#struct(
      'ValidationRule',
      [
        ['Rule', text('rule')],
        ['Message', text('message')],
        ['MessageExpression', text('messageExpression')],
        ['Reason', [behind(readText(own(rule, 'reason')), isPlain)]],
        ['FieldPath', text('fieldPath')],
        ['OptionalOldSelf', [behind(readFlag(own(rule, 'optionalOldSelf'))?.toString(), isPlain)]],
      ],
      isPlain,
    );
  }
}

/** What is behind a pointer, as text; undefined for none. */
function scalar(kind: Kind, value: Maybe): string | undefined {
  switch (kind) {
    case 'pointer-to-text':
      return readText(value);
    case 'pointer-to-flag':
      return readFlag(value)?.toString();
    case 'float': {
      const number = readFloat(value);
      return number === undefined ? undefined : formatFloat(number);
    }
    default:
      return readInteger(value)?.toString();
  }
}

function behind(text: string | undefined, isPlain: boolean): string {
  if (text === undefined) return isPlain ? '<nil>' : 'nil';
  return isPlain ? address : `*${text}`;
}

function entries(value: Maybe): [string, JsonValue][] {
  const map = readObject(value) ?? {};
  return Object.keys(map)
    .sort(compareBytes)
    .map((key) => [key, own(map, key) ?? null]);
}

function sequence<Item>(
  open: string,
  between: string,
  close: string,
  items: Iterable<Item>,
  print: (item: Item) => Parts,
): Parts {
  return (write) => {
    write(open);
    let separator = '';
    for (const item of items) {
      write(separator);
      run(print(item), write);
      separator = between;
    }
    write(close);
  };
}

function joined(...each: readonly Parts[]): Parts {
  return (write) => {
    for (const parts of each) run(parts, write);
  };
}

function lazily(parts: () => Parts): Parts {
  return (write) => run(parts(), write);
}

function run(parts: Parts, write: Write): void {
  if (typeof parts === 'function') parts(write);
  else for (const part of parts) write(part);
}

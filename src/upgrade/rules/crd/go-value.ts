/**
 * A value as Go's `%v` prints it. A type with a `String` method is printed by that method, unless the
 * value is in a map, or in a list of such values. Of a pointer to a number, a text or a flag the address
 * is printed.
 */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { float64Of, formatFloat, isNumber, quote, compareBytes } from '../../../text/go/index.js';
import { keywordKinds, type Kind, keywordOrder } from '../../crd/keywords.js';
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

// One changed keyword as operator-controller prints it: the field's name in Go, and both values.

export function goChange(keyword: string, old: JsonObject, next: JsonObject): string | undefined {
  const kind = keywordKinds.get(keyword);
  if (kind === undefined) return undefined;
  const values = [own(old, keyword) ?? null, own(next, keyword) ?? null];
  if (values.every((value) => isLong(value))) return undefined;
  // Two values of these are compared inside, line by line.
  if (!values.includes(null) && !isScalar(kind)) return undefined;
  const [before, after] = values.map((value) => printed(value, kind));
  if (before === undefined || after === undefined) return undefined;
  return `${fieldName(keyword)} ${before} -> ${after}`;
}

/** Two long texts are compared line by line, or byte by byte. */
const isLong = (value: JsonValue): boolean =>
  typeof value === 'string' && Buffer.byteLength(value) >= 32;

function fieldName(keyword: string): string {
  if (keyword === 'id') return 'ID';
  const words = keyword.replace('$', '').replace('x-kubernetes-', 'x-').split('-');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}

const scalars: readonly Kind[] = [
  ...(['text', 'flag', 'pointer-to-text', 'pointer-to-flag', 'float', 'integer'] as const),
];
const isScalar = (kind: Kind): boolean => scalars.includes(kind);

function printed(value: JsonValue, kind: Kind): string | undefined {
  switch (kind) {
    case 'text':
      return printText(value ?? '');
    case 'flag':
      return String(value === true);
    case 'pointer-to-text':
      return value === null ? 'nil' : `&${printText(value)}`;
    case 'pointer-to-flag':
      return value === null ? 'nil' : `&${String(value === true)}`;
    case 'float':
    case 'integer':
      return isNumber(value) ? `&${formatFloat(float64Of(value))}` : 'nil';
    case 'text-list':
      return Array.isArray(value) ? `[]string{${value.map(printText).join(', ')}}` : 'nil';
    case 'validations':
      return Array.isArray(value) ? rules(value) : 'nil';
    case 'schema':
    case 'schema-list':
    case 'schema-map':
    case 'schema-or-flag':
    case 'schema-or-list':
      return value === null ? 'nil' : '<complex value>';
    default:
      return undefined;
  }
}

function rules(list: readonly JsonValue[]): string {
  const fields = [
    ...['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'],
  ];
  const written = list.map((rule) => {
    const members = fields.flatMap((field) => {
      const value = isObject(rule) ? own(rule, field) : undefined;
      if (value === undefined || value === null || value === '') return [];
      const isPointer = field === 'reason' || field === 'optionalOldSelf';
      const shown = typeof value === 'string' ? printText(value) : String(value === true);
      return [`${fieldName(field)}: ${isPointer ? '&' : ''}${shown}`];
    });
    return `{${members.join(', ')}}`;
  });
  return `ValidationRules{${written.join(', ')}}`;
}

/** Backquotes where they save escapes. */
function printText(value: JsonValue): string {
  const raw = typeof value === 'string' ? value : '';
  const quoted = quote(raw);
  const isPlain = Buffer.byteLength(quoted) === Buffer.byteLength(raw) + 2;
  const canBeRaw = !/[`\n]|(?!\t)[\p{Cc}\p{Cf}\p{Cn}]/u.test(raw);
  return isPlain || !canBeRaw ? quoted : `\`${raw}\``;
}

/** Ends the writing of a text that is long enough. */
const enough = Symbol('enough');

/** Stands for an address, which is another one each time. */
const address = '0x…';

/** Prints a value, no longer than `most` characters and an ellipsis. */
export function goText(value: GoValue, most: number): string {
  const printer = new Printer(most);
  try {
    printer.print(value, false);
    return printer.text;
  } catch (error) {
    if (error !== enough) throw error;
    return `${printer.text.slice(0, most)}…`;
  }
}

class Printer {
  text = '';

  constructor(private readonly most: number) {}

  print(value: GoValue, isPlain: boolean): void {
    switch (value.kind) {
      case 'nil':
        this.#write(isPlain ? value.plainly : value.text);
        return;
      case 'leaf':
        this.#write(value.text);
        return;
      case 'bytes':
        this.#write(this.#bytes(value.text, isPlain));
        return;
      case 'pointer':
        if (value.hasMethod || !isPlain) this.#write(value.hasMethod ? '&' : '*');
        if (value.hasMethod || !isPlain) this.print(value.to, false);
        else this.#write(address);
        return;
      case 'list':
        this.#list(value, isPlain || value.type === 'string');
        return;
      case 'struct':
        this.#struct(value, isPlain);
        return;
      case 'map':
        this.#map(value, isPlain);
    }
  }

  #write(part: string): void {
    this.text += part;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught above
    if (this.text.length > this.most) throw enough;
  }

  #bytes(text: string, isPlain: boolean): string {
    const bytes = `[${Buffer.from(text.slice(0, this.most)).join(' ')}]`;
    return isPlain ? bytes : text === '' ? 'nil' : `*${bytes}`;
  }

  #list({ type, items }: GoValue & { kind: 'list' }, isPlain: boolean): void {
    this.#write(isPlain ? '[' : `[]${type}{`);
    items.forEach((item, index) => {
      if (isPlain && index > 0) this.#write(' ');
      this.print(item, isPlain);
      if (!isPlain) this.#write(',');
    });
    this.#write(isPlain ? ']' : '}');
  }

  #struct({ type, members }: GoValue & { kind: 'struct' }, isPlain: boolean): void {
    this.#write(isPlain ? '{' : `${type}{`);
    members.forEach(([key, member], index) => {
      if (isPlain) this.#write(index > 0 ? ' ' : '');
      else this.#write(`${fieldName(key)}:`);
      this.print(member, isPlain);
      if (!isPlain) this.#write(',');
    });
    this.#write('}');
  }

  #map({ type, members }: GoValue & { kind: 'map' }, isPlain: boolean): void {
    this.#write(isPlain ? 'map[' : `${type}{`);
    members.forEach(([key, member], index) => {
      if (isPlain) this.#write(index > 0 ? ' ' : '');
      this.#write(isPlain ? `${key}:` : `${key}: `);
      this.print(member, true);
      if (!isPlain) this.#write(',');
    });
    this.#write(isPlain ? ']' : '}');
  }
}

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
  constructor(readonly stored: boolean) {}

  schema(schema: JsonObject, without?: ReadonlySet<string>): GoValue {
    return struct('JSONSchemaProps', () =>
      keywordOrder.map((keyword) => {
        const value = without?.has(keyword) === true ? undefined : own(schema, keyword);
        return [keyword, this.#value(keyword, keywordKinds.get(keyword) ?? 'json', value)];
      }),
    );
  }

  pointer(schema: JsonObject | undefined): GoValue {
    return described(schema && this.schema(schema));
  }

  #value(keyword: string, kind: Kind, value: Maybe): GoValue {
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
        const isOfFields = keyword.endsWith('roperties');
        const type = isOfFields ? 'map[string]JSONSchemaProps' : `JSONSchema${fieldName(keyword)}`;
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
    if (items !== undefined && !(this.stored && items.length === 0)) {
      return { kind: 'list', type, items };
    }
    return nil(type === 'string' ? '[]' : `[]${type}{}`, '[]');
  }

  #map(type: string, value: Maybe, read: (item: JsonValue) => GoValue): GoValue {
    const map = readObject(value);
    const keys = Object.keys(map ?? {}).sort(compareBytes);
    if (map === undefined || (this.stored && keys.length === 0)) return nil(`${type}{}`, 'map[]');
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

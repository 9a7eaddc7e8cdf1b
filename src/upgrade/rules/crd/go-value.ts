/**
 * A value as Go's `%v` prints it. A type with a `String` method is printed by that method, unless the
 * value is in a map, or in a list of such values. Of a pointer to a number, a text or a flag the address
 * is printed.
 */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { float64Of, formatFloat, isNumber, quote } from '../../../text/go/index.js';
import type { GoValue } from '../../crd/go-values.js';
import { keywordKinds, type Kind } from '../../crd/keywords.js';

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

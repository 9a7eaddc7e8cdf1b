/**
 * Names of fields as identifiers of CEL (k8s.io/apiserver/pkg/cel/escaping.go), a rule's fieldPath and selectable fields
 * (ValidFieldPath of apiextensions' schema/cel/validation.go).
 */
import { reservedWords } from '../../../cel/index.js';
import { unescaped } from '../../../text/go/index.js';

const escapes = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

/** The identifier for a field, or undefined where a field cannot be named in a rule. */
export function escapeName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (/^[a-zA-Z][a-zA-Z0-9]*$/.test(name)) return name;
  if (name === '' || /^[0-9]/.test(name)) return undefined;
  if (!/^[a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (part) => escapes.get(part) ?? part);
}

const unescapes = new Map([...escapes].map(([plain, escaped]) => [escaped, plain]));

/** The field behind an identifier, or undefined where it is the escape of none. */
export function unescapeName(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  const keyword = /^__([a-z]+)__$/.exec(identifier)?.[1];
  if (keyword !== undefined && reservedWords.has(keyword)) return keyword;
  let valid = true;
  const name = identifier.replaceAll(/__[^_]+__/g, (part) => {
    const plain = unescapes.get(part);
    if (plain === undefined) valid = false;
    return plain ?? part;
  });
  return valid ? name : undefined;
}

interface Fields<Schema> {
  readonly properties?: ReadonlyMap<string, Schema> | undefined;
  readonly additionalProperties?: { readonly schema?: Schema | undefined } | undefined;
}

export interface FoundField<Schema> {
  readonly root: string;
  /** As errors print it, without the leading dot; keys of maps in brackets. */
  readonly path: string;
  /** Undefined below `additionalProperties: true`. */
  readonly schema: Schema | undefined;
}

/**
 * @param allowsBrackets whether `['key']` may be in it @returns the field, or why there is none; undefined where Go walks on
 * into a schema that is not there, which ends the request in an internal error
 */
export function findField<Schema extends Fields<Schema>>(
  path: string,
  root: Schema | undefined,
  allowsBrackets: boolean,
): FoundField<Schema> | string | undefined {
  const tokens = tokensOf(path);
  let [first, printed] = ['', ''];
  let schema = root;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string;
    let name: string;
    if (token === '[') {
      if (!allowsBrackets) return 'array notation is not allowed';
      const quoted = tokens[++at];
      if (quoted === undefined) return 'unexpected end of JSON path';
      if (!/^'[\s\S]*'$/.test(quoted)) return `expected single quoted string but got ${quoted}`;
      const unescaped = unescapeQuoted(quoted.slice(1, -1));
      if (unescaped === undefined) return 'invalid string literal';
      name = unescaped;
    } else if (token === '.') {
      const next = tokens[++at];
      if (next === undefined) return 'unexpected end of JSON path';
      name = next;
    } else return `expected [ or . but got: ${token}`;
    if (schema === undefined) return undefined;
    const below = step(schema, name);
    if (below === undefined) return 'does not refer to a valid field';
    if (printed === '') first = below.name;
    printed += printed !== '' && !below.isKey ? `.${below.name}` : below.name;
    schema = below.schema;
    if (token !== '[') continue;
    const close = tokens[++at];
    if (close === undefined) return 'unexpected end of JSON path';
    if (close !== ']') return `expected ] but got ${close}`;
  }
  return { root: first, path: printed, schema };
}

function step<Schema extends Fields<Schema>>(
  { properties, additionalProperties }: Schema,
  name: string,
): { name: string; isKey: boolean; schema: Schema | undefined } | undefined {
  if (properties !== undefined && properties.size > 0) {
    const schema = properties.get(name);
    return schema && { name, isKey: false, schema };
  }
  if (additionalProperties === undefined) return undefined;
  return { name: `[${name}]`, isKey: true, schema: additionalProperties.schema };
}

/** Dots and brackets by themselves, quoted texts whole, and whatever is between them. */
function tokensOf(path: string): string[] {
  const tokens: string[] = [];
  let rest = path;
  while (rest !== '') {
    const token = rest.startsWith("'")
      ? quotedToken(rest)
      : (/^[.[\]]|^[^.[\]]+/.exec(rest)?.[0] ?? rest);
    tokens.push(token);
    rest = rest.slice(token.length);
  }
  return tokens;
}

function quotedToken(text: string): string {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "'" && text[at - 1] !== '\\') return text.slice(0, at + 1);
  }
  return text;
}

function unescapeQuoted(text: string): string | undefined {
  let isValid = true;
  const plain = text.replaceAll(/\\(.)/g, (_match, character: string) => {
    isValid &&= unescaped.has(character);
    return unescaped.get(character) ?? '';
  });
  return isValid ? plain : undefined;
}

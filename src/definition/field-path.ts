/**
 * JSON paths that must name a field: a rule's fieldPath, and selectable fields.
 *
 * Source: ValidFieldPath of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
import { unescaped } from '../text/go/index.js';
import type { SchemaProps } from './schema-props.js';

export interface FoundField {
  /** The names and keys on the way; keys of maps in brackets. */
  readonly steps: readonly string[];
  /** Undefined below `additionalProperties: true`. */
  readonly schema: SchemaProps | undefined;
}

/** Go walks on into a schema that is not there, and the request ends in an internal error. */
export class PathPanic extends Error {
  override readonly name = 'PathPanic';
}

/**
 * @param allowsBrackets whether `['key']` may stand in it
 * @returns the field, or why there is none
 * @throws PathPanic
 */
export function findField(
  path: string,
  root: SchemaProps | undefined,
  allowsBrackets: boolean,
): FoundField | string {
  const tokens = tokensOf(path);
  const steps: string[] = [];
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
    if (schema === undefined) throw new PathPanic();
    const below = step(schema, name);
    if (below === undefined) return 'does not refer to a valid field';
    steps.push(below.step);
    schema = below.schema;
    if (token !== '[') continue;
    const close = tokens[++at];
    if (close === undefined) return 'unexpected end of JSON path';
    if (close !== ']') return `expected ] but got ${close}`;
  }
  return { steps, schema };
}

function step(
  { properties, additionalProperties }: SchemaProps,
  name: string,
): { step: string; schema: SchemaProps | undefined } | undefined {
  if ((properties?.size ?? 0) > 0) {
    const schema = properties?.get(name);
    return schema === undefined ? undefined : { step: name, schema };
  }
  if (additionalProperties === undefined) return undefined;
  return { step: `[${name}]`, schema: additionalProperties.schema };
}

/** Dots and brackets by themselves, quoted texts whole, and whatever stands between them. */
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

import { byteLength, float64Of, int64Of, isNumber } from '../../text/go/index.js';
import { isObject, type JsonValue } from '../../text/documents/index.js';

/** A text as a literal of CEL, without the characters that YAML refuses or breaks lines at. */
export function literal(text: string): string {
  return JSON.stringify(text.replaceAll(/\p{Cs}/gu, '\ufffd')).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
    },
  );
}

/** Undefined for what no literal can say: a number past all doubles. */
export function literalOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return literal(value);
  if (isNumber(value)) {
    // An int of CEL has 64 bits, as has one that an API server reads.
    return int64Of(value)?.toString() ?? double(float64Of(value));
  }
  if (Array.isArray(value)) return joinDefined(value.map(literalOf), '[', ']');
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, each]) => {
    const text = literalOf(each ?? null);
    return text && `${literal(key)}:${text}`;
  });
  return joinDefined(entries, '{', '}');
}

function joinDefined(
  texts: readonly (string | undefined)[],
  start: string,
  end: string,
): string | undefined {
  return texts.includes(undefined) ? undefined : `${start}${texts.join(',')}${end}`;
}

function double(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** How much of an object of etcd an expression takes, in bytes. */
export function sizeOf(expression: string): number {
  return byteLength(JSON.stringify(expression));
}

/** CEL lists only values of one type. */
export function typeOf(value: JsonValue): string {
  if (isNumber(value)) return int64Of(value) === undefined ? 'double' : 'int';
  if (Array.isArray(value)) return `list of ${typeOf(value[0] ?? '')}`;
  return value === null ? 'null' : typeof value;
}

export const isIntOrString = '"x-kubernetes-int-or-string"';
export const preservesName = 'x-kubernetes-preserve-unknown-fields';
export const preserves = literal(preservesName);

/** Whether an extension of a schema is there and true. */
export function isSet(extension: string, schema: string): string {
  return `(${extension} in ${schema} && ${schema}[${extension}] == true)`;
}

/** Whether the values of a map, or of undeclared fields, are of any kind. */
export function hasNoSchema(schema: string): string {
  return `(!has(${schema}.additionalProperties) || ${schema}.additionalProperties == true)`;
}

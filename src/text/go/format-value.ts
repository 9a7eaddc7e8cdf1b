/** Decoded JSON values as Go's `fmt` prints them. */
import { isObject, type JsonValue } from '../documents/value.js';
import { formatFloat } from './format-float.js';
import { float64Of, int64Of, isNumber, type JsonNumber } from './marshal-json.js';
import { writeTree, type Notation, type Scalar } from './write-tree.js';

/** The Go type of a JSON number: any number a float64 (encoding/json), or also int64 (sigs.k8s.io/json). */
export type Numbers = 'float64' | 'int64';

/** `%v` of a decoded value. */
export function formatValue(value: JsonValue, numbers: Numbers = 'int64'): string {
  return writeTree(
    value,
    printed((scalar) => textOf(scalar, numbers)),
  );
}

/** `%v` of a list of strings. */
export function formatList(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}

/** `%t` of a decoded value: a verb for booleans, so all else is printed as a mistake. */
export function formatBool(value: JsonValue): string {
  if (value === null) return '%!t(<nil>)';
  return writeTree(
    value,
    printed((scalar) => {
      const text = textOf(scalar, 'float64');
      if (scalar === null || typeof scalar === 'boolean') return text;
      return `%!t(${typeName(scalar, 'float64')}=${text})`;
    }),
  );
}

/** `%T` of a decoded value. */
export function typeName(value: JsonValue, numbers: Numbers = 'int64'): string {
  if (value === null) return '<nil>';
  if (isNumber(value)) {
    return numbers === 'int64' && int64Of(value) !== undefined ? 'int64' : 'float64';
  }
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** `%v` of a number that sigs.k8s.io/json has decoded. */
export function formatNumber(value: JsonNumber): string {
  return String(int64Of(value) ?? formatFloat(float64Of(value)));
}

function textOf(value: Scalar, numbers: Numbers): string {
  if (value === null) return '<nil>';
  if (!isNumber(value)) return String(value);
  return numbers === 'int64' ? formatNumber(value) : formatFloat(float64Of(value));
}

function printed(scalar: (value: Scalar) => string): Notation {
  return {
    scalar,
    key: (key) => `${scalar(key)}:`,
    list: ['[', ' ', ']'],
    map: ['map[', ' ', ']'],
  };
}

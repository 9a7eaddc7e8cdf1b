/** Decoded JSON values as Go prints them. */
import { isObject, type JsonValue } from '../text/documents/index.js';
import { formatFloat } from '../crd/go-text.js';
import { float64Of, int64Of, isNumber } from './numbers.js';

/** `%v` of a decoded JSON value. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isNumber(value)) return String(int64Of(value) ?? formatFloat(float64Of(value)));
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goText(value[key] as JsonValue)}`).join(' ')}]`;
}

/** `%T` of a decoded JSON value. */
export function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isNumber(value)) return int64Of(value) === undefined ? 'float64' : 'int64';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

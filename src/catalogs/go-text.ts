/** How Go prints JSON values, for messages that must read as the reference's do. */
import { isObject, NumberText, type JsonValue } from '../text/documents/index.js';
import { byBytes } from './text-order.js';

/** One line of JSON with sorted keys, as `json.Encoder` without HTML escapes writes a decoded map. */
export function goJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (isObject(value)) {
    const fields = sortedKeys(value).map(
      (key) => `${goJson(key)}:${goJson(value[key] as JsonValue)}`,
    );
    return `{${fields.join(',')}}`;
  }
  if (typeof value === 'string') {
    return JSON.stringify(value)
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029')
      .replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd');
  }
  return value instanceof NumberText ? String(value.value) : JSON.stringify(value);
}

/** `%v` of a decoded value. */
export function goValue(value: JsonValue): string {
  return print(value, (scalar) => scalar);
}

/** `%t` of a decoded value: a verb for booleans, so all else is printed as a mistake. */
export function goBoolVerb(value: JsonValue): string {
  if (value === null) return '%!t(<nil>)';
  return print(value, (text, type) => (type === 'bool' ? text : `%!t(${type}=${text})`));
}

function print(value: JsonValue, scalar: (text: string, type: string) => string): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return scalar(value, 'string');
  if (typeof value === 'boolean') return scalar(String(value), 'bool');
  if (typeof value === 'number' || value instanceof NumberText) {
    return scalar(goFloat(Number(value)), 'float64');
  }
  if (Array.isArray(value)) return `[${value.map((item) => print(item, scalar)).join(' ')}]`;
  const fields = sortedKeys(value).map(
    (key) => `${scalar(key, 'string')}:${print(value[key] as JsonValue, scalar)}`,
  );
  return `map[${fields.join(' ')}]`;
}

/** `%v` of a float64: an exponent below -4 and from 6 on, of two digits at least. */
function goFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (value === 0) return '0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const digits = String(Math.abs(power)).padStart(2, '0');
  return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
}

function sortedKeys(value: object): string[] {
  return Object.keys(value).sort(byBytes);
}

/**
 * Markers of kro's SimpleSchema: `required=true default="a b"`. Source: kro v0.9.4, `pkg/simpleschema/markers.go`.
 */
import {
  InvalidInputError,
  own,
  parseJson,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { refused } from './derived.js';

interface Marker {
  readonly name: string;
  readonly value: string;
}

/** Most markers of a field; each is compared with those before it. */
const maxMarkers = 1000;

/** Go's blanks are JavaScript's, but for two. */
const blank = /^(?:[^\S\ufeff]|\u0085)$/;

export function readMarkers(text: string, keys: Path): Marker[] {
  const markers: Marker[] = [];
  let name: string | undefined;
  let written = '';
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  for (const char of text) {
    const isOutside = !isQuoted && depth === 0;
    if (char === '=' && name === undefined && isOutside) {
      if (markers.length >= maxMarkers) {
        throw refused(`has more than ${maxMarkers} markers`, keys, 'E_LIMIT');
      }
      name = requireKnown(written.trim(), keys);
      written = '';
    } else if (blank.test(char) && isOutside) {
      if (name === undefined) continue;
      markers.push({ name, value: valueOf(written) });
      [name, written] = [undefined, ''];
    } else {
      written += char;
      if (isEscaped && isQuoted) isEscaped = false;
      else if (char === '"') isQuoted = !isQuoted;
      else if (isQuoted) isEscaped = char === '\\';
      else if (char === '{' || char === '[') depth++;
      else if ((char === '}' || char === ']') && --depth < 0) {
        throw refused(`closes a bracket that is not open: ${char}`, keys);
      }
    }
  }
  if (name === undefined) throw refused(`has the marker "${written}" without a value`, keys);
  if (isQuoted) throw refused(`has a quote in ${name} that is not closed`, keys);
  if (depth > 0) throw refused(`has a bracket in ${name} that is not closed`, keys);
  return [...markers, { name, value: valueOf(written) }];
}

function requireKnown(name: string, keys: Path): string {
  if (name !== 'required' && !Object.hasOwn(appliers, name)) {
    throw refused(`has the marker "${name}", which kro does not know`, keys);
  }
  return name;
}

function valueOf(written: string): string {
  if (!written.startsWith('"') || !written.endsWith('"')) return written.trim();
  return written.slice(1, -1).replace(/\\(["\\])|\\$/g, '$1');
}

interface MarkedField {
  readonly schema: JsonObject;
  readonly required: number;
}

/** @throws InvalidInputError with this path for a value that kro refuses */
export function withMarkers(
  schema: JsonObject,
  markers: readonly Marker[],
  keys: Path,
): MarkedField {
  let marked = schema;
  let required = 0;
  for (const { name, value } of markers) {
    if (name === 'required') required += flag(name, value, keys) ? 1 : 0;
    else marked = { ...marked, ...(appliers[name] as Applier)(marked, value, keys) };
  }
  const keysOfList = own(marked, 'x-kubernetes-list-map-keys');
  if (keysOfList !== undefined && own(marked, listType) !== 'map') {
    throw refused('has listMapKey, and listType is not map', keys);
  }
  return { schema: marked, required };
}

type Applier = (schema: JsonObject, value: string, keys: Path) => JsonObject;

const listType = 'x-kubernetes-list-type';

const appliers: Readonly<Record<string, Applier>> = {
  default: (schema, value, keys) => ({ default: defaultOf(schema, value, keys) }),
  description: (_, value) => ({ description: value }),
  minimum: (_, value, keys) => ({ minimum: float('minimum', value, keys) }),
  maximum: (_, value, keys) => ({ maximum: float('maximum', value, keys) }),
  validation: (schema, value, keys) => {
    if (value.trim() === '') throw refused('has an empty validation', keys);
    return withRule(schema, { rule: value, message: 'validation failed' });
  },
  immutable: (schema, value, keys) =>
    flag('immutable', value, keys)
      ? withRule(schema, { rule: 'self == oldSelf', message: 'field is immutable' })
      : {},
  enum: (schema, value, keys) => ({ enum: enumOf(schema, value, keys) }),
  minLength: (schema, value, keys) => bound('minLength', 'string', schema, value, keys),
  maxLength: (schema, value, keys) => bound('maxLength', 'string', schema, value, keys),
  minItems: (schema, value, keys) => bound('minItems', 'array', schema, value, keys),
  maxItems: (schema, value, keys) => bound('maxItems', 'array', schema, value, keys),
  pattern: (schema, value, keys) => {
    requireType('pattern', 'string', schema, keys);
    if (value === '') throw refused('has an empty pattern', keys);
    return { pattern: value };
  },
  uniqueItems: (schema, value, keys) => {
    requireType('uniqueItems', 'array', schema, keys);
    return flag('uniqueItems', value, keys) ? listOfType(schema, 'set', keys) : {};
  },
  listType: (schema, value, keys) => {
    requireType('listType', 'array', schema, keys);
    if (!['atomic', 'set', 'map'].includes(value)) {
      throw refused(`has listType=${value}; it must be atomic, set or map`, keys);
    }
    return listOfType(schema, value, keys);
  },
  listMapKey: (schema, value, keys) => {
    requireType('listMapKey', 'array', schema, keys);
    const known = (own(schema, 'x-kubernetes-list-map-keys') ?? []) as JsonValue[];
    if (known.includes(value)) throw refused(`has listMapKey=${value} twice`, keys);
    return { 'x-kubernetes-list-map-keys': [...known, value] };
  },
};

function withRule(schema: JsonObject, rule: JsonObject): JsonObject {
  const rules = (own(schema, 'x-kubernetes-validations') ?? []) as JsonValue[];
  return { 'x-kubernetes-validations': [...rules, rule] };
}

function listOfType(schema: JsonObject, type: string, keys: Path): JsonObject {
  const known = textAt(schema, listType);
  if (known !== undefined && known !== type) {
    throw refused(`makes a list of type ${type} that is of type ${known} already`, keys);
  }
  return { [listType]: type };
}

/** The text of a string is between quotes of JSON as it is, every other value is JSON. */
function defaultOf(schema: JsonObject, value: string, keys: Path): JsonValue {
  const type = textAt(schema, 'type') ?? '';
  const isOfType = defaultsOfType.get(type)?.test(value) ?? true;
  if (!isOfType) throw refused(`has the default ${value}, which is no ${type}`, keys);
  return json(type === 'string' ? `"${value}"` : value, keys);
}

const integer = /^[+-]?\d+$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const yes = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const no = ['0', 'f', 'F', 'FALSE', 'false', 'False'];
const defaultsOfType = new Map([
  ['integer', integer],
  ['number', number],
  ['boolean', new RegExp(`^(?:${[...yes, ...no].join('|')})$`)],
]);

function enumOf(schema: JsonObject, value: string, keys: Path): JsonValue[] {
  const type = own(schema, 'type');
  if (type !== 'string' && type !== 'integer') {
    throw refused('has an enum, and is neither a string nor an integer', keys);
  }
  return value.split(',').map((each) => {
    const text = each.trim();
    if (text === '') throw refused('has an empty value in its enum', keys);
    if (type === 'string') return text;
    if (!integer.test(text)) throw refused(`has ${text} in its enum, which is no integer`, keys);
    return json(text, keys);
  });
}

function bound(
  name: string,
  type: string,
  schema: JsonObject,
  value: string,
  keys: Path,
): JsonObject {
  requireType(name, type, schema, keys);
  if (!integer.test(value)) throw refused(`has ${name}=${value}, which is no integer`, keys);
  return { [name]: json(String(BigInt(value)), keys) };
}

function float(name: string, value: string, keys: Path): number {
  if (!number.test(value)) throw refused(`has ${name}=${value}, which is no number`, keys);
  return Number(value);
}

function flag(name: string, value: string, keys: Path): boolean {
  if (yes.includes(value)) return true;
  if (no.includes(value)) return false;
  throw refused(`has ${name}=${value}; it must be true or false`, keys);
}

function requireType(name: string, type: string, schema: JsonObject, keys: Path): void {
  if (own(schema, 'type') !== type) throw refused(`has ${name}, and is no ${type}`, keys);
}

function json(text: string, keys: Path): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw refused(`has the value ${text}, which is no JSON`, keys, 'E_JSON');
  }
}

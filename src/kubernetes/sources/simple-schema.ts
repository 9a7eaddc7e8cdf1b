/** kro's SimpleSchema: `name: type | marker=value …`. Source: kro v0.9.4, `pkg/simpleschema`. */
import {
  InvalidInputError,
  own,
  parseJson,
  type JsonObject,
  type JsonValue,
  type Path,
  isObject,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { refused } from './derived.js';
import { compareBytes } from '../../text/go/index.js';

// Markers of kro's SimpleSchema: `required=true default="a b"`. Source: kro v0.9.4, `pkg/simpleschema/markers.go`.

interface Marker {
  readonly name: string;
  readonly value: string;
}

/** Most markers of a field; each is compared with those before it. */
const maxMarkers = 1000;

/** Go's blanks are JavaScript's, but for two. */
const blank = /^(?:[^\S\ufeff]|\u0085)$/;

function readMarkers(text: string, keys: Path): Marker[] {
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

/** @throws InvalidInputError with this path for a value that kro refuses */
function withMarkers(
  schema: JsonObject,
  markers: readonly Marker[],
  keys: Path,
): Omit<Field, 'size'> {
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

/** Deepest nesting of a type such as `[]map[string]T`. */
const maxNesting = 16;
const maxChain = 100;
/** Types that name each other can stand for more than memory holds. */
const maxFields = 100_000;

const plainTypes = new Map<string, JsonObject>([
  ['string', { type: 'string' }],
  ['integer', { type: 'integer' }],
  ['boolean', { type: 'boolean' }],
  ['float', { type: 'number' }],
  ['object', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
]);

interface Field {
  readonly schema: JsonObject;
  readonly required: number;
  readonly size: number;
}

export class SimpleSchema {
  readonly #named = new Map<string, Field>();
  readonly #open = new Set<string>();

  /** @param types what other fields may name @throws InvalidInputError with the path of what kro refuses */
  constructor(
    private readonly types: JsonObject,
    private readonly keys: Path,
  ) {
    for (const name of Object.keys(types)) {
      try {
        this.#fieldNamed(name, [...keys, name]);
      } catch (error) {
        // kro writes JSON of what fields use, and meets no other value that is none.
        if (!(error instanceof InvalidInputError) || error.code !== 'E_JSON') throw error;
      }
    }
  }

  schemaOf(fields: JsonObject, keys: Path): JsonObject {
    return this.#objectOf(fields, keys).schema;
  }

  #objectOf(fields: JsonObject, keys: Path): Field {
    const properties: [string, JsonObject][] = [];
    const required: string[] = [];
    let size = 1;
    for (const [name, written] of Object.entries(fields)) {
      const at = [...keys, name];
      const field = this.#fieldOf(written, at);
      properties.push([name, field.schema]);
      for (let times = 0; times < field.required; times++) required.push(name);
      size += field.size;
      requireSize(size, at);
    }
    const isDefaulted =
      required.length === 0 &&
      properties.some(([, schema]) => own(schema, 'default') !== undefined);
    const schema: JsonObject = {
      type: 'object',
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required: required.sort(compareBytes) }),
      ...(isDefaulted && { default: {} }),
    };
    return { schema, required: 0, size };
  }

  #fieldOf(written: JsonValue, keys: Path): Field {
    if (isObject(written)) return this.#objectOf(written, keys);
    if (typeof written !== 'string') {
      throw refused('must be a type such as "string | default=a", or an object of fields', keys);
    }
    const bar = written.indexOf('|');
    const { schema, required, size } = this.#typeOf(typeIn(written), keys);
    if (bar < 0) return { schema, required, size };
    const markers = readMarkers(written.slice(bar + 1), keys);
    const marked = withMarkers(schema, markers, keys);
    return { schema: marked.schema, required: required + marked.required, size };
  }

  #typeOf(type: string, keys: Path, depth = 0): Field {
    if (depth > maxNesting) throw refused(`nests more than ${maxNesting} types`, keys);
    if (type === '') throw refused('has no type', keys);
    const plain = plainTypes.get(type);
    if (plain !== undefined) return { schema: plain, required: 0, size: 1 };
    const inner = elementOf(type, keys);
    if (inner === undefined) return this.#fieldNamed(type, keys);
    const { schema, size } = this.#typeOf(inner.type, keys, depth + 1);
    return {
      schema: inner.isList
        ? { type: 'array', items: schema }
        : { type: 'object', additionalProperties: schema },
      required: 0,
      size: size + 1,
    };
  }

  #fieldNamed(name: string, keys: Path): Field {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const written = own(this.types, name);
    if (written === undefined) throw refused(`names the type ${name}, which is not defined`, keys);
    if (this.#open.has(name)) throw refused(`names the type ${name}, which contains itself`, keys);
    if (this.#open.size >= maxChain) {
      throw refused(`names a type through more than ${maxChain} others`, keys, 'E_LIMIT');
    }
    this.#open.add(name);
    try {
      const { required, ...rest } = this.#fieldOf(written, [...this.keys, name]);
      const field = { ...rest, required: Math.min(required, 1) };
      this.#named.set(name, field);
      return field;
    } finally {
      this.#open.delete(name);
    }
  }
}

function requireSize(size: number, keys: Path): void {
  if (size <= maxFields) return;
  const message = `stands for more than ${maxFields} fields, with those of the types that it names`;
  throw refused(message, keys, 'E_LIMIT');
}

function typeIn(written: string): string {
  return (written.split('|', 1)[0] as string).trim();
}

function elementOf(type: string, keys: Path): { type: string; isList: boolean } | undefined {
  if (type.startsWith('[]')) return { type: type.slice(2).trim(), isList: true };
  if (!type.startsWith('map[')) return undefined;
  if (!type.startsWith('map[string]')) throw refused('is a map whose keys are no strings', keys);
  return { type: type.slice('map[string]'.length).trim(), isList: false };
}

/** The type that a field names in the end, through lists and maps. */
export function namedTypeOf(written: string): string {
  return typeIn(written).replace(/^(?:\[\]|map\[string\]|\s)+/, '');
}

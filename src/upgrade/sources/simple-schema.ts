/** kro's SimpleSchema: `name: type | marker=value …`. Source: kro v0.9.4, `pkg/simpleschema`. */
import {
  InvalidInputError,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { compareBytes } from '../../text/go/index.js';
import { refused } from './derived.js';
import { readMarkers, withMarkers } from './markers.js';

/** Deepest nesting of a type such as `[]map[string]T`. */
const maxNesting = 16;
/** Longest chain of types that name each other. */
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

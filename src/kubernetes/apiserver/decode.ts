/** Decodes JSON into the fields of Go's structs: null and absence are the zero value, any other type is an error. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { BadRequest } from './field-error.js';
import {
  cannotUnmarshal,
  float64Of,
  int64Of,
  isNumber,
  jsonKind,
  marshalJson,
} from '../../text/go/index.js';

export class Decoder {
  /** @param path of the object, for errors; empty for the whole document */
  constructor(
    protected readonly source: JsonObject,
    protected readonly path: string,
  ) {}

  /** @param type that the value is not, as Go names it */
  error(value: JsonValue, type: string, path: string): Error {
    return new BadRequest(cannotUnmarshal(jsonKind(value), type, path));
  }

  place(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  /** Whatever is there; null is nothing. */
  value(key: string): JsonValue | undefined {
    return own(this.source, key) ?? undefined;
  }

  optionalText(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === 'string') return value;
    throw this.error(value, 'string', this.place(key));
  }

  text(key: string): string {
    return this.optionalText(key) ?? '';
  }

  optionalFlag(key: string): boolean | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.error(value, 'bool', this.place(key));
  }

  flag(key: string): boolean {
    return this.optionalFlag(key) ?? false;
  }

  float(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!isNumber(value)) throw this.error(value, 'float64', this.place(key));
    const float = float64Of(value);
    if (Number.isFinite(float)) return float;
    throw tooLarge(value, 'float64', this.place(key));
  }

  /** An int64, or an int32 where 32 bits are given. */
  integer(key: string, bits: 32 | 64 = 64): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!isNumber(value)) throw this.error(value, `int${bits}`, this.place(key));
    const whole = int64Of(value);
    if (whole !== undefined && BigInt.asIntN(bits, whole) === whole) return Number(whole);
    throw tooLarge(value, `int${bits}`, this.place(key));
  }

  /** Null stays among the items. */
  list(key: string): readonly JsonValue[] | undefined {
    const value = this.value(key);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.error(value, '[]', this.place(key));
  }

  texts(key: string): readonly string[] | undefined {
    return this.list(key)?.map((item) => {
      if (item === null) return '';
      if (typeof item === 'string') return item;
      throw this.error(item, 'string', this.place(key));
    });
  }

  object<Read>(key: string, read: (value: JsonObject, path: string) => Read): Read | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const path = this.place(key);
    return read(this.requireObject(value, path), path);
  }

  objects<Read>(
    key: string,
    read: (value: JsonObject, path: string, index: number) => Read,
  ): readonly Read[] | undefined {
    return this.list(key)?.map((item, index) => {
      const path = `${this.place(key)}[${index}]`;
      return read(this.requireObject(item, path), path, index);
    });
  }

  map<Read>(
    key: string,
    read: (value: JsonValue, path: string, name: string) => Read,
  ): ReadonlyMap<string, Read> | undefined {
    return this.object(key, (object, path) => {
      const map = new Map<string, Read>();
      for (const name of Object.keys(object)) {
        map.set(name, read(object[name] as JsonValue, `${path}.${name}`, name));
      }
      return map;
    });
  }

  /** Null is an object without fields. */
  requireObject(value: JsonValue, path: string): JsonObject {
    if (value === null) return {};
    if (isObject(value)) return value;
    throw this.error(value, 'object', path);
  }
}

/** Reads one field of a struct. */
type Field<Value = unknown> = (read: Decoder, key: string) => Value;
type StructReader<Value> = (source: JsonObject, path: string) => Value;
export type Struct<Reader> = Reader extends StructReader<infer Value> ? Value : never;

export const text: Field<string> = (read, key) => read.text(key);
export const optionalText: Field<string | undefined> = (read, key) => read.optionalText(key);
export const texts: Field<readonly string[]> = (read, key) => read.texts(key) ?? [];
export const optional =
  <Value>(of: StructReader<Value>): Field<Value | undefined> =>
  (read, key) =>
    read.object(key, of);

type StructOf<Fields extends Readonly<Record<string, Field>>> = {
  readonly [Key in keyof Fields]: ReturnType<Fields[Key]>;
};

/** The reader of a struct with these fields, which are read in this order. */
export function struct<Fields extends Readonly<Record<string, Field>>>(
  fields: Fields,
): StructReader<StructOf<Fields>> {
  return (source, path) => {
    const read = new Decoder(source, path);
    const values = Object.entries(fields).map(([key, field]) => [key, field(read, key)]);
    return Object.fromEntries(values) as StructOf<Fields>;
  };
}

function tooLarge(value: JsonValue, type: string, path: string): BadRequest {
  return new BadRequest(cannotUnmarshal(`number ${marshalJson(value)}`, type, path));
}

/**
 * Decodes JSON values into records as Go's encoding/json does, with its error texts: keys match without
 * regard to case, null leaves a field as it is, the first error is kept and decoding goes on.
 */
import { isObject, type JsonValue } from '../../text/documents/index.js';
import { cannotUnmarshal, jsonKind } from '../../text/go/index.js';

/** The Go type that a value is decoded into; `type` is how Go prints it in an error. */
export type Shape =
  | { readonly kind: 'string' }
  | { readonly kind: 'list'; readonly type: string; readonly element: () => Shape }
  | {
      readonly kind: 'record';
      readonly type: string;
      /** The struct's name in errors; empty for an anonymous struct. */
      readonly name: string;
      readonly fields: Readonly<Record<string, Shape | (() => Shape)>>;
    };

type Decoded = string | Decoded[] | DecodedRecord;
export type DecodedRecord = Map<string, Decoded>;

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

export interface DecodeOptions {
  /** Go's DisallowUnknownFields. */
  readonly refuseUnknown?: boolean;
}

/** An absent field is absent from the map. @throws DecodeError with encoding/json's text */
export function decodeRecord(
  value: JsonValue,
  shape: Shape & { kind: 'record' },
  options: DecodeOptions = {},
): DecodedRecord {
  const decoder = new Decoder(options.refuseUnknown === true);
  const record = decoder.record(value, shape, new Map(), '', []);
  if (decoder.error !== undefined) throw new DecodeError(decoder.error);
  return record;
}

export function text(record: DecodedRecord, field: string): string {
  const value = record.get(field);
  return typeof value === 'string' ? value : '';
}

class Decoder {
  error: string | undefined;

  constructor(private readonly refuseUnknown: boolean) {}

  record(
    value: JsonValue,
    shape: Shape & { kind: 'record' },
    into: DecodedRecord,
    owner: string,
    path: readonly string[],
  ): DecodedRecord {
    if (value === null) return into;
    if (!isObject(value)) {
      this.mismatch(value, shape.type, owner, path);
      return into;
    }
    for (const key of Object.keys(value)) {
      const field = findField(shape.fields, key);
      if (field === undefined) {
        if (this.refuseUnknown) this.error ??= `json: unknown field ${JSON.stringify(key)}`;
        continue;
      }
      const given = shape.fields[field];
      const inner = typeof given === 'function' ? given() : given;
      const item = Object.getOwnPropertyDescriptor(value, key)?.value as JsonValue;
      if (inner === undefined) continue;
      const decoded = this.value(item, inner, into.get(field), shape.name, [...path, field]);
      if (decoded === undefined) {
        if (item === null && inner.kind !== 'string') into.delete(field);
      } else into.set(field, decoded);
    }
    return into;
  }

  private value(
    value: JsonValue,
    shape: Shape,
    before: Decoded | undefined,
    owner: string,
    path: readonly string[],
  ): Decoded | undefined {
    if (value === null) return undefined;
    switch (shape.kind) {
      case 'string':
        if (typeof value === 'string') return value;
        this.mismatch(value, 'string', owner, path);
        return undefined;
      case 'list':
        if (Array.isArray(value)) {
          return value.map(
            (item) =>
              this.value(item, shape.element(), undefined, owner, path) ??
              new Map<string, Decoded>(),
          );
        }
        this.mismatch(value, shape.type, owner, path);
        return undefined;
      case 'record':
        return this.record(
          value,
          shape,
          before instanceof Map ? before : new Map<string, Decoded>(),
          owner,
          path,
        );
    }
  }

  private mismatch(value: JsonValue, type: string, owner: string, path: readonly string[]): void {
    const field = path.length === 0 ? '' : `${owner}.${path.join('.')}`;
    this.error ??= cannotUnmarshal(jsonKind(value), type, field);
  }
}

function findField(fields: Readonly<Record<string, unknown>>, key: string): string | undefined {
  if (Object.hasOwn(fields, key)) return key;
  const folded = key.toLowerCase();
  return Object.keys(fields).find((field) => field.toLowerCase() === folded);
}

/** Fields of an operation's input that reach a thread apart from the rest. */
import {
  asBuffer,
  measureShared,
  parseJson,
  parseShared,
  type JsonObject,
  type JsonValue,
  type MeasuredJson,
} from '../../text/documents/index.js';
import type { SharedJson } from '../../text/documents/json.js';

/** Fields that the caller does not write out for each question. */
export interface Attached {
  /** Values that several questions share: written out once, read once by each thread. */
  readonly shared?: Readonly<Record<string, SharedJson>>;
  /** JSON that is not parsed yet; bytes that are not shared are given away. */
  readonly unread?: Readonly<Record<string, Uint8Array | MeasuredJson>>;
  /** Names all that the answer depends on: equal keys have equal answers, which may be kept. */
  readonly key?: string;
  readonly isYaml?: boolean;
  /** Small as it is, the question takes long. */
  readonly takesLong?: true;
}

export function bytesOf(json: Uint8Array | MeasuredJson): Uint8Array {
  return json instanceof Uint8Array ? json : json.bytes;
}

export function shareBytes(json: MeasuredJson): MeasuredJson {
  const bytes = new Uint8Array(new SharedArrayBuffer(json.bytes.length));
  bytes.set(json.bytes);
  return { ...json, bytes };
}

/** @throws InvalidInputError for text that is not JSON */
export function withAttached(
  input: JsonObject,
  { shared = {}, unread = {} }: Attached,
): JsonObject {
  const whole = { ...input };
  for (const [field, value] of Object.entries(shared)) whole[field] = readShared(value);
  for (const [field, json] of Object.entries(unread)) whole[field] = readOnce(json);
  return whole;
}

/** The value read last, until its memory is needed: one review asks several questions. */
let last: WeakRef<{ readonly bytes: Uint8Array; readonly value: JsonValue }> | undefined;

function readOnce(json: Uint8Array | MeasuredJson): JsonValue {
  const bytes = bytesOf(json);
  const known = last?.deref();
  if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.value;
  const measured = json instanceof Uint8Array ? measureShared(asBuffer(json)) : json;
  const value = parseShared(measured);
  last = new WeakRef({ bytes, value });
  return value;
}

/** Both definitions of a few updates. */
const maxKnown = 8;
const known = new Map<string, JsonValue>();

/** The very same value for the same text, so that what is known of it is found again. */
function readShared({ key, bytes }: SharedJson): JsonValue {
  const value = known.get(key) ?? parseJson(Buffer.from(bytes));
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= maxKnown) break;
    known.delete(oldest);
  }
  return value;
}

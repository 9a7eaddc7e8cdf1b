/** Fields of an operation's input that reach a thread apart from the rest. */
import { parseJson, type JsonObject, type JsonValue } from '../text/documents/index.js';
import type { SharedJson } from '../text/documents/shared-json.js';

/** Fields that cost whoever asks nothing. */
export interface Attached {
  /** Values that several questions share: written out once, read once by each thread. */
  readonly shared?: Readonly<Record<string, SharedJson>>;
  /** JSON text that nobody has read; the bytes are given away. */
  readonly unread?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  /** Small as it is, the question takes long. */
  readonly takesLong?: true;
}

/**
 * The whole input.
 *
 * @throws InvalidInputError for text that is not JSON
 */
export function withAttached(
  input: JsonObject,
  { shared = {}, unread = {} }: Attached,
): JsonObject {
  const whole = { ...input };
  for (const [field, value] of Object.entries(shared)) whole[field] = readShared(value);
  for (const [field, { buffer, byteOffset, length }] of Object.entries(unread)) {
    whole[field] = readOnce(Buffer.from(buffer, byteOffset, length));
  }
  return whole;
}

/** What was read last, as long as nobody needs its memory: one review asks several questions. */
let last: WeakRef<{ readonly bytes: Buffer; readonly value: JsonValue }> | undefined;

function readOnce(bytes: Buffer): JsonValue {
  const known = last?.deref();
  if (known?.bytes.equals(bytes) === true) return known.value;
  const value = parseJson(bytes, { sharesParts: true });
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

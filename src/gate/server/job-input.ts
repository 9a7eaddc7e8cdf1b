/** Input of a job in a thread: a text, or its bytes, which are given to the thread instead of being copied. */
import {
  asBuffer,
  InvalidInputError,
  type JsonValue,
  parseDocuments,
  parseJson,
} from '../../text/documents/index.js';

export type JobInput = string | Uint8Array<ArrayBuffer>;

/** The same bytes, as everything that reads takes them. */
export function bytesOf(input: JobInput): Buffer {
  return typeof input === 'string' ? Buffer.from(input) : asBuffer(input);
}

/** @throws InvalidInputError for what is not one document */
export function readInput(
  bytes: Buffer,
  { isYaml = false }: { readonly isYaml?: boolean },
): JsonValue {
  if (!isYaml) return parseJson(bytes);
  const [only, ...others] = parseDocuments(bytes);
  if (only !== undefined && others.length === 0) return only.value;
  const count = only === undefined ? 'no document' : `${others.length + 1} documents`;
  throw new InvalidInputError('E_YAML', `the body holds ${count}; send one, the input`);
}

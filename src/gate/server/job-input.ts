/** Input of a job in a thread: a text, or its bytes, which are given to the thread instead of being copied. */
import { asBuffer } from '../../text/documents/index.js';

export type JobInput = string | Uint8Array<ArrayBuffer>;

/** The same bytes, as everything that reads takes them. */
export function bytesOf(input: JobInput): Buffer {
  return typeof input === 'string' ? Buffer.from(input) : asBuffer(input);
}

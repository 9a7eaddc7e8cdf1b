/** A JSON value that several threads read without each being sent a copy. */
import { sha256 } from '../platform.js';
import { stringifyJson } from './json.js';

export interface SharedJson {
  readonly key: string;
  /** UTF-8. */
  readonly bytes: SharedArrayBuffer;
}

export function shareJson(value: unknown): SharedJson {
  const text = stringifyJson(value);
  const bytes = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(bytes).write(text);
  return { key: sha256(text).toString('base64'), bytes };
}

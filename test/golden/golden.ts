/** The golden rows of ./data, read as raw text and answered through the NDJSON door. */
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { answerLines } from '../../src/doors/preflight/ndjson.js';
import { brotliLines } from './brotli-lines.js';

const data = new URL('./data/', import.meta.url);

export interface GoldenRow extends JsonObject {
  id: string;
}

/** `data/<name>.jsonl.br` */
export const goldenFile = (name: string): URL => new URL(`${name}.jsonl.br`, data);

/** Its rows; numbers keep their text. */
export function goldenRows(name: string): GoldenRow[] {
  return brotliLines(goldenFile(name)).map((line) => parseJson(line) as GoldenRow);
}

/**
 * The reference of the CRD data words a new required field as later releases do; we say it as the
 * documents do.
 */
export const asDocumented = (text: string): string =>
  text.replaceAll(
    /new required fields (\[[^\n]*?\]) added(?=\n|$)/g,
    'new required fields added: $1',
  );

/** One answer of the NDJSON door, parsed again from its text. */
export async function answer(operation: string, input: JsonValue): Promise<JsonObject> {
  const line = stringifyJson({ id: 1, operation, input });
  for await (const text of answerLines(oneChunk(line))) {
    const value = parseJson(text);
    if (isObject(value)) return value;
  }
  throw new Error('the door gave no answer');
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(`${text}\n`);
}

/** Null and absent are the same; objects compare without order. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return canonical(left) === canonical(right);
}

/** Names the fields of `expected` that `actual` does not equal. */
export function differingFields(expected: JsonObject, actual: JsonObject): string[] {
  return Object.keys(expected).filter((key) => !sameJson(own(expected, key), own(actual, key)));
}

function canonical(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isObject(value)) {
    return `{${Object.keys(value)
      .filter((key) => own(value, key) !== null)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(own(value, key))}`)
      .join(',')}}`;
  }
  return stringifyJson(value);
}

/** The golden rows of ./data, read as raw text and answered through the NDJSON door. */
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { existsSync } from 'node:fs';
import { bundleFiles, ownRelease } from '../../build/olm-bundle.js';
import { filesUrl } from '../../src/text/package.js';
import { answerLines } from '../../src/checks/preflight/ndjson.js';
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

/** The files of olm-guard's own bundle as they are now, by path: what the row of `bundle-own` is about. */
export const ownBundle = (): JsonObject => Object.fromEntries(bundleFiles(ownRelease));

/**
 * The reference of the CRD data words a new required field as later releases do; we say it as the
 * documents do.
 */
export const asDocumented = (text: string): string =>
  text.replaceAll(
    /new required fields (\[[^\n]*?\]) added(?=\n|$)/g,
    'new required fields added: $1',
  );

/**
 * One answer of the NDJSON door, parsed again from its text.
 *
 * @throws Error when a finding of it links to a page that is not there
 */
export async function answer(operation: string, input: JsonValue): Promise<JsonObject> {
  const line = stringifyJson({ id: 1, operation, input });
  for await (const text of answerLines(oneChunk(line))) {
    const value = parseJson(text);
    if (!isObject(value)) continue;
    for (const [, link = ''] of text.matchAll(/"docs":"([^"]*)"/g)) {
      if (!explainedIn(link)) throw new Error(`nothing is at ${link}`);
    }
    return value;
  }
  throw new Error('the door gave no answer');
}

/** Whether there is the page to which a finding links. */
export function explainedIn(link: string): boolean {
  return (
    link.startsWith(`${filesUrl}/`) &&
    existsSync(new URL(`../../${link.slice(filesUrl.length + 1)}`, import.meta.url))
  );
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(`${text}\n`);
}

/**
 * Type and field of each error of a definition, once. Which of equally expensive rules are named as
 * contributing to a total is random, and a path below what has no fields ends a server's request.
 */
export function causesOf(errors: JsonValue | undefined): string {
  const all = (Array.isArray(errors) ? errors : []).filter(isObject);
  const told = ({ detail, message }: JsonObject): JsonValue => detail ?? message ?? '';
  const isPanic = (each: JsonObject): boolean =>
    each['type'] === 'Panic' || text(told(each)).startsWith('the API server breaks down over');
  if (all.some(isPanic)) return 'Panic';
  const causes = all
    .filter((each) => !/^contributed to estimated rule cost total/.test(text(told(each))))
    .map(({ type, field }) => `${text(type)} ${text(field)}`);
  return [...new Set(causes)].sort().join('\n');
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

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

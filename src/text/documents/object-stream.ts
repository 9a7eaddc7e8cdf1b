/** Objects of files of any size, a few at a time. */
import { parseDocuments } from './documents.js';
import { InvalidInputError } from './error.js';
import { parseJson } from './json.js';
import { JsonCutter, type JsonSlice } from './json-cutter.js';
import { defaultLimits } from './limits.js';
import { objectsOf } from './object-list.js';
import { openRegularFile, unreadable } from './regular-file.js';
import { filesOf } from './sources.js';
import type { JsonValue } from './value.js';
import { append } from '../long-lists.js';
import { YamlValueCutter } from './yaml-values.js';

/** One object may be larger than anything that etcd holds, and not without bound. */
const maxObjectBytes = 64 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const manifestName = /\.(?:ya?ml|json|jsonl|ndjson)$/i;

export interface StreamOptions {
  readonly stdin?: AsyncIterable<Buffer | string>;
  /** Told of each file of a folder that cannot be read, or not to its end; without it the first one ends the stream. */
  readonly onUnreadable?: (error: InvalidInputError) => void;
  /** The names of files of a folder. */
  readonly wanted?: RegExp;
}

/**
 * Objects in YAML streams, JSON streams and Lists; the first character of a file decides, as in
 * `parseDocuments`.
 *
 * @param source a file, a folder, or `-` for standard input
 * @throws InvalidInputError with the file, the line and the number of the object that cannot be read
 */
export async function* streamObjects(
  source: string,
  { stdin = process.stdin, onUnreadable, wanted = manifestName }: StreamOptions = {},
): AsyncGenerator<readonly JsonValue[], void, void> {
  for await (const file of source === '-' ? ['-'] : filesOf(source, wanted, { onUnreadable })) {
    const bytes = file === '-' ? stdin : await openStream(file);
    try {
      yield* objectsIn(bytes, file);
    } catch (error) {
      const failure =
        error instanceof InvalidInputError ? error.at({ file }) : unreadable(file, error);
      const isSkipped = file !== source && failure instanceof InvalidInputError;
      if (!isSkipped || onUnreadable === undefined) throw failure;
      onUnreadable(failure);
    }
  }
}

async function openStream(file: string): Promise<AsyncIterable<Buffer>> {
  const handle = await openRegularFile(file);
  return handle.createReadStream({ highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
}

async function* objectsIn(
  bytes: AsyncIterable<Buffer | string>,
  file: string,
): AsyncGenerator<readonly JsonValue[], void, void> {
  let count = 0;
  const json = new JsonCutter({ ...defaultLimits, maxBytes: maxObjectBytes, items: true });
  const yaml = new YamlValueCutter(maxObjectBytes);
  const decoder = new TextDecoder('utf-8');
  let isJson: boolean | undefined;
  const parseSlice = ({ text, line: first, isAroundItems }: JsonSlice): JsonValue[] => {
    if (isAroundItems !== true) count++;
    try {
      if (isAroundItems === true) return itselfIn(parseJson(text));
      const values =
        isJson === true
          ? [parseJson(text)]
          : parseDocuments(text, { file }).map(({ value }) => value);
      return values.flatMap((value) => [...objectsOf(value)].map((listed) => listed.value));
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const which = isAroundItems === true ? 'the object around items' : `object ${count}`;
      const message = `${which} of the file: ${error.message}`;
      const line = first + (error.where.line ?? 1) - 1;
      throw new InvalidInputError(error.code, message, { ...error.where, file, line });
    }
  };
  function* parse(slices: readonly JsonSlice[]): Generator<readonly JsonValue[], void, void> {
    const values: JsonValue[] = [];
    try {
      for (const slice of slices) append(values, parseSlice(slice));
    } catch (error) {
      // The objects in front of it can be read.
      yield values;
      throw error;
    }
    yield values;
  }
  for await (const piece of bytes) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    isJson ??= firstIsJson(chunk);
    if (isJson === undefined) continue;
    yield* parse(isJson ? json.push(chunk) : yaml.push(decoder.decode(chunk, { stream: true })));
  }
  if (isJson === false) yield* parse(yaml.end());
  // An object that never ended is refused with the parser's message.
  else yield* parse([json.finish() ?? []].flat());
}

/** The object itself, as {@link objectsOf} gives it beside its items; nothing of a list. */
function itselfIn(value: JsonValue): JsonValue[] {
  return [...objectsOf(value)]
    .filter(({ path }) => path.length === 0)
    .map((listed) => listed.value);
}

function firstIsJson(chunk: Buffer): boolean | undefined {
  const first = /\S/.exec(chunk.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''))?.[0];
  return first === undefined ? undefined : first === '{';
}

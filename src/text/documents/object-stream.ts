/** Objects of files of any size, a few at a time. */
import { parseDocuments } from './documents.js';
import { InvalidInputError, defaultLimits } from './error.js';
import { parseJson } from './json.js';
import { JsonCutter, type JsonSlice } from './json-cutter.js';
import { objectsOf } from './object-meta.js';
import { openRegularFile, unreadable } from './regular-file.js';
import { filesOf } from './sources.js';
import type { JsonValue } from './value.js';
import { append } from '../long-lists.js';

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
      if (isAroundItems === true)
        return [...objectsOf(parseJson(text))]
          .filter(({ path }) => path.length === 0)
          .map((listed) => listed.value);
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

function firstIsJson(chunk: Buffer): boolean | undefined {
  const first = /\S/.exec(chunk.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''))?.[0];
  return first === undefined ? undefined : first === '{';
}

/** Lines that kubectl writes before the items of a List. Anything else may be the beginning of a longer text. */
const header =
  /^(?:#.*|(?:apiVersion|kind):\s+[\w./-]+|metadata:(?:\s+\{\})?|\s+[\w.-]+:\s+(?:""|[\w./-]+))?\s*$/;

const item = /^-(?:\s|$)/;

/** Behind the items: another field, never a second list of items, however it is spelled. */
const otherField = /^(?!items\s*:)[A-Za-z]\w*:(?:\s|$)/;

/** A document that begins as kubectl writes a List, `items:` and `-` at the first column, is given out by item. */
class YamlValueCutter {
  private lines: string[] = [];
  /** Lines read so far, and which of them is the first of what is held. */
  private count = 0;
  private first = 1;
  private size = 0;
  private partial = '';
  /** In a List: whether its items are read, or the fields after them. Any other document is kept whole. */
  private part: 'document' | 'items' | 'rest' = 'document';
  /** How many of the lines are known to stand in a header, and whether the next one might. */
  private headerLines = 0;
  private isHeader = true;

  constructor(private readonly maxCharacters: number) {}

  /** @throws InvalidInputError `E_LIMIT` */
  push(text: string): JsonSlice[] {
    const found: JsonSlice[] = [];
    // Or a long line would be searched again with each piece of it.
    if (!text.includes('\n')) {
      this.partial += text;
      this.bound(this.partial.length);
      return found;
    }
    const lines = (this.partial + text).split('\n');
    this.partial = lines.pop() ?? '';
    for (const line of lines) this.take(line, found);
    this.bound(this.partial.length);
    return found;
  }

  end(): JsonSlice[] {
    const found: JsonSlice[] = [];
    if (this.partial !== '') this.take(this.partial, found);
    this.partial = '';
    this.flush(found);
    return found;
  }

  private take(line: string, found: JsonSlice[]): void {
    this.count++;
    if (/^---(?:\s|$)/.test(line) || /^\.\.\.\s*$/.test(line)) {
      this.flush(found);
      this.part = 'document';
      // The rest of the line is a comment, or refused when the document is read.
      if (line.startsWith('---') && line.trim() !== '---') this.keep(line);
    } else if (this.part === 'rest') {
      this.pass(line);
    } else if (this.part === 'items' && item.test(line)) {
      this.flush(found);
      this.keep(` ${line.slice(1)}`);
    } else if (item.test(line) && this.isBehindHeader()) {
      this.part = 'items';
      this.lines = [];
      this.keep(` ${line.slice(1)}`);
    } else if (this.part === 'items' && /^[^\s#-]/.test(line)) {
      // kind: List and its metadata, behind the items.
      this.flush(found);
      this.part = 'rest';
      this.pass(line);
    } else {
      this.keep(line);
    }
  }

  /** Fields of a List beside its items: lists there hold none of its objects. */
  private pass(line: string): void {
    if (/^(?:[\s#]|$)/.test(line) || item.test(line) || otherField.test(line)) return;
    throw new InvalidInputError(
      'E_YAML',
      'has more behind the items of a List than its other fields: write the items last',
      { line: this.count },
    );
  }

  private isBehindHeader(): boolean {
    const at = this.lines.findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line));
    if (!/^items:\s*$/.test(this.lines[at] ?? '')) return false;
    while (this.isHeader && this.headerLines < at) {
      this.isHeader = header.test(this.lines[this.headerLines++] ?? '');
    }
    return this.isHeader;
  }

  private keep(line: string): void {
    if (this.lines.length === 0) this.first = this.count;
    this.lines.push(line);
    this.size += line.length + 1;
    this.bound(this.size);
  }

  private bound(size: number): void {
    if (size <= this.maxCharacters) return;
    throw new InvalidInputError(
      'E_LIMIT',
      `has an object of more than ${this.maxCharacters} bytes`,
      { line: this.first },
    );
  }

  private flush(found: JsonSlice[]): void {
    if (this.lines.some((line) => /^\s*[^\s#]/.test(line))) {
      found.push({ text: `${this.lines.join('\n')}\n`, line: this.first });
    }
    this.lines = [];
    this.size = 0;
    this.headerLines = 0;
    this.isHeader = true;
  }
}

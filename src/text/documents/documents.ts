/** Files with several documents: YAML streams, concatenated JSON objects, and one turning into the other. */
import { isUtf8 } from '../platform.js';
import { shortened } from '../shortened.js';
import {
  InvalidInputError,
  orRefusal,
  type Place,
  defaultLimits,
  columnAt,
  countLines,
  placeAt,
} from './error.js';
import { parseMeasured } from './json.js';
import { measureJson } from './json-measure.js';
import { treeOfJson } from './json-tree.js';
import { TextTree, type Path } from './text-tree.js';
import { isObject, type JsonValue, sameJson } from './value.js';
import { firstNodeOf } from './yaml-nodes.js';
import { readYaml, type YamlOptions } from './yaml.js';
import { valueAt } from './fields.js';

type DocumentFields = Pick<
  Document,
  'value' | 'format' | 'file' | 'line' | 'offset' | 'text' | 'fileText'
> & {
  readonly tree?: TextTree;
};

/** One document of a file, and where its values are there. */
export class Document {
  readonly value: JsonValue;
  readonly format: 'json' | 'yaml';
  readonly file?: string;
  /** The line its text begins on, counted from 1. */
  readonly line: number;
  /** UTF-16 code units from the start of the file. */
  readonly offset: number;
  /** Empty where the value was read from none, as from a cluster. */
  readonly text: string;
  readonly fileText: string;
  #tree: TextTree | undefined;
  #isOfFile: boolean | undefined;

  constructor({ value, format, file, line, offset, text, fileText, tree }: DocumentFields) {
    this.value = value;
    this.format = format;
    if (file !== undefined) this.file = file;
    this.line = line;
    this.offset = offset;
    this.text = text;
    this.fileText = fileText;
    this.#tree = tree;
  }

  /** Whether its text is in the file as it is, and not written within another text there. */
  get isOfFile(): boolean {
    return (this.#isOfFile ??=
      this.text.trim() !== '' && this.fileText.startsWith(this.text, this.offset));
  }

  /** Of YAML it is there since the value was read. Undefined where there is none. */
  get tree(): TextTree | undefined {
    return (this.#tree ??= this.#readTree());
  }

  /** The place of the value, or of its key where it has one, else of the nearest parent. Without a text there is no line. */
  placeOf(path: Path): Place {
    const file = this.file === undefined ? {} : { file: this.file };
    if (this.text === '') return file;
    const place = this.tree?.placeOf(path);
    if (place === undefined) return { ...file, line: this.line };
    return { ...file, line: this.line + place.line - 1, column: place.column };
  }

  #readTree(): TextTree | undefined {
    if (this.text === '') return undefined;
    try {
      const root =
        this.format === 'json'
          ? treeOfJson(this.text)
          : firstNodeOf(this.text, defaultLimits.maxDepth);
      return root && new TextTree(this.text, root);
    } catch (error) {
      // Another dialect takes what this reader refuses: the document's first line has to do.
      if (error instanceof InvalidInputError || error instanceof RangeError) return undefined;
      throw error;
    }
  }
}

export function documentOf(value: JsonValue, file?: string): Document {
  return new Document({
    value,
    format: 'json',
    line: 1,
    offset: 0,
    text: '',
    fileText: '',
    file,
  });
}

export interface DocumentOptions extends Omit<YamlOptions, 'before'> {
  /** The documents that the file had before an edit: what it left as it was is not read again. */
  readonly before?: readonly Document[] | undefined;
  /** Documents that are null or hold comments only: left out (default) or given as null. */
  readonly empty?: 'skip' | 'keep';
  /** Its errors are treated as the reference does: a JSON stream may still turn out to be YAML. */
  readonly accept?: (document: Document) => void;
}

/**
 * Reads all documents of a file. The first character decides (`{` is JSON, anything else YAML), not
 * the name; a JSON stream may turn into YAML behind at most one object. As
 * k8s.io/apimachinery `YAMLOrJSONDecoder` in the `kubernetes` dialect.
 *
 * @throws InvalidInputError `E_JSON`, `E_YAML`, `E_LIMIT`, with file, line and column.
 */
export function parseDocuments(input: string | Buffer, options: DocumentOptions = {}): Document[] {
  return [...readDocuments(input, options)];
}

/** {@link parseDocuments}, one at a time. */
export function* readDocuments(
  input: string | Buffer,
  options: DocumentOptions = {},
): Generator<Document, void, void> {
  const text = typeof input === 'string' ? input : decode(input, options.file);
  const maxBytes = options.maxBytes ?? defaultLimits.maxBytes;
  if (text.length > maxBytes) {
    throw new InvalidInputError(
      'E_LIMIT',
      `is ${text.length} bytes long; at most ${maxBytes} are read`,
      { file: options.file },
    );
  }
  const reader = new StreamReader(text, options);
  for (;;) {
    const document = reader.next();
    if (document === undefined) return;
    if (document.value !== null || options.empty === 'keep') yield document;
  }
}

/** Go's blanks are JavaScript's, but for two. */
const separatorEnd = /^(?:[^\S\ufeff]|\u0085)*(?:#|$)/;

class StreamReader {
  private mode: 'json' | 'yaml';
  /** Up to where documents were read, and the line that starts or continues there. */
  private offset = 0;
  private line = 1;
  private count = 0;
  /** Of {@link count}, those that are given to the caller. */
  private given = 0;
  private beforeByText: Map<string, Document> | undefined;

  constructor(
    private readonly text: string,
    private readonly options: DocumentOptions,
  ) {
    this.mode = /^\s*\{/.test(text.slice(0, 4096)) ? 'json' : 'yaml';
  }

  next(): Document | undefined {
    if (this.mode === 'yaml') return this.nextYaml();
    const start = skipSpace(this.text, this.offset);
    if (start === this.text.length) return undefined;
    try {
      return this.nextJson(start);
    } catch (error) {
      if (!(error instanceof InvalidInputError) || error.code === 'E_LIMIT') throw error;
      // Behind the second object it is a JSON stream for good.
      if (this.count > 1) throw error;
      this.mode = 'yaml';
      this.advance(this.offset + /^[^\S\n]*\n?/.exec(this.text.slice(this.offset))![0].length);
      let document: Document | undefined;
      try {
        document = this.nextYaml();
      } catch (yamlError) {
        if (yamlError instanceof InvalidInputError && yamlError.code === 'E_LIMIT') throw yamlError;
        throw error;
      }
      // A decoder of JSON may find further objects in what YAML would read as one text.
      const value = document?.value ?? null;
      if (value !== null && !Array.isArray(value) && !isObject(value)) throw error;
      return document;
    }
  }

  private nextJson(start: number): Document {
    const measure = measureJson(this.text, {
      from: start,
      first: true,
      maxValues: this.options.maxValues ?? defaultLimits.maxValues,
    });
    const line = this.line + countLines(this.text, this.offset, start);
    const text = this.text.slice(start, measure.end);
    const lossyNumbers = measure.lossyNumbers.map((offset) => offset - start);
    const value = this.within(line, columnAt(this.text, start), () =>
      parseMeasured(text, { ...measure, lossyNumbers }, this.options),
    );
    const fields = { value, format: 'json', line, offset: start, text } as const;
    const fileText = this.text;
    return this.accept(new Document({ ...fields, fileText, ...this.file() }), measure.end);
  }

  private nextYaml(): Document | undefined {
    const from = this.offset;
    if (from >= this.text.length) return undefined;
    const { end, next } = this.endOfYamlDocument();
    const text = this.text.slice(from, end);
    if (text === '') return undefined;
    // The reference reads whole lines: the last one counts as ended, and none ends with a carriage return.
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    const lines = ended.replaceAll('\r\n', '\n');
    const before = this.readBefore(lines);
    const { value, root } = this.within(this.line, 1, () =>
      readYaml(lines, { ...this.options, before, maxBytes: Infinity }),
    );
    const fields = { value, format: 'yaml', line: this.line, offset: from, text } as const;
    const tree = root && { tree: new TextTree(lines, root) };
    const fileText = this.text;
    return this.accept(new Document({ ...fields, fileText, ...this.file(), ...tree }), next);
  }

  /** The document of the same text, or else the one at the same place. */
  private readBefore(text: string): YamlOptions['before'] {
    const { before = [] } = this.options;
    if (before.length === 0) return undefined;
    this.beforeByText ??= new Map(before.map((each) => [each.tree?.text ?? '', each]));
    const known = this.beforeByText.get(text) ?? before[this.given];
    if (known?.format !== 'yaml' || known.tree === undefined) return undefined;
    const { text: from, root } = known.tree;
    return { text: from, root, value: known.value };
  }

  /** A separator that follows nothing belongs to the document behind it, as the reference has it. */
  private endOfYamlDocument(): { end: number; next: number } {
    const { text, offset } = this;
    let at = offset;
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      const next = newline === -1 ? text.length : newline + 1;
      if (text.startsWith('---', at)) {
        const rest = text.slice(at + 3, newline === -1 ? text.length : newline);
        if (!separatorEnd.test(rest)) {
          throw new InvalidInputError(
            'E_YAML',
            `invalid Yaml document separator: ${shortened(rest.trim(), 60)}`,
            {
              ...this.file(),
              line: this.line + countLines(text, offset, at),
              column: 1,
            },
          );
        }
        if (at > offset) return { end: at, next };
      }
      at = next;
    }
    return { end: text.length, next: text.length };
  }

  private accept(document: Document, next: number): Document {
    this.options.accept?.(document);
    this.count++;
    if (document.value !== null || this.options.empty === 'keep') this.given++;
    this.advance(next);
    return document;
  }

  private advance(offset: number): void {
    this.line += countLines(this.text, this.offset, offset);
    this.offset = offset;
  }

  private file(): { file?: string } {
    return { file: this.options.file };
  }

  /** Moves the place of an error inside a document to where that document is in the file. */
  private within<T>(line: number, column: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const inner = error.where;
      throw new InvalidInputError(
        error.code,
        error.message,
        {
          ...inner,
          ...this.file(),
          line: line + (inner.line ?? 1) - 1,
          column: (inner.line ?? 1) === 1 ? column + (inner.column ?? 1) - 1 : (inner.column ?? 1),
        },
        error.details,
      );
    }
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++;
  return at;
}

/** JSON takes any bytes, as Go's decoder does; YAML must be UTF-8. */
function decode(bytes: Buffer, file: string | undefined): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes) || /^\s*\{/.test(text.slice(0, 4096))) return text;
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  throw new InvalidInputError('E_YAML', 'is not UTF-8 text', {
    file,
    line,
  });
}

/**
 * In a literal block each value has its own place. @returns nothing where there is no text @throws InvalidInputError
 */
export function documentsWithin(outer: Document, path: Path): Document[] {
  const text = valueAt(outer.value, ...path);
  if (typeof text !== 'string') return [];
  const place = outer.placeOf(path);
  return orRefusal(
    () => {
      const documents = parseDocuments(text);
      return (
        blockDocuments(outer, path, documents) ?? documents.map((each) => atPlace(each, place))
      );
    },
    ({ code, message }) => {
      throw new InvalidInputError(code, message, place);
    },
  );
}

/** The lines of a literal block are the text, but for their indentation, which neither format minds. */
function blockDocuments(
  outer: Document,
  path: Path,
  documents: readonly Document[],
): Document[] | undefined {
  const members = outer.tree?.trace(path) ?? [];
  const node = members.at(-1)?.value;
  if (node?.kind !== 'scalar' || members.length <= path.length) return undefined;
  const lines = outer.text.replaceAll('\r\n', '\n');
  const written = lines.slice(node.start, node.end);
  const header = /^\|[^\n]*\n/.exec(written)?.[0];
  if (header === undefined) return undefined;
  const first = outer.line + placeAt(lines, node.start).line;
  const block = written.slice(header.length);
  const read = orRefusal(
    () => parseDocuments(block, { file: outer.file }),
    () => [],
  );
  const isSame =
    read.length === documents.length &&
    read.every(({ value }, index) => sameJson(value, documents[index]?.value));
  return isSame ? read.map((each) => inFile(each, outer, first + each.line - 1)) : undefined;
}

function inFile(document: Document, { file, fileText }: Document, line: number): Document {
  const { value, format, offset, text, tree } = document;
  return new Document({ value, format, file, line, offset, text, fileText, tree });
}

function atPlace(
  { value }: Document,
  { file, line = 1, column = 1 }: ReturnType<Document['placeOf']>,
): Document {
  const text = ' '.repeat(column);
  const root = { kind: 'scalar', text: '', tag: '', isImplicit: true } as const;
  const tree = new TextTree(text, { ...root, start: column - 1, end: column - 1 });
  return new Document({ value, format: 'yaml', file, line, offset: 0, text, fileText: text, tree });
}

import { InvalidInputError, readDocuments, type Document } from '../../text/documents/index.js';
import { CatalogBuilder, type LoadOptions } from './builder.js';
import type { Catalog, CatalogFile } from './catalog.js';
import { ignoreFileName, readIgnoreFiles } from '../../text/documents/ignore-files.js';
import { type Meta, readMeta } from './blob-schema.js';
import { compareBytes } from '../../text/go/index.js';

export interface LoadedCatalog {
  readonly catalog: Catalog;
  readonly error?: InvalidInputError;
  /** Files that no ignore file leaves out, in the order of the walk. */
  readonly filesRead: readonly string[];
}

/**
 * Every file that is not ignored, whatever its name. Rule: `declcfg.LoadFS`. @throws InvalidInputError `E_LIMIT`
 */
export function loadCatalog(
  files: Iterable<CatalogFile>,
  options: LoadOptions = {},
  nameOf: (path: string) => string = (path) => path,
): LoadedCatalog {
  const builder = new CatalogBuilder(options);
  const read = selectFiles(files);
  const filesRead = read.map(({ path }) => path);
  try {
    for (const { path, content } of read) addFile(builder, { path: nameOf(path), content });
    return { catalog: builder.build(), filesRead };
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.code === 'E_LIMIT') throw error;
    return { catalog: builder.build(), error, filesRead };
  }
}

/** The files that are read, in order. */
function selectFiles(files: Iterable<CatalogFile>): CatalogFile[] {
  const sorted = [...files].sort((a, b) => byWalk(a.path, b.path));
  const ignored = readIgnoreFiles(
    sorted
      .filter(({ path }) => isIgnoreFile(path))
      .map(({ path, content }) => ({ path, content: content.toString() })),
  );
  return sorted.filter(({ path }) => !isIgnoreFile(path) && !ignored(path));
}

/** Adds all objects of one file. @throws InvalidInputError with the object's place. */
export function addFile(builder: CatalogBuilder, file: CatalogFile): void {
  let meta: Meta | undefined;
  const accept = (document: Document): void => {
    meta = readMetaOf(document);
  };
  const documents = readDocuments(file.content, { file: file.path, empty: 'keep', accept });
  for (;;) {
    let document: Document | undefined;
    try {
      document = documents.next().value ?? undefined;
    } catch (error) {
      throw error instanceof InvalidInputError ? goYamlMessage(error, file) : error;
    }
    if (document === undefined) return;
    if (meta === undefined) continue;
    const read = document;
    builder.add(meta, { file: file.path, line: read.line }, (path) => read.placeOf(path));
  }
}

export function isIgnoreFile(path: string): boolean {
  return path === ignoreFileName || path.endsWith(`/${ignoreFileName}`);
}

/** Folders are walked in the order of their entries' names. */
export function byWalk(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (part !== other) return compareBytes(part, other);
  }
  return left.length - right.length;
}

function readMetaOf(document: Document): Meta {
  try {
    return readMeta(document.value);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const prefix =
      document.format === 'yaml' ? 'error unmarshaling JSON: while decoding JSON: ' : '';
    throw new InvalidInputError('E_CATALOG', prefix + error.message, {
      ...(document.file !== undefined && { file: document.file }),
      line: document.line,
    });
  }
}

const converting = 'error converting YAML to JSON: yaml: ';

/** The same error with the reference's prefix, and its text for a list or map that is never closed. */
function goYamlMessage(error: InvalidInputError, file: CatalogFile): InvalidInputError {
  if (error.code !== 'E_YAML' || error.message.startsWith('invalid Yaml')) return error;
  const reason = error.message.replace(/^is not YAML: /, '');
  const text = file.content.toString();
  const message = /^did not find expected ',' or/.test(reason)
    ? (unclosed(text) ?? reason)
    : reason;
  return new InvalidInputError(error.code, converting + message, error.where, error.details);
}

interface Bracket {
  readonly closing: ']' | '}';
  readonly line: number;
}

/** go-yaml's error at the end of a text in which a bracket is open; lines count from 0 there. */
function unclosed(text: string): string | undefined {
  const open: Bracket[] = [];
  let line = 0;
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n') {
      line++;
      if (text.startsWith('---', at + 1)) {
        open.length = 0;
        line = -1;
      }
      continue;
    }
    if (/\s/.test(character)) continue;
    if (character === '#' && /\s/.test(text.charAt(at - 1))) {
      const newline = text.indexOf('\n', at);
      if (newline === -1) break;
      at = newline - 1;
      continue;
    }
    if (character === '[') open.push({ closing: ']', line });
    else if (character === '{') open.push({ closing: '}', line });
    else if (character === ']' || character === '}') open.pop();
    last = character;
  }
  const innermost = open.at(-1);
  if (innermost === undefined) return undefined;
  const expectsNode = innermost.closing === ']' && (last === ',' || last === '[');
  const place = expectsNode ? line : innermost.line || line;
  const prefix = place > 0 ? `line ${place}: ` : '';
  return expectsNode
    ? `${prefix}did not find expected node content`
    : `${prefix}did not find expected ',' or '${innermost.closing}'`;
}

/** Documents that are inside a text of another one: annotations with JSON, patches written in place. */
import { Document, parseDocuments } from './documents.js';
import { InvalidInputError } from './error.js';
import { valueAt } from './fields.js';
import { placeAt } from './place.js';
import { TextTree, type Path } from './text-tree.js';
import { sameJson } from './value.js';

/**
 * In a literal block each value has its own place. @returns nothing where there is no text @throws InvalidInputError
 */
export function documentsWithin(outer: Document, path: Path): Document[] {
  const text = valueAt(outer.value, ...path);
  if (typeof text !== 'string') return [];
  const place = outer.placeOf(path);
  try {
    const documents = parseDocuments(text);
    return blockDocuments(outer, path, documents) ?? documents.map((each) => atPlace(each, place));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError(error.code, error.message, place);
  }
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
  try {
    const read = parseDocuments(written.slice(header.length), { file: outer.file });
    const isSame =
      read.length === documents.length &&
      read.every(({ value }, index) => sameJson(value, documents[index]?.value));
    if (!isSame) return undefined;
    return read.map((each) => inFile(each, outer, first + each.line - 1));
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
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

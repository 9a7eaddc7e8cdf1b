/** The YAML of a rule's example: documents, indented as the source around them is. */
import { parseDocuments, type Document, type JsonValue } from '../text/documents/index.js';
import { smallest } from '../text/long-lists.js';

/** The documents of an example in their order, with their places; none for an empty text. */
export function readExample(yaml: string): readonly Document[] {
  const lines = yaml.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return [];
  const indent = smallest(lines.map((line) => line.length - line.trimStart().length));
  const text = lines.map((line) => line.slice(indent)).join('\n');
  return parseDocuments(Buffer.from(text), {});
}

export function exampleDocuments(yaml: string): readonly JsonValue[] {
  return readExample(yaml).map(({ value }) => value);
}

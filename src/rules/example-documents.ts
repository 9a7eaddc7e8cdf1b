/** The YAML of a rule's example: documents, indented as the source around them is. */
import { parseDocuments, type JsonValue } from '../text/documents/index.js';

/** The documents of an example in their order; none for an empty text. */
export function exampleDocuments(yaml: string): readonly JsonValue[] {
  const lines = yaml.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  const text = lines.map((line) => line.slice(indent)).join('\n');
  return parseDocuments(Buffer.from(text), {}).map(({ value }) => value);
}

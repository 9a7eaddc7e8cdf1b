/**
 * A rule's `fieldPath`: which field below the value is blamed. A path that does not fit the schema
 * is ignored.
 *
 * Source: ValidFieldPath of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
import { unescaped } from '../../text/go/index.js';
import type { SchemaNode } from '../schema.js';

const token = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y;

/** The path as errors print it, beginning with a dot or a bracket; empty where there is none. */
export function fieldPathOf(path: string, schema: SchemaNode): string {
  let printed = '';
  let node: SchemaNode | undefined = schema;
  for (let index = 0; index < path.length; index = token.lastIndex) {
    token.lastIndex = index;
    const match = token.exec(path);
    if (match === null || node === undefined) return '';
    const name: string = match[1] ?? unescape(match[2] ?? '');
    if (node.properties !== undefined) {
      node = node.properties.get(name);
      if (node === undefined) return '';
      printed += `.${name}`;
    } else {
      node = node.additionalProperties?.schema;
      if (node === undefined) return '';
      printed += `[${name}]`;
    }
  }
  return printed;
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (all, character: string) => unescaped.get(character) ?? all);
}

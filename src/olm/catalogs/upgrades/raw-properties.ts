/** The annotation `olm.properties`: a list of properties whose values are kept as they are written. */
import { treeOfJson } from '../../../text/documents/json-tree.js';
import type { ScalarNode, YamlNode } from '../../../text/documents/yaml-nodes.js';
import { cannotUnmarshal, syntaxError, type JsonKind } from '../../../text/go/index.js';

export interface RawProperty {
  readonly type: string;
  /** JSON text, "" when the property has no value. */
  readonly value: string;
}

/** Rule: encoding/json into operator-registry's `[]property.Property`; `error` is its text. */
export function readRawProperties(text: string): RawProperty[] | { readonly error: string } {
  const syntax = syntaxError(text);
  if (syntax !== undefined) return { error: syntax };
  const start = text.search(/\S/);
  const kind = kindOf(text, start);
  if (kind === 'null') return [];
  if (kind !== 'array') return { error: cannotUnmarshal(kind, '[]property.Property') };
  const tree = treeOfJson(text);
  const errors: string[] = [];
  const properties = (tree?.kind === 'sequence' ? tree.items : []).map((element) => {
    if (element.kind === 'mapping') return readProperty(text, element.members, errors);
    const elementKind = kindOf(text, element.start);
    if (elementKind !== 'null') errors.push(cannotUnmarshal(elementKind, 'property.Property'));
    return { type: '', value: '' };
  });
  const [error] = errors;
  return error === undefined ? properties : { error };
}

/** Field names match in any case; the last one counts. @param members key, value, key, value */
function readProperty(text: string, members: readonly YamlNode[], errors: string[]): RawProperty {
  let type = '';
  let value = '';
  for (let index = 0; index + 1 < members.length; index += 2) {
    const field = (members[index] as ScalarNode).text.toLowerCase();
    const { start, end } = members[index + 1] as YamlNode;
    const raw = text.slice(start, end);
    if (field === 'value') value = raw;
    if (field !== 'type') continue;
    const kind = kindOf(text, start);
    if (kind === 'string') type = JSON.parse(raw) as string;
    else if (kind !== 'null') errors.push(cannotUnmarshal(kind, 'string', 'Property.type'));
  }
  return { type, value };
}

/** Go's name for the kind of the value that begins at the offset. */
function kindOf(text: string, offset: number): JsonKind {
  switch (text[offset]) {
    case '[':
      return 'array';
    case '{':
      return 'object';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'bool';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

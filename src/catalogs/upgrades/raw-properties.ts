/** The annotation `olm.properties`: a list of properties whose values are kept as they are written. */
import { partsByOffset, type JsonPart } from '../../text/documents/json-parts.js';
import { cannotUnmarshal, syntaxError, type JsonKind } from '../../text/go/index.js';

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
  const parts = partsByOffset(text);
  const errors: string[] = [];
  const properties = (parts.get(start) ?? []).map((element) => {
    const elementKind = kindOf(text, element.start);
    if (elementKind === 'object') return readProperty(text, parts.get(element.start) ?? [], errors);
    if (elementKind !== 'null') errors.push(cannotUnmarshal(elementKind, 'property.Property'));
    return { type: '', value: '' };
  });
  const [error] = errors;
  return error === undefined ? properties : { error };
}

/** Field names match in any case; the last one counts. */
function readProperty(text: string, members: readonly JsonPart[], errors: string[]): RawProperty {
  let type = '';
  let value = '';
  for (const { key, start, end } of members) {
    const field = key?.text.toLowerCase();
    const raw = text.slice(start, end);
    if (field === 'value') value = raw;
    if (field !== 'type') continue;
    const kind = kindOf(text, start);
    if (kind === 'string') type = JSON.parse(raw) as string;
    else if (kind !== 'null') errors.push(cannotUnmarshal(kind, 'string', 'Property.type'));
  }
  return { type, value };
}

/** What Go calls the value that begins at the offset. */
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

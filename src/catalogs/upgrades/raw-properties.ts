/** The annotation `olm.properties`: a list of properties whose values are kept as they are written. */
import { JsonScanner, JsonSyntaxError } from './json-scanner.js';
import { cannotUnmarshal } from '../../text/go/index.js';

export interface RawProperty {
  readonly type: string;
  /** JSON text, "" when the property has no value. */
  readonly value: string;
}

/** Rule: encoding/json into operator-registry's `[]property.Property`; `error` is its text. */
export function readRawProperties(text: string): RawProperty[] | { readonly error: string } {
  try {
    checkSyntax(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { error: error.message };
    throw error;
  }
  const scanner = new JsonScanner(text);
  const kind = kindOf(scanner.next());
  if (kind === 'null') return [];
  if (kind !== 'array') {
    return { error: cannotUnmarshal(kind, '[]property.Property') };
  }
  const properties: RawProperty[] = [];
  const errors: string[] = [];
  scanner.elements(() => {
    properties.push(readProperty(scanner, errors));
  });
  const [error] = errors;
  return error === undefined ? properties : { error };
}

function checkSyntax(text: string): void {
  const scanner = new JsonScanner(text);
  scanner.value();
  scanner.end();
}

/** Field names match in any case; the last one counts. */
function readProperty(scanner: JsonScanner, errors: string[]): RawProperty {
  const kind = kindOf(scanner.next());
  let type = '';
  let value = '';
  if (kind !== 'object') {
    scanner.value();
    if (kind !== 'null') {
      errors.push(cannotUnmarshal(kind, 'property.Property'));
    }
    return { type, value };
  }
  scanner.members((key) => {
    const fieldKind = kindOf(scanner.next());
    const raw = scanner.value();
    if (key.toLowerCase() === 'value') value = raw;
    if (key.toLowerCase() !== 'type') return;
    if (fieldKind === 'string') type = JSON.parse(raw) as string;
    else if (fieldKind !== 'null') {
      errors.push(cannotUnmarshal(fieldKind, 'string', 'Property.type'));
    }
  });
  return { type, value };
}

/** What Go calls the value that begins with this character. */
function kindOf(first: string): 'array' | 'bool' | 'null' | 'number' | 'object' | 'string' {
  switch (first) {
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

import {
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import {
  cannotUnmarshal,
  compareBytes,
  encodeJson,
  formatBool,
  formatValue,
  jsonKind,
  quote,
} from '../../text/go/index.js';
import { shortened } from '../../text/shortened.js';

export interface Meta {
  readonly schema: string;
  readonly package: string;
  readonly name: string;
  readonly object: JsonObject;
  /** The document was null, or held comments only. */
  readonly empty?: boolean;
}

/**
 * Rule: `Meta.UnmarshalJSON` of operator-registry's declcfg; null is an object without fields. @throws `E_CATALOG`
 */
export function readMeta(value: JsonValue): Meta {
  if (value === null) return { schema: '', package: '', name: '', object: {}, empty: true };
  if (!isObject(value)) throw invalid(notAnObject(value));
  const keys = Object.keys(value);
  const byFolded = new Map<string, string>();
  let duplicates: Map<string, string[]> | undefined;
  for (const key of keys) {
    const folded = isLowerCase(key) ? key : foldCase(key);
    const other = byFolded.get(folded);
    if (other === undefined) {
      byFolded.set(folded, key);
    } else {
      duplicates ??= new Map<string, string[]>();
      duplicates.set(folded, [...(duplicates.get(folded) ?? [other]), key]);
    }
  }
  if (duplicates !== undefined) throw invalid(duplicateKeys(duplicates));
  return {
    schema: readText(value, byFolded.get('schema')),
    package: readText(value, byFolded.get('package')),
    name: readText(value, byFolded.get('name')),
    object: value,
  };
}

const longestValue = 200;

function readText(object: JsonObject, key: string | undefined): string {
  if (key === undefined) return '';
  const found = object[key] as JsonValue;
  if (typeof found === 'string') return found;
  throw invalid(
    // As the reference says it, but for the end of a long value.
    `expected value for key ${quote(key)} to be a string, got ${shortened(formatBool(found), longestValue)}: ${shortened(formatValue(found, 'float64'), longestValue)}`,
  );
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('E_CATALOG', message);
}

function duplicateKeys(duplicates: ReadonlyMap<string, readonly string[]>): string {
  const messages = [...duplicates].map(
    ([folded, keys]) =>
      `duplicate keys for key ${quote(folded)}: [${[...keys].sort(compareBytes).join(' ')}]`,
  );
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

/** Go's message for a document that is no object, with the mark of `prettyunmarshaler`. */
function notAnObject(value: Exclude<JsonValue, JsonObject>): string {
  const isList = Array.isArray(value);
  const error = cannotUnmarshal(jsonKind(value), 'map[string]interface {}');
  const text = isList ? JSON.stringify(JSON.parse(encodeJson(value)), null, 4) : encodeJson(value);
  const offset = isList ? 1 : Buffer.byteLength(text);
  return `${error} at offset ${offset} (indicated by <==)\n${text.slice(0, offset)} <==${isList ? ` ${text.slice(1)}` : ''}`;
}

function isLowerCase(key: string): boolean {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code > 0x7f || (code >= 0x41 && code <= 0x5a)) return false;
  }
  return true;
}

const foldedKeys = new Map<string, string>();

/** Unicode's full case folding, letter by letter; the few keys that catalogs use are remembered. */
function foldCase(key: string): string {
  const known = foldedKeys.get(key);
  if (known !== undefined) return known;
  const folded = [...key].map((letter) => letter.toUpperCase().toLowerCase()).join('');
  if (foldedKeys.size < 256 && key.length < 64) foldedKeys.set(key, folded);
  return folded;
}

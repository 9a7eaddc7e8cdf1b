import {
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
} from '../../text/documents/index.js';
import {
  cannotUnmarshal,
  compareBytes,
  encodeJson,
  field,
  formatBool,
  formatValue,
  jsonKind,
  quote,
  type Shape,
} from '../../text/go/index.js';
import { shortened } from '../../text/shortened.js';
import { didYouMean } from '../../text/nearest.js';
import { bundleShape, channelShape, deprecationShape, packageShape } from './shapes.js';

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

/** A blob may hold thousands; a person mends them by looking at the first. */
const maxProblems = 20;
const longestPlace = 120;

/**
 * One clause for each problem that opm does not report.
 * Source: "File-based catalogs", CUE schemas `_Meta`, `#Property`, `#RelatedImage`.
 */
export function blobProblems({ schema, object }: Meta): string[] {
  const isBundle = schema === 'olm.bundle';
  const isNamedByOpm = ['olm.channel', 'olm.bundle', 'olm.deprecations'].includes(schema);
  const shape = shapes.get(schema);
  return [
    ...(shape === undefined ? [] : misspeltKeys(object, shape).map(tellMisspelt)),
    ...(field(object, 'package') === '' && !isNamedByOpm ? ['package is empty'] : []),
    ...propertyProblems(object, isBundle),
    ...(isBundle ? imageProblems(field(object, 'relatedImages')) : []),
    ...(schema === 'olm.deprecations' && field(object, 'name') !== undefined
      ? ['a deprecation has no name: it belongs to its package']
      : []),
  ].slice(0, maxProblems);
}

/** Fields that opm reads of each schema, but for properties, in which every key that is not read is reported. */
const shapes = new Map([
  ['olm.package', packageShape],
  ['olm.channel', channelShape],
  ['olm.bundle', bundleShape],
  ['olm.deprecations', deprecationShape],
]);

interface Misspelt {
  /** `.entries[3].replace`, from where it was looked for. */
  readonly place: string;
  readonly meant: string;
}

function tellMisspelt({ place, meant }: Misspelt): string {
  return `${shortened(place.slice(1), longestPlace)} is read by nobody${meant}`;
}

function misspeltKeys(value: JsonValue, shape: Shape): Misspelt[] {
  const found: Misspelt[] = [];
  if (Array.isArray(value) && shape.kind === 'list') {
    for (const [index, item] of value.entries()) {
      for (const { place, meant } of misspeltKeys(item, shape.of)) {
        found.push({ place: `[${index}]${place}`, meant });
      }
    }
  }
  if (!isObject(value) || !('fields' in shape)) return found;
  for (const key of Object.keys(value)) {
    const known = shape.fields.get(key);
    if (known === undefined) {
      if (shape.folded.has(key.toUpperCase())) continue;
      const meant = didYouMean(key, shape.fields.keys());
      if (meant !== '') found.push({ place: `.${key}`, meant });
    } else if (key !== 'properties' && (known.kind === 'list' || 'fields' in known)) {
      for (const { place, meant } of misspeltKeys(own(value, key) ?? null, known)) {
        found.push({ place: `.${key}${place}`, meant });
      }
    }
  }
  return found;
}

function propertyProblems(object: JsonObject, isBundle: boolean): string[] {
  const properties = field(object, 'properties');
  if (properties === undefined) return [];
  if (!Array.isArray(properties)) return ['properties is no list'];
  return properties.flatMap((property, index) => {
    const place = `properties[${index}]`;
    if (!isObject(property)) return [`${place} has no type and no value`];
    const type = field(property, 'type');
    const problems: string[] = [];
    if (typeof type !== 'string') problems.push(`${place} has no type`);
    else if (type === '') problems.push(`${place}.type is empty`);
    const value = valueOf(property);
    if (value === null) problems.push(`${place}.value is null`);
    // opm parses the properties of bundles and says it itself.
    else if (value === undefined && !isBundle) problems.push(`${place} has no value`);
    // Most often something that is indented too little.
    const others = Object.keys(property).filter(
      (key) => key !== 'type' && key !== 'value' && !/^(type|value)$/i.test(key),
    );
    if (others.length > 0) {
      const stand = others.length === 1 ? 'stands' : 'stand';
      problems.push(
        `${place}: ${others.join(' and ')} ${stand} beside value, where nothing is read; indent to stand below value`,
      );
    }
    return problems;
  });
}

/** The last key if several differ in case only, as in Go. Null differs from absent. */
export function valueOf(property: JsonObject): JsonValue | undefined {
  if (Object.hasOwn(property, 'value') && Object.keys(property).at(-1) === 'value')
    return property['value'];
  const key = Object.keys(property).findLast((name) => name.toLowerCase() === 'value');
  return key === undefined ? undefined : own(property, key);
}

function imageProblems(related: JsonValue | undefined): string[] {
  if (!Array.isArray(related)) return [];
  return related.flatMap((item, index) => {
    const image = isObject(item) ? field(item, 'image') : undefined;
    if (typeof image === 'string' && image !== '') return [];
    const name = isObject(item) ? field(item, 'name') : undefined;
    const called = typeof name === 'string' && name !== '' ? ` ${quote(name)}` : '';
    return [`relatedImages[${index}]${called} has no image`];
  });
}

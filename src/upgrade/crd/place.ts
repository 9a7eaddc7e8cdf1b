/** Where in its document a finding is, so that a command can name file and line. */
import type { FindingPlace } from '../../rule/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import type { DefinitionVersion } from './custom-resource-definition.js';
import type { SchemaSpot } from './difference.js';

/** Keys from the document's root, or a schema of one of its versions. */
export type DocumentPlace =
  | (FindingPlace & { readonly side: 'old' | 'new' })
  | {
      readonly side: 'old' | 'new';
      readonly version: number;
      readonly spot: SchemaSpot;
      readonly keyword?: string;
    };

export function locationOf(place: DocumentPlace): FindingPlace {
  return 'keys' in place ? place : { side: place.side, keys: schemaKeys(place) };
}

/** The path with names quoted that hold a separator: the references write `size.unit` as `unit` in `size`. */
export function exactPathOf({ keys, gone = keys }: FindingPlace, path: string): string | undefined {
  const names = propertyNames(gone.slice(keysOfVersion.length));
  if (!names.some((name) => separators.test(name))) return undefined;
  let exact = '';
  let from = 0;
  for (const name of names) {
    const at = path.indexOf(`.${name}`, from);
    // A path that is not written so is at no place that an exemption names.
    if (at < 0) return `^${JSON.stringify(gone)}`;
    const isQuoted = separators.test(name);
    exact += path.slice(from, at) + (isQuoted ? `[${JSON.stringify(name)}]` : `.${name}`);
    from = at + name.length + 1;
  }
  return exact + path.slice(from);
}

const separators = /[.[\]"^]/;

function propertyNames(keys: readonly (string | number)[]): string[] {
  const names: string[] = [];
  for (let at = 0; at < keys.length;) {
    const [keyword = '', key] = keys.slice(at, at + 2);
    if (keyword === 'properties' && key !== undefined) names.push(String(key));
    at += maps.has(keyword) || typeof key === 'number' ? 2 : 1;
  }
  return names;
}

/** The nearest schema around the field that is left in the new definition. */
export function placeOfRemoved(
  spot: SchemaSpot,
  previous: DefinitionVersion,
  version: DefinitionVersion,
): DocumentPlace {
  const gone = schemaKeys({ side: 'old', version: previous.index, spot });
  const within = gone.slice(keysOfVersion.length);
  const at = ['spec', 'versions', version.index];
  if (version.schema === undefined) return { side: 'new', keys: at, gone };
  const left = within.slice(0, lengthInside(version.schema, within));
  return { side: 'new', keys: [...at, 'schema', 'openAPIV3Schema', ...left], gone };
}

const keysOfVersion = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];
const maps: ReadonlySet<string | number> = new Set([
  ...['properties', 'patternProperties', 'definitions', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf'],
]);

function lengthInside(schema: JsonObject, keys: readonly (string | number)[]): number {
  let value: JsonValue | undefined = schema;
  let length = 0;
  while (length < keys.length) {
    const [keyword = '', key] = keys.slice(length, length + 2);
    const steps = maps.has(keyword) || typeof key === 'number' ? 2 : 1;
    for (const each of keys.slice(length, length + steps)) {
      if (Array.isArray(value) && typeof each === 'number') value = value[each];
      else value = isObject(value ?? null) ? own(value as JsonObject, String(each)) : undefined;
    }
    if (!isObject(value ?? null)) return length;
    length += steps;
  }
  return length;
}

function schemaKeys({
  version,
  spot,
  keyword,
}: Exclude<DocumentPlace, { keys: unknown }>): (string | number)[] {
  const reversed: (string | number)[] = keyword === undefined ? [] : [keyword];
  for (let below = spot.below; below !== undefined; below = below.parent) {
    if (below.key !== undefined) reversed.push(below.key);
    reversed.push(below.keyword);
  }
  const root = ['spec', 'versions', version, 'schema', 'openAPIV3Schema'];
  return [...root, ...spot.keys, ...reversed.reverse()];
}

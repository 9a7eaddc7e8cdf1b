/** Where in its document a finding stands, so that a door can name file and line. */
import type { SchemaPlace } from './schema.js';

/** Keys from the document's root, or a schema of one of its versions. */
export type DocumentPlace =
  | { readonly side: 'old' | 'new'; readonly keys: readonly (string | number)[] }
  | {
      readonly side: 'old' | 'new';
      /** Position in `spec.versions`. */
      readonly version: number;
      /** Nothing for the root of the version's schema. */
      readonly schema: SchemaPlace | undefined;
      /** The keyword of that schema which the finding is about. */
      readonly keyword?: string;
    };

/** A place as doors want it: which document, and the JSON path in it. */
export interface Location {
  readonly side: 'old' | 'new';
  readonly keys: readonly (string | number)[];
  /** Such as `$.spec.versions[0].schema.openAPIV3Schema.properties.spec`. */
  readonly path: string;
}

export function locationOf(place: DocumentPlace): Location {
  const keys = 'keys' in place ? place.keys : schemaKeys(place);
  return { side: place.side, keys, path: `$${keys.map(step).join('')}` };
}

function schemaKeys(place: Exclude<DocumentPlace, { keys: unknown }>): (string | number)[] {
  const reversed: (string | number)[] = place.keyword === undefined ? [] : [place.keyword];
  for (let schema = place.schema; schema !== undefined; schema = schema.parent) {
    if (schema.key !== undefined) reversed.push(schema.key);
    reversed.push(schema.keyword);
  }
  return ['spec', 'versions', place.version, 'schema', 'openAPIV3Schema', ...reversed.reverse()];
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

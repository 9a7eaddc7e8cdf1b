/** Where in its document a finding stands, so that a door can name file and line. */
import type { SchemaSpot } from './difference.js';

/** Keys from the document's root, or a schema of one of its versions. */
export type DocumentPlace =
  | { readonly side: 'old' | 'new'; readonly keys: readonly (string | number)[] }
  | {
      readonly side: 'old' | 'new';
      /** Position in `spec.versions`. */
      readonly version: number;
      readonly spot: SchemaSpot;
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

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

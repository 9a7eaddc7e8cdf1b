/** Schemas that were read, so that one which is in two definitions at the same place is read once. */
import type { JsonValue } from '../../text/documents/index.js';
import type { Release } from './open-api.js';
import type { SchemaNode } from './schema.js';

interface KnownSchema {
  readonly schema: SchemaNode;
  readonly path: string;
  /** How much of the path leads to the definition's schema. */
  readonly rootLength: number;
  /** How many schemas it is made of. */
  readonly nodes: number;
  /** How many of them are inside each other. */
  readonly height: number;
}

/** By the JSON itself: see `shareParts`. */
export class KnownSchemas {
  readonly #known = new Map<JsonValue, KnownSchema>();

  /** @param release by whose rules the definitions judge values */
  constructor(readonly release?: Release) {}

  find(source: JsonValue, path: string, rootLength: number): KnownSchema | undefined {
    const known = this.#known.get(source);
    if (known === undefined) return undefined;
    // The same JSON may be at several places, and what is known of a schema is known of its place.
    return known.path.slice(known.rootLength) === path.slice(rootLength) ? known : undefined;
  }

  add(source: JsonValue, known: KnownSchema): void {
    if (!this.#known.has(source)) this.#known.set(source, known);
  }
}

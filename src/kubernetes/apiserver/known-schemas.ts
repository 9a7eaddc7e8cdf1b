/** Schemas that were read, so that what is in two definitions at the same place is held once. */
import type { JsonValue } from '../../text/documents/index.js';
import type { Release } from './open-api.js';
import type { SchemaNode } from './schema.js';

/** Whole schemas of versions, by the JSON itself (see `shareParts`) and by their place. */
export class KnownSchemas {
  readonly #bySource = new Map<JsonValue, SchemaNode>();
  readonly #byPlace = new Map<string, SchemaNode>();
  /** Schemas with a type and no other keyword that judges values. */
  readonly byType = new Map<string, SchemaNode>();

  /** @param release by whose rules the definitions judge values */
  constructor(readonly release?: Release) {}

  find(source: JsonValue): SchemaNode | undefined {
    return this.#bySource.get(source);
  }

  /** The one that was read last at a place. */
  at(place: string): SchemaNode | undefined {
    return this.#byPlace.get(place);
  }

  add(source: JsonValue, place: string, schema: SchemaNode): void {
    this.#bySource.set(source, schema);
    this.#byPlace.set(place, schema);
  }
}

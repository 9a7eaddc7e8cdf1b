/** Finds the definition of an object: a CustomResourceDefinition, else a schema from a catalog. */
import { definitionOf, type FoundCrd } from '../../../upgrade/index.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import { validators } from '../../operations/validators.js';
import type { SchemaCatalog } from '../../facts/manifests/schema-catalog.js';

export class ObjectDefinitions {
  /** How many objects had a schema from a catalog as their definition. */
  bySchemaAlone = 0;
  readonly #refused = new Set<FoundCrd>();

  /** @param unchecked gains a sentence for each schema that cannot be read, or of which keywords are ignored */
  constructor(
    readonly crds: ReadonlyMap<string, FoundCrd>,
    readonly catalog: SchemaCatalog,
    readonly unchecked: Set<string>,
  ) {}

  async definitionOf(object: JsonObject): Promise<FoundCrd | undefined> {
    const found = definitionOf(object, this.crds);
    if (found !== undefined || this.catalog.isEmpty) return found;
    try {
      const entry = await this.catalog.definitionOf(object);
      if (entry === undefined || this.#refused.has(entry.found)) return undefined;
      this.#require(entry.found);
      this.bySchemaAlone++;
      if (entry.unjudged.length > 0) {
        const file = entry.found.document.file ?? '';
        this.unchecked.add(`${file}: not judged by ${entry.unjudged.join(', ')}`);
      }
      return entry.found;
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      this.unchecked.add(`${error.describe()}; nothing was judged by it`);
      return undefined;
    }
  }

  /** @throws InvalidInputError for a schema that is no valid definition; once for each schema */
  #require(found: FoundCrd): void {
    const [version] = found.crd.versions;
    try {
      validators.get(found.crd.document, version?.name ?? '');
    } catch (error) {
      this.#refused.add(found);
      const { file } = found.document;
      throw error instanceof InvalidInputError
        ? error.at({ ...(file !== undefined && { file }) })
        : error;
    }
  }
}

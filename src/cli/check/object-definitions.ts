/** Finds the definition of an object: a CustomResourceDefinition, else a schema from a catalog. */
import { definitionOf, placeInFile, type FoundCrd } from '../../upgrade/index.js';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { validators } from '../../checks/index.js';
import type { SchemaCatalog } from '../../repository/index.js';

export class ObjectDefinitions {
  /** How many objects had a schema from a catalog as their definition. */
  bySchemaAlone = 0;
  readonly #validity = new Map<FoundCrd, Map<string, boolean>>();

  /** @param unchecked gains a sentence for each definition or schema that cannot be read, or of which keywords are ignored */
  constructor(
    readonly crds: ReadonlyMap<string, FoundCrd>,
    readonly catalog: SchemaCatalog,
    readonly unchecked: Set<string>,
  ) {}

  async definitionOf(object: JsonObject): Promise<FoundCrd | undefined> {
    const found = definitionOf(object, this.crds);
    try {
      if (found !== undefined) return this.#isValid(found, versionOf(object)) ? found : undefined;
      if (this.catalog.isEmpty) return undefined;
      const entry = await this.catalog.definitionOf(object);
      const [version] = entry?.found.crd.versions ?? [];
      if (entry === undefined || !this.#isValid(entry.found, version?.name ?? '')) return undefined;
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

  /** A version that is not served needs no schema. @throws InvalidInputError once for each definition */
  #isValid(found: FoundCrd, version: string): boolean {
    const known = this.#validity.get(found) ?? new Map<string, boolean>();
    this.#validity.set(found, known);
    const isValid = known.get(version);
    if (isValid !== undefined) return isValid;
    known.set(version, true);
    if (!found.crd.versions.some(({ name, served }) => name === version && served)) return true;
    try {
      validators.get(found.crd.document, version);
      return true;
    } catch (error) {
      known.set(version, false);
      throw error instanceof InvalidInputError ? error.at(placeInFile(found, [])) : error;
    }
  }
}

function versionOf(object: JsonObject): string {
  const apiVersion = textAt(object, 'apiVersion') ?? '';
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

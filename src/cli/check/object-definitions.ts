/** Finds the definition of an object: a CustomResourceDefinition, else a schema from a catalog. */
import { definitionOf, placeInFile, type FoundCrd } from '../../upgrade/index.js';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { validators } from '../../checks/index.js';
import type { SchemaCatalog } from '../../repository/index.js';
import { shortened } from '../../text/shortened.js';
import { visible } from '../../text/visible.js';
import type { SkippedKind } from '../../report/index.js';

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

const namedAtMost = 20;
/** More than any real kind has. */
const longestName = 200;

export class SkippedKinds {
  readonly #kinds = new Map<string, SkippedKind>();

  add(object: JsonObject): void {
    const apiVersion = textAt(object, 'apiVersion') ?? '';
    const kind = textAt(object, 'kind') ?? '';
    const key = `${apiVersion} ${kind}`;
    const count = (this.#kinds.get(key)?.count ?? 0) + 1;
    this.#kinds.set(key, { apiVersion, kind, count });
  }

  /** The most frequent first. */
  list(): readonly SkippedKind[] {
    return [...this.#kinds]
      .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
      .map(([, kind]) => kind);
  }

  /** `12 Deployment (apps/v1), 3 Service (v1)` */
  describe(): string {
    const kinds = this.list().map(({ apiVersion, kind, count }) => {
      const name = apiVersion === '' ? kind : `${kind} (${apiVersion})`;
      return `${count} ${visible(shortened(name, longestName))}`;
    });
    const more = kinds.length - namedAtMost;
    const last = more > 0 ? [`and ${more} more kinds: -o json has them all`] : [];
    return [...kinds.slice(0, namedAtMost), ...last].join(', ');
  }
}

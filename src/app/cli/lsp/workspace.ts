/** What the texts of a repository are judged by: its policy, the old definitions, and those of its objects. */
import { isAbsolute, relative } from 'node:path';
import { collectCrds, type FoundCrd } from '../../../upgrade/index.js';
import { parseDocuments, type Document } from '../../../text/documents/index.js';
import { readSource } from '../../../text/documents/sources.js';
import { comparedSources, fromStart } from '../check/compared-sources.js';
import { readOldDefinitions, type OldDefinitions } from '../options/crd-source.js';
import { openPolicy, type LoadedPolicy } from '../options/policy-option.js';

export class Workspace {
  #policy: Promise<LoadedPolicy> | undefined;
  readonly #before = new Map<string, Promise<OldDefinitions>>();
  #definitions: Promise<ReadonlyMap<string, FoundCrd>> | undefined;

  /** Reads everything again when it is asked for next. */
  forget(): void {
    this.#policy = undefined;
    this.#definitions = undefined;
    for (const old of this.#before.values()) {
      old.then(({ close }) => close()).catch(() => undefined);
    }
    this.#before.clear();
  }

  /** @throws InvalidInputError for one that cannot be read */
  policy(): Promise<LoadedPolicy> {
    return (this.#policy ??= openPolicy(undefined));
  }

  /**
   * The definitions that those of a file take the place of, as `check crd FILE` finds them.
   *
   * @throws InvalidInputError, ClusterError where there are none to compare with
   */
  before(file: string, proposed: readonly Document[]): Promise<OldDefinitions> {
    let old = this.#before.get(file);
    if (old === undefined) {
      old = this.#readBefore(file, proposed);
      this.#before.set(file, old);
    }
    return old;
  }

  async #readBefore(file: string, proposed: readonly Document[]): Promise<OldDefinitions> {
    const loaded = await this.policy();
    const [sources] = comparedSources([file], loaded);
    if (sources === undefined) throw new Error('one source is compared with one');
    const { old } = await fromStart(sources, loaded);
    return readOldDefinitions(
      old,
      collectCrds(proposed, () => undefined),
      {},
    );
  }

  /** By name, from every file of the working directory; what cannot be read defines nothing. */
  definitions(): Promise<ReadonlyMap<string, FoundCrd>> {
    return (this.#definitions ??= definitionsHere());
  }
}

async function definitionsHere(): Promise<ReadonlyMap<string, FoundCrd>> {
  const files = await readSource('.');
  const documents = files
    .filter(({ bytes }) => bytes.includes('CustomResourceDefinition'))
    .flatMap(({ file, bytes }) => {
      try {
        return parseDocuments(bytes, { file });
      } catch {
        return [];
      }
    });
  return collectCrds(documents, () => undefined).crds;
}

/** As a command line would name it. */
export function shownPath(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith('..') || isAbsolute(here) ? path : here;
}

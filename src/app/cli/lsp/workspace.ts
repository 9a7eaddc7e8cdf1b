/** What the texts of a repository are judged by: its policy, the old definitions, and those of its objects. */
import { isAbsolute, relative } from 'node:path';
import { collectCrds, type FoundCrd } from '../../../upgrade/index.js';
import { walkFolder } from '../../../text/documents/folder-walk.js';
import { InvalidInputError, parseDocuments, type Document } from '../../../text/documents/index.js';
import { readRegularFile } from '../../../text/documents/regular-file.js';
import { manifestName } from '../../../text/documents/sources.js';
import { append } from '../../../text/long-lists.js';
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
    if (sources.old === '-') {
      throw new InvalidInputError(
        'E_INPUT',
        'the policy compares with standard input, where the editor writes: set old: to a file, folder or commit',
      );
    }
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
  const documents: Document[] = [];
  try {
    for await (const { file, refusal } of walkFolder('.', { wants: isManifest })) {
      if (refusal === undefined) append(documents, await definingDocuments(file));
    }
  } catch (error) {
    // A folder that may not be read: what was found before it counts.
    if (!(error instanceof InvalidInputError)) throw error;
  }
  return collectCrds(documents, () => undefined).crds;
}

const isManifest = (name: string): boolean => manifestName.test(name);

async function definingDocuments(file: string): Promise<Document[]> {
  try {
    const bytes = await readRegularFile(file);
    return bytes.includes('CustomResourceDefinition') ? parseDocuments(bytes, { file }) : [];
  } catch (error) {
    if (error instanceof InvalidInputError) return [];
    throw error;
  }
}

/** As a command line would name it. */
export function shownPath(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith('..') || isAbsolute(here) ? path : here;
}

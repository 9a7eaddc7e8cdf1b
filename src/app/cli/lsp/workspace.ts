/** What the texts of a repository are judged by: its policy, the old definitions, and those of its objects. */
import { isAbsolute, relative } from 'node:path';
import { collectCrds } from '../../../upgrade/index.js';
import { minorsByDefault, type TargetMinors } from '../../../kubernetes/index.js';
import { walkFolder } from '../../../text/documents/folder-walk.js';
import { InvalidInputError, parseDocuments, type Document } from '../../../text/documents/index.js';
import { readRegularFile } from '../../../text/documents/regular-file.js';
import { manifestName } from '../../../text/documents/sources.js';
import { append } from '../../../text/long-lists.js';
import { comparedSources, fromStart } from '../check/compared-sources.js';
import type { Policy } from '../../check/policy.js';
import type {
  DefinitionsBefore,
  DefinitionsOfObjects,
  Surroundings,
} from '../../diagnosis/diagnose.js';
import { readOldDefinitions } from '../options/crd-source.js';
import { minorsFor } from '../options/kubernetes-option.js';
import { openPolicy, type LoadedPolicy } from '../options/policy-option.js';

interface OpenDefinitions extends DefinitionsBefore {
  readonly close: () => void;
}

export class Workspace implements Surroundings {
  #loaded: Promise<LoadedPolicy> | undefined;
  readonly #before = new Map<string, Promise<OpenDefinitions>>();
  #definitions: Promise<DefinitionsOfObjects> | undefined;

  /** Reads everything again when it is asked for next. */
  forget(): void {
    this.#loaded = undefined;
    this.#definitions = undefined;
    for (const old of this.#before.values()) {
      old.then(({ close }) => close()).catch(() => undefined);
    }
    this.#before.clear();
  }

  async policy(): Promise<Policy> {
    return (await this.#openPolicy()).policy;
  }

  async minors(): Promise<TargetMinors> {
    const { kubernetes } = await this.policy();
    return (await minorsFor(kubernetes, {})) ?? minorsByDefault();
  }

  /** As `check crd FILE` finds them. */
  before(file: string, proposed: readonly Document[]): Promise<DefinitionsBefore> {
    let old = this.#before.get(file);
    if (old === undefined) {
      old = this.#readBefore(file, proposed);
      this.#before.set(file, old);
    }
    return old;
  }

  #openPolicy(): Promise<LoadedPolicy> {
    return (this.#loaded ??= openPolicy(undefined));
  }

  async #readBefore(file: string, proposed: readonly Document[]): Promise<OpenDefinitions> {
    const loaded = await this.#openPolicy();
    const [sources] = comparedSources([file], loaded);
    if (sources === undefined) throw new Error('one source is compared with one');
    if (sources.old === '-') {
      throw new InvalidInputError(
        'E_INPUT',
        'the policy compares with standard input, where the editor writes: set old: to a file, folder or commit',
      );
    }
    const { old: source } = await fromStart(sources, loaded);
    const { collection, ...rest } = await readOldDefinitions(
      source,
      collectCrds(proposed, () => undefined),
      {},
    );
    return { ...rest, source, crds: collection.crds };
  }

  /** By name, from every file of the working directory; what cannot be read defines nothing. */
  definitions(): Promise<DefinitionsOfObjects> {
    return (this.#definitions ??= definitionsHere());
  }
}

async function definitionsHere(): Promise<DefinitionsOfObjects> {
  const documents: Document[] = [];
  try {
    for await (const { file, refusal } of walkFolder('.', { wants: isManifest })) {
      if (refusal === undefined) append(documents, await definingDocuments(file));
    }
  } catch (error) {
    // A folder that may not be read: what was found before it counts.
    if (!(error instanceof InvalidInputError)) throw error;
  }
  return collectCrds(documents, () => undefined);
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

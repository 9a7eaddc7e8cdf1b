/** The context by which a repository's texts are judged: its policy, the old definitions, and those of its objects. */
import { isAbsolute, relative } from 'node:path';
import { collectCrds, type Collection } from '../../upgrade/index.js';
import { mentionsSource, minorsByDefault, type TargetMinors } from '../../kubernetes/index.js';
import { walkFolder } from '../../text/documents/folder-walk.js';
import {
  InvalidInputError,
  parseDocuments,
  type Document,
  invalidInput,
} from '../../text/documents/index.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import { manifestName } from '../../text/documents/sources.js';
import { append } from '../../text/long-lists.js';
import { comparedSources, fromStart } from '../check/compared-sources.js';
import type { Policy } from '../../policy/index.js';
import type {
  DefinitionsBefore,
  DefinitionsOfObjects,
  EditedText,
  Surroundings,
} from '../../checks/index.js';
import type { CheckResult } from '../../report/index.js';
import { readOldDefinitions } from '../options/crd-source.js';
import { minorsFor } from '../options/kubernetes-option.js';
import { openPolicy, type LoadedPolicy } from '../options/policy-option.js';

interface OpenDefinitions extends DefinitionsBefore {
  readonly close: () => void;
}

export class Workspace implements Surroundings {
  #loaded: Promise<LoadedPolicy> | undefined;
  /** By file, with the names of the definitions that it proposed. */
  readonly #before = new Map<string, { names: string; old: Promise<OpenDefinitions> }>();
  #definitions: Promise<DefinitionsOfObjects> | undefined;

  /** Reads everything again when it is asked for next. Not to be called while a text is judged. */
  forget(): void {
    this.#loaded = undefined;
    this.#definitions = undefined;
    for (const { old } of this.#before.values()) close(old);
    this.#before.clear();
  }

  async policy(): Promise<Policy> {
    return (await this.#openPolicy()).policy;
  }

  async minors(): Promise<TargetMinors> {
    const { kubernetes } = await this.policy();
    return (await minorsFor(kubernetes, {})) ?? minorsByDefault();
  }

  /** Finds them as `check crd FILE` does. */
  before(file: string, documents: readonly Document[]): Promise<DefinitionsBefore> {
    const proposed = collectCrds(documents, () => undefined);
    // Where a file is not in the commit, it is looked for by the names of its definitions.
    const names = [...proposed.crds.keys()].join(' ');
    const known = this.#before.get(file);
    if (known?.names === names) return known.old;
    if (known !== undefined) close(known.old);
    const old = this.#readBefore(file, proposed);
    this.#before.set(file, { names, old });
    return old;
  }

  #openPolicy(): Promise<LoadedPolicy> {
    return (this.#loaded ??= openPolicy(undefined));
  }

  async #readBefore(file: string, proposed: Collection): Promise<OpenDefinitions> {
    const loaded = await this.#openPolicy();
    const [sources] = comparedSources([file], loaded);
    if (sources === undefined) throw new Error('one source is compared with one');
    if (sources.old === '-') {
      throw invalidInput(
        'the policy compares with standard input, where the editor writes: set old: to a file, folder or commit',
      );
    }
    const { old: source } = await fromStart(sources, loaded);
    const { collection, ...rest } = await readOldDefinitions(source, proposed, {});
    return { ...rest, source, named: sources.old, crds: collection.crds };
  }

  async wholes(text: EditedText): Promise<readonly CheckResult[]> {
    const { judgeWholes } = await import('./wholes.js');
    return judgeWholes(text, await this.policy(), await this.minors());
  }

  /** By name, from every file of the working directory; what cannot be read defines nothing. */
  definitions(): Promise<DefinitionsOfObjects> {
    return (this.#definitions ??= definitionsHere());
  }
}

function close(old: Promise<OpenDefinitions>): void {
  old.then((open) => open.close()).catch(() => undefined);
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
    const mayDefine = bytes.includes('CustomResourceDefinition') || mentionsSource(bytes);
    return mayDefine ? parseDocuments(bytes, { file }) : [];
  } catch (error) {
    if (error instanceof InvalidInputError) return [];
    throw error;
  }
}

export function shownPath(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith('..') || isAbsolute(here) ? path : here;
}

/** ConfigMaps that are written in a repository, for the variables that Flux takes from them. */
import { posix } from 'node:path';
import {
  ifRefused,
  InvalidInputError,
  isObject,
  metaOf,
  objectsOf,
  own,
  parseDocuments,
  type Document,
} from '../../text/documents/index.js';
import { textAt, textMapAt } from '../../text/documents/fields.js';
import { largest } from '../../text/long-lists.js';
import { manifestName } from '../../text/documents/sources.js';
import type { Repository } from './repository.js';

/** ConfigMaps and entries of them that are compared, for all references together. */
const maxCompared = 2_000_000;

interface ConfigMap {
  /** The folders around its file, from the top of the repository. */
  readonly folders: readonly string[];
  readonly namespace: string;
  readonly data: ReadonlyMap<string, string>;
}

export interface ConfigMapReference {
  readonly name: string;
  readonly namespace: string;
  /** The file of the object that refers to it, from the top of the repository. */
  readonly from: string;
}

export interface ConfigMapData {
  readonly data: ReadonlyMap<string, string>;
  /** Whether there may be more in it: no file has it, several have it with other values, or too many. */
  readonly isPartial: boolean;
}

const nothingKnown: ConfigMapData = { data: new Map(), isPartial: true };

export class ConfigMaps {
  #left = maxCompared;
  #byName: Promise<ReadonlyMap<string, readonly ConfigMap[]>> | undefined;

  constructor(private readonly repository: Repository) {}

  /** Of several, as one for each cluster, that in the nearest folder; what those as near agree on. */
  async dataOf({ name, namespace, from }: ConfigMapReference): Promise<ConfigMapData> {
    const all = (await (this.#byName ??= this.#read())).get(name) ?? [];
    this.#left -= all.length;
    if (this.#left < 0) return nothingKnown;
    const named = all.filter(
      (each) => each.namespace === namespace || each.namespace === '' || namespace === '',
    );
    const around = foldersOf(from);
    const near = named.map(({ folders }) => sharedAtTop(folders, around));
    const most = largest(near);
    const nearest = named.filter((_, index) => near[index] === most);
    const [first, ...others] = nearest;
    this.#left -= nearest.length * (first?.data.size ?? 0);
    if (first === undefined || this.#left < 0) return nothingKnown;
    const isAgreed = ([key, value]: readonly [string, string]): boolean =>
      others.every(({ data }) => data.get(key) === value);
    const data = new Map([...first.data].filter(isAgreed));
    return { data, isPartial: nearest.some((each) => each.data.size !== data.size) };
  }

  async #read(): Promise<ReadonlyMap<string, readonly ConfigMap[]>> {
    const found = new Map<string, ConfigMap[]>();
    for (const path of await this.#manifests()) {
      if ((await this.repository.kindOf(path)) !== 'file') continue;
      const folders = foldersOf(path);
      for (const { value } of await this.#documents(path)) {
        for (const { value: object } of objectsOf(value)) {
          // Only the cluster can read an object that SOPS has encrypted.
          if (!isObject(object) || own(object, 'sops') !== undefined) continue;
          if (textAt(object, 'kind') !== 'ConfigMap') continue;
          const { name, namespace } = metaOf(object);
          const known = found.get(name) ?? [];
          found.set(name, known);
          known.push({ folders, namespace, data: textMapAt(object, 'data') });
        }
      }
    }
    return found;
  }

  async #manifests(): Promise<readonly string[]> {
    // None of a folder that is in no repository.
    const files = await this.repository.filesIn('').catch(ifRefused(() => []));
    return files.filter((path) => manifestName.test(path));
  }

  async #documents(path: string): Promise<readonly Document[]> {
    try {
      const bytes = await this.repository.read(path);
      return bytes.includes('ConfigMap') ? parseDocuments(bytes) : [];
    } catch (error) {
      // The caller that reads it for its objects reports that.
      if (error instanceof InvalidInputError) return [];
      throw error;
    }
  }
}

function foldersOf(path: string): readonly string[] {
  return posix.dirname(path).split('/');
}

/** How many of the first folders two files have in common. */
function sharedAtTop(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((part, index) => part !== other[index]);
  return differs === -1 ? one.length : differs;
}

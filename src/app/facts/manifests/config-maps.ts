/** ConfigMaps that are written in a repository, for the variables that Flux takes from them. */
import { posix } from 'node:path';
import {
  InvalidInputError,
  isObject,
  metaOf,
  objectsOf,
  own,
  parseDocuments,
  type Document,
} from '../../../text/documents/index.js';
import { textAt, textMapAt } from '../../../text/documents/fields.js';
import { largest } from '../../../text/long-lists.js';
import { manifestName } from '../../../text/documents/sources.js';
import type { Repository } from './repository.js';

interface ConfigMap {
  /** Of its file, from the top of the repository. */
  readonly path: string;
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
  /** Whether there may be more in it: no file has it, or several have it, with other values. */
  readonly isPartial: boolean;
}

export class ConfigMaps {
  #byName: Promise<ReadonlyMap<string, readonly ConfigMap[]>> | undefined;

  constructor(private readonly repository: Repository) {}

  /** Of several, as one for each cluster, that in the nearest folder; what those as near agree on. */
  async dataOf({ name, namespace, from }: ConfigMapReference): Promise<ConfigMapData> {
    const all = (await (this.#byName ??= this.#read())).get(name) ?? [];
    const named = all.filter(
      (each) => each.namespace === namespace || each.namespace === '' || namespace === '',
    );
    const near = named.map(({ path }) => sharedFolders(path, from));
    const most = largest(near);
    const nearest = named.filter((_, index) => near[index] === most);
    const [first, ...others] = nearest;
    if (first === undefined) return { data: new Map(), isPartial: true };
    const isAgreed = ([key, value]: readonly [string, string]): boolean =>
      others.every(({ data }) => data.get(key) === value);
    const data = new Map([...first.data].filter(isAgreed));
    return { data, isPartial: nearest.some((each) => each.data.size !== data.size) };
  }

  async #read(): Promise<ReadonlyMap<string, readonly ConfigMap[]>> {
    const found = new Map<string, ConfigMap[]>();
    for (const path of await this.#manifests()) {
      if ((await this.repository.kindOf(path)) !== 'file') continue;
      for (const { value } of await this.#documents(path)) {
        for (const { value: object } of objectsOf(value)) {
          // What SOPS has encrypted, only the cluster can read.
          if (!isObject(object) || own(object, 'sops') !== undefined) continue;
          if (textAt(object, 'kind') !== 'ConfigMap') continue;
          const { name, namespace } = metaOf(object);
          const known = found.get(name) ?? [];
          found.set(name, known);
          known.push({ path, namespace, data: textMapAt(object, 'data') });
        }
      }
    }
    return found;
  }

  async #manifests(): Promise<readonly string[]> {
    try {
      return (await this.repository.filesIn('')).filter((path) => manifestName.test(path));
    } catch (error) {
      // A folder that is in no repository.
      if (error instanceof InvalidInputError) return [];
      throw error;
    }
  }

  async #documents(path: string): Promise<readonly Document[]> {
    try {
      const bytes = await this.repository.read(path);
      return bytes.includes('ConfigMap') ? parseDocuments(bytes) : [];
    } catch (error) {
      // Whoever reads it for its objects reports that.
      if (error instanceof InvalidInputError) return [];
      throw error;
    }
  }
}

/** How many folders, from the top, two files have in common. */
function sharedFolders(one: string, other: string): number {
  const [left, right] = [one, other].map((path) => posix.dirname(path).split('/'));
  const differs = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return differs === -1 ? (left?.length ?? 0) : differs;
}

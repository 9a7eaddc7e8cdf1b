/** What a kustomization refers to, without rendering it. */
import { posix } from 'node:path';
import {
  InvalidInputError,
  isObject,
  own,
  parseDocuments,
  parseYaml,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { textAt } from '../../../text/documents/fields.js';

/** @param name without its folder */
export function isKustomization(name: string): boolean {
  return name === 'kustomization.yaml' || name === 'kustomization.yml' || name === 'Kustomization';
}

/** Fields that leave the contents of a custom resource as they are. */
const harmlessFields = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'resources',
  'crds',
  'namespace',
  'labels',
  'commonLabels',
  'commonAnnotations',
  'configMapGenerator',
  'secretGenerator',
  'generatorOptions',
]);

/** Whether what it makes can only be known by rendering it: from patches, or from files elsewhere. */
export function isMoreThanList(path: string, bytes: Buffer): boolean {
  try {
    const [document] = parseDocuments(bytes, { file: path });
    const value = document?.value;
    if (value === undefined || !isObject(value)) return false;
    const takesIn = [...textsIn(own(value, 'resources'))];
    return (
      hasChanges(value) ||
      takesIn.some(
        (name) => !isName(name) || posix.join(posix.dirname(path), name).startsWith('..'),
      )
    );
  } catch (error) {
    if (error instanceof InvalidInputError) return true;
    throw error;
  }
}

function hasChanges(value: JsonObject): boolean {
  return Object.keys(value).some((key) => !harmlessFields.has(key));
}

export interface References {
  /** Everything that names something beside the kustomization, from the folder of `path`'s root. */
  readonly all: readonly string[];
  /** Patches, which are no manifests by themselves. */
  readonly patches: readonly string[];
  /** Folders and files whose manifests it takes in. */
  readonly resources: readonly string[];
  /** Everything that it may take in from another folder, whatever its name. */
  readonly taken: readonly string[];
  /** Whether it may change the contents of what it takes in. */
  readonly isChanging: boolean;
  /** Whether it is applied only as a part of others. */
  readonly isComponent: boolean;
  /** The first address of something that is not in the repository. */
  readonly remote?: string | undefined;
}

const none: References = {
  ...{ all: [], patches: [], resources: [], taken: [] },
  ...{ isChanging: false, isComponent: false },
};

const remoteBase = /^(?:[a-z+]+:\/\/|git@|git::|[\w-]+(?:\.[\w-]+)+[/:].*(?:\?ref=|\.git))/i;

/** Whether kustomize fetches what it reads as a file: a generator names one as `key=file`. */
export function isAddress(text: string): boolean {
  return /^(?:[^=\n]*=)?https?:/i.test(text);
}

/** In small letters: fields with texts that name no file. */
const freeFields = new Set([
  ...[
    'metadata',
    'annotations',
    'commonannotations',
    'commonlabels',
    'labels',
    'images',
    'literals',
  ],
  ...['options', 'generatoroptions', 'patch', 'target'],
]);

/** @param path of the kustomization itself; what it names is given from where this begins */
export function referencesOf(path: string, bytes: Buffer): References {
  const folder = posix.dirname(path);
  const fromFolder = (name: string): string => posix.join(folder, name);
  try {
    const [document] = parseDocuments(bytes, { file: path });
    const value = document?.value;
    if (value === undefined || !isObject(value)) return none;
    // kustomize reads the names of fields in any case.
    const texts = (key: string): string[] =>
      Object.entries(value).flatMap(([name, each]) =>
        name.toLowerCase() === key.toLowerCase() ? [...textsIn(each)] : [],
      );
    const patches = ['patches', 'patchesStrategicMerge', 'patchesJson6902'].flatMap(texts);
    const resources = ['resources', 'bases', 'components', 'crds'].flatMap(texts);
    const inlineOrNamed = ['generators', 'transformers', 'validators'].flatMap(texts);
    return {
      all: [...textsIn(value)].filter(isName).map(fromFolder),
      patches: patches.filter(isName).map(fromFolder),
      resources: resources.filter(isName).map(fromFolder),
      taken: [...resources, ...inlineOrNamed.filter((text) => !isInline(text))].map(fromFolder),
      isChanging: hasChanges(value),
      isComponent: textAt(value, 'kind') === 'Component',
      remote:
        [...resources, ...patches].find((text) => remoteBase.test(text)) ??
        [...textsIn(value, freeFields)].find(isAddress) ??
        inlineOrNamed.map(addressInConfiguration).find((text) => text !== undefined),
    };
  } catch (error) {
    // What is no YAML refers to nothing; whoever renders it says why.
    if (error instanceof InvalidInputError) return none;
    throw error;
  }
}

/**
 * The first address that a generator or transformer of kustomize itself would fetch, of those that a text
 * configures. kustomize runs no other ones without a flag.
 */
export function addressInConfiguration(text: string | Buffer): string | undefined {
  try {
    const configured = parseDocuments(text).filter(
      ({ value }) => isObject(value) && own(value, 'apiVersion') === 'builtin',
    );
    return configured.flatMap(({ value }) => [...textsIn(value, freeFields)]).find(isAddress);
  } catch (error) {
    // kustomize reads no more of it.
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/** Not a patch that is written out in place, and nothing remote. */
function isName(text: string): boolean {
  return text !== '' && text.length < 1024 && !/[\n{}]|:\/\/|^[/~]|\0/.test(text);
}

/** Written out in place. */
function isInline(text: string): boolean {
  try {
    return isObject(parseYaml(text));
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}

const nothing: ReadonlySet<string> = new Set();

function* textsIn(value: JsonValue | undefined, without = nothing): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, without);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (!without.has(key.toLowerCase())) yield* textsIn(item, without);
    }
  }
}

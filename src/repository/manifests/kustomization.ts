/** References of a kustomization, without rendering it. */
import { posix } from 'node:path';
import {
  InvalidInputError,
  orRefusal,
  isObject,
  own,
  parseDocuments,
  type Document,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';

/** @param name without its folder */
export function isKustomization(name: string): boolean {
  return name === 'kustomization.yaml' || name === 'kustomization.yml' || name === 'Kustomization';
}

/** Fields that leave the contents of a custom resource as they are. */
const harmlessFields = new Set(
  `
    apiVersion kind metadata resources crds namespace labels commonLabels commonAnnotations
    configMapGenerator secretGenerator generatorOptions`
    .trim()
    .split(/\s+/),
);

/** Whether what it makes can only be known by rendering it: from patches, or from files elsewhere. */
export function isMoreThanList(path: string, bytes: Buffer): boolean {
  const isElsewhere = (name: string): boolean =>
    isRemote(name) || posix.join(posix.dirname(path), name).startsWith('..');
  return orRefusal(
    () => {
      const value = parseDocuments(bytes, { file: path })[0]?.value;
      if (!isObject(value)) return false;
      return hasChanges(value) || textsOf(own(value, 'resources') ?? []).some(isElsewhere);
    },
    () => true,
  );
}

function hasChanges(value: JsonObject): boolean {
  return Object.keys(value).some((key) => !harmlessFields.has(key));
}

export interface Load {
  /** As it is written: a path from the folder of the kustomization, or an address. */
  readonly name: string;
  /**
   * Of what: a file or a folder of resources, a patch, a file or a folder that configures generators and
   * transformers, or any other file.
   */
  readonly role: 'resource' | 'patch' | 'configuration' | 'file';
}

/**
 * @throws InvalidInputError for unknown generators. Source: kustomize api/types `Kustomization`, api/internal/target.
 */
export function loadsOf(kustomization: JsonObject): Load[] {
  return fieldsOf(kustomization).flatMap(([key, value]): Load[] => {
    if (resourceFields.has(key)) return named(value, 'resource');
    if (key === 'configurations') return named(value, 'file');
    if (key === 'openapi') return named(pathsIn([value]), 'file');
    if (key === 'replacements') return named(pathsIn(value), 'file');
    // kustomize still takes texts among `patches` for merged ones, as once they were.
    if (patchFields.has(key)) return [...named(pathsIn(value), 'patch'), ...patchesNamed(value)];
    if (key === 'configmapgenerator' || key === 'secretgenerator') {
      return listed(value).flatMap((each) => named(filesOfGenerator(each), 'file'));
    }
    if (key !== 'generators' && key !== 'transformers' && key !== 'validators') return [];
    return textsOf(value).flatMap((text) => {
      const inline = inlineObjects(text);
      return inline === undefined
        ? [{ name: text, role: 'configuration' as const }]
        : loadsOfConfiguration(text);
    });
  });
}

/** @throws InvalidInputError for one not known here: it may read anything. Source: kustomize api/builtins. */
export function loadsOfConfiguration(text: string | Buffer): Load[] {
  // Of a key that is there twice, kustomize reads the first one for some purposes and the last for others.
  parseDocuments(text, { dialect: 'core' });
  return parseDocuments(text).flatMap(({ value }) => loadsOfObject(value));
}

function loadsOfObject(configuration: JsonValue): Load[] {
  if (Array.isArray(configuration)) return configuration.flatMap(loadsOfObject);
  if (!isObject(configuration)) return [];
  const fields = fieldsOf(configuration);
  const fieldOf = (name: string): JsonValue[] =>
    fields.flatMap(([key, value]) => (key === name ? [value] : []));
  const kind = textAt(configuration, 'kind') ?? '';
  // kustomize takes objects out of lists, whatever these are called.
  if (kind.endsWith('List')) return fieldOf('items').flatMap(loadsOfObject);
  if (kind === 'HelmChartInflationGenerator') {
    const message = 'inflates a chart, which kustomize does with --enable-helm only';
    throw new InvalidInputError('E_INPUT', message);
  }
  if (own(configuration, 'apiVersion') !== 'builtin' || !builtins.has(kind)) {
    const message = `is configured by a ${kind === '' ? 'text without a kind' : kind}, and what that reads is not known`;
    throw new InvalidInputError('E_INPUT', message);
  }
  return [
    ...named(filesOfGenerator(configuration), 'file'),
    ...named(pathsIn([configuration]), 'patch'),
    ...fieldOf('paths').flatMap(patchesNamed),
    ...fieldOf('replacements').flatMap((each) => named(pathsIn(each), 'file')),
  ];
}

const builtins = new Set([
  ...['ConfigMapGenerator', 'SecretGenerator', 'IAMPolicyGenerator'],
  ...['PatchTransformer', 'PatchJson6902Transformer', 'PatchStrategicMergeTransformer'],
  ...['ReplacementTransformer', 'ValueAddTransformer', 'ImageTagTransformer', 'HashTransformer'],
  ...['PrefixTransformer', 'SuffixTransformer', 'PrefixSuffixTransformer', 'NamespaceTransformer'],
  ...['LabelTransformer', 'AnnotationsTransformer', 'ReplicaCountTransformer'],
  ...['SortOrderTransformer', 'LegacyOrderTransformer'],
]);

/** Whether kustomize fetches it, or might: anything but a plain path. */
export function isRemote(name: string): boolean {
  return /^(?:[^/]*:|git@|github\.com\/)|:\/\/|^[\w-]+(?:\.[\w-]+)+\/.*(?:\?|\.git)/i.test(name);
}

/** kustomize reads the names of fields in any case. */
function fieldsOf(value: JsonObject): [key: string, value: JsonValue][] {
  return Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]);
}

const patchFields = new Set(['patches', 'patchesjson6902', 'patchesstrategicmerge']);
const resourceFields = new Set(['resources', 'bases', 'components', 'crds']);

function listed(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

function textsOf(value: JsonValue): string[] {
  return listed(value).filter((each) => typeof each === 'string');
}

function named(value: JsonValue, role: Load['role']): Load[] {
  return textsOf(value).map((name) => ({ name, role }));
}

function pathsIn(value: JsonValue): string[] {
  return listed(value)
    .filter(isObject)
    .flatMap(fieldsOf)
    .flatMap(([key, each]) => (key === 'path' ? textsOf(each) : []));
}

/** Each is a path, or a patch that is written out in place. */
function patchesNamed(value: JsonValue): Load[] {
  return named(
    textsOf(value).filter((text) => inlineObjects(text) === undefined),
    'patch',
  );
}

/** Of a generator of ConfigMaps or Secrets: `key=file` names a file too. */
function filesOfGenerator(value: JsonValue): string[] {
  if (!isObject(value)) return [];
  return fieldsOf(value).flatMap(([key, each]) => {
    if (key === 'files') return textsOf(each).map((text) => text.replace(/^[^=]*=/, ''));
    return key === 'env' || key === 'envs' ? textsOf(each) : [];
  });
}

/** Objects that are written out in place; undefined for a text that may be a path or an address. */
function inlineObjects(text: string): JsonObject[] | undefined {
  if (/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
  const objects = readable({ bytes: text }).flatMap(({ value }) => value);
  return objects.length > 0 && objects.every(isObject) ? objects : undefined;
}

export interface References {
  /** Patches, which are no manifests by themselves. */
  readonly patches: readonly string[];
  /** Everything that it may take in from another folder. */
  readonly taken: readonly string[];
  readonly isChanging: boolean;
  /** Whether it is applied only as a part of others. */
  readonly isComponent: boolean;
}

const none: References = {
  ...{ patches: [], taken: [] },
  ...{ isChanging: false, isComponent: false },
};

/** @param path of the kustomization itself; what it names is given from where this begins */
export function referencesOf(path: string, bytes: Buffer): References {
  const read = (): References => {
    const value = parseDocuments(bytes, { file: path })[0]?.value;
    if (!isObject(value)) return none;
    const loads = loadsOf(value);
    const namesOf = (...roles: readonly Load['role'][]): string[] =>
      loads
        .filter(({ role, name }) => roles.includes(role) && !isRemote(name))
        .map(({ name }) => posix.join(posix.dirname(path), name));
    return {
      patches: namesOf('patch'),
      taken: namesOf('resource', 'configuration'),
      isChanging: hasChanges(value),
      isComponent: textAt(value, 'kind') === 'Component',
    };
  };
  // A text that is no YAML refers to nothing; its rendering says why.
  return orRefusal(read, () => none);
}

interface Source {
  readonly file?: string;
  readonly bytes: string | Buffer;
}

/** Renderings are judged, and then looked through for objects that apply more. */
const judged = new WeakMap<Source, Document[]>();

/** For the next time that the source is {@link readable}. */
export function keepDocuments(source: Source, documents: Document[]): void {
  judged.set(source, documents);
}

/** None for a file that cannot be read: the caller that reads its objects reports it. */
export function readable(source: Source): Document[] {
  const { file, bytes } = source;
  const known = judged.get(source);
  judged.delete(source);
  return (
    known ??
    orRefusal(
      () => parseDocuments(bytes, { file }),
      () => [],
    )
  );
}

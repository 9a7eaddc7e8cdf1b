/** Source: fluxcd.io/flux/components/{kustomize/kustomizations,helm/helmreleases,source/gitrepositories}; fluxcd/pkg sourceignore. */
import { posix } from 'node:path';
import {
  InvalidInputError,
  metaOf,
  own,
  type Document,
  type JsonObject,
} from '../../text/documents/index.js';
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../../text/documents/fields.js';
import {
  pathFromTop,
  type FolderCollector,
  type Variables,
  type WrittenValue,
} from './applied-folder.js';
import type { ConfigMaps } from './config-maps.js';
import { foldersAround, type Repository } from './repository.js';
import { readIgnoreFiles } from '../../text/documents/ignore-files.js';

/** A GitRepository or an OCIRepository. */
export interface FluxSource {
  readonly url: string;
  /** `spec.ignore` */
  readonly ignore?: string | undefined;
}

/** By their kinds and names. */
type FluxSources = ReadonlyMap<string, FluxSource>;

export function sourcesIn(documents: readonly Document[]): FluxSources {
  const found = new Map<string, FluxSource>();
  for (const { value } of documents) {
    const url = textAt(value, 'spec', 'url');
    const isOne = /^(?:Git|OCI)Repository$/.test(textAt(value, 'kind') ?? '');
    if (isOne && url !== undefined) {
      const name = sourceName(textAt(value, 'kind'), textAt(value, 'metadata', 'name'));
      found.set(name, { url, ignore: textAt(value, 'spec', 'ignore') });
    }
  }
  return found;
}

function sourceName(kind = '', name = ''): string {
  return `${kind} ${name}`;
}

export async function addFluxKustomization(
  object: JsonObject,
  by: string,
  sources: FluxSources,
  found: FolderCollector,
  { document: { file } }: WrittenValue,
): Promise<void> {
  const spec = objectAt(object, 'spec') ?? {};
  const source = objectAt(spec, 'sourceRef');
  const from = file === undefined ? '' : found.repository.pathOf(file);
  const named = pathFromTop('', textAt(spec, 'path') ?? '');
  const isPushed = textAt(source, 'kind') === 'OCIRepository';
  const path = isPushed ? await pushedFolder(named, from, found.repository) : named;
  if (!isFromHere(source, sources, found) || (isPushed && path === undefined)) {
    found.elsewhere.add(by);
    return;
  }
  if (path === undefined) {
    found.unchecked.add(`${by}: its path is not in this repository`);
    return;
  }
  const variables = await variablesOf(object, from, found.configMaps);
  const namespace = textAt(spec, 'targetNamespace');
  const fields = ['namePrefix', 'nameSuffix', 'patches', 'components'];
  const overlay = fields.flatMap((key) => {
    const value = own(spec, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  await found.add({
    ...{ path, by },
    namespace: namespace ?? textAt(object, 'metadata', 'namespace'),
    overlay:
      overlay.length === 0 && namespace === undefined
        ? undefined
        : { ...Object.fromEntries(overlay), ...(namespace !== undefined && { namespace }) },
    release: { name: textAt(object, 'metadata', 'name') ?? '', valueFiles: [], values: [] },
    withoutKustomization: 'generated kustomization',
    ignore: sources.get(sourceName(textAt(source, 'kind'), textAt(source, 'name')))?.ignore,
    // Without a variable Flux leaves all as it is written.
    variables:
      variables.known.size === 0 && variables.unknownFrom.length === 0 ? undefined : variables,
  });
}

/** A pushed folder is what the path is relative to: the first one around the Kustomization's file that has it. */
async function pushedFolder(
  path: string | undefined,
  from: string,
  { kindOf }: Repository,
): Promise<string | undefined> {
  // Every repository has its top.
  if (path === undefined || path === '') return undefined;
  for (const around of foldersAround(from)) {
    const whole = posix.join(around, path);
    if ((await kindOf(whole)) === 'folder') return whole;
  }
  return undefined;
}

/** Later variables win over earlier ones, and those written in place over all. */
async function variablesOf(
  object: JsonObject,
  from: string,
  configMaps: ConfigMaps,
): Promise<Variables> {
  const known = new Map<string, string>();
  const unknownFrom: string[] = [];
  for (const each of objectsAt(object, 'spec', 'postBuild', 'substituteFrom')) {
    const [kind = '', name = ''] = [textAt(each, 'kind'), textAt(each, 'name')];
    const reference = { name, namespace: metaOf(object).namespace, from };
    const read = kind === 'ConfigMap' ? await configMaps.dataOf(reference) : undefined;
    for (const [key, value] of read?.data ?? []) known.set(key, value.replaceAll('\n', ''));
    if (read?.isPartial !== false) unknownFrom.push(`${kind} ${name}`);
  }
  for (const [key, value] of textMapAt(object, 'spec', 'postBuild', 'substitute')) {
    known.set(key, value);
  }
  return { known, unknownFrom };
}

export async function addHelmRelease(
  object: JsonObject,
  by: string,
  sources: FluxSources,
  found: FolderCollector,
  written: WrittenValue,
): Promise<void> {
  const spec = objectAt(object, 'spec') ?? {};
  const chart = objectAt(spec, 'chart', 'spec') ?? {};
  const source = objectAt(chart, 'sourceRef');
  const given = textAt(chart, 'chart');
  if (
    textAt(source, 'kind') !== 'GitRepository' ||
    given === undefined ||
    !isFromHere(source, sources, found)
  ) {
    found.elsewhere.add(by);
    return;
  }
  if (objectsAt(spec, 'valuesFrom').length > 0) {
    found.unchecked.add(`${by}: takes values from the cluster (valuesFrom), which are left out`);
  }
  if (objectsAt(spec, 'postRenderers').length > 0) {
    found.unchecked.add(`${by}: its postRenderers are not applied here`);
  }
  const inRepository = (name: string): string => {
    const path = pathFromTop('', name);
    if (path !== undefined) return path;
    throw new InvalidInputError('E_INPUT', `${name} is not in this repository`);
  };
  try {
    const name = textAt(object, 'metadata', 'name') ?? '';
    const target = textAt(spec, 'targetNamespace');
    const namespace = target ?? textAt(object, 'metadata', 'namespace');
    const release =
      textAt(spec, 'releaseName') ?? (target === undefined ? name : `${target}-${name}`);
    const valueFiles = textsAt(chart, 'valuesFiles').map((file) => ({
      path: inRepository(file),
      isOptional: own(chart, 'ignoreMissingValuesFiles') === true,
    }));
    const isOwnLeftOut = valueFiles.length > 0;
    await found.add({
      ...{ path: inRepository(given), by, namespace, withoutKustomization: 'files', tool: 'helm' },
      release: {
        ...{ name: release, namespace, valueFiles, isOwnLeftOut },
        values: [
          {
            value: objectAt(spec, 'values') ?? {},
            written: { ...written, path: [...written.path, 'spec', 'values'] },
          },
        ],
      },
    });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    found.unchecked.add(`${by}: ${error.message}`);
  }
}

/** One that no file describes is that of the repository in which Flux itself is set up. */
function isFromHere(
  source: JsonObject | undefined,
  sources: FluxSources,
  found: FolderCollector,
): boolean {
  const [kind, name] = [textAt(source, 'kind'), textAt(source, 'name')];
  if (kind !== 'GitRepository' && kind !== 'OCIRepository') return false;
  return found.isHere(sources.get(sourceName(kind, name))?.url);
}

const ignoreFile = '.sourceignore';

/**
 * Files that source-controller leaves out: by `.sourceignore` in any folder and by `spec.ignore`, which wins. Its
 * default exclusions are no manifests.
 *
 * @param paths of files, from the top of the repository
 */
export async function ignoredFiles(
  paths: readonly string[],
  specIgnore: string | undefined,
  repository: Repository,
): Promise<ReadonlySet<string>> {
  const folders = new Set(paths.flatMap(foldersAround));
  const files: { path: string; content: string }[] = [];
  // Files of inner folders win over those around them.
  for (const folder of [...folders].sort()) {
    const path = posix.join(folder, ignoreFile);
    if ((await repository.kindOf(path)) !== 'file') continue;
    files.push({ path, content: (await repository.read(path)).toString('utf8') });
  }
  if (specIgnore !== undefined) files.push({ path: ignoreFile, content: specIgnore });
  const isIgnored = readIgnoreFiles(files);
  return new Set(paths.filter(isIgnored));
}

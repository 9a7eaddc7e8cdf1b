/**
 * Flux's Kustomizations and HelmReleases.
 *
 * Source: fluxcd.io/flux/components/kustomize/kustomizations and /helm/helmreleases.
 */
import {
  InvalidInputError,
  metaOf,
  own,
  type Document,
  type JsonObject,
} from '../../../text/documents/index.js';
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../../../text/documents/fields.js';
import {
  pathFromTop,
  type FolderCollector,
  type Variables,
  type WrittenValue,
} from './applied-folder.js';
import type { ConfigMaps } from './config-maps.js';

export interface GitRepository {
  readonly url: string;
  /** `spec.ignore` */
  readonly ignore?: string | undefined;
}

/** By their names. */
type GitRepositories = ReadonlyMap<string, GitRepository>;

export function gitRepositoriesIn(documents: readonly Document[]): GitRepositories {
  const found = new Map<string, GitRepository>();
  for (const { value } of documents) {
    const name = textAt(value, 'metadata', 'name');
    const url = textAt(value, 'spec', 'url');
    const isOne = textAt(value, 'kind') === 'GitRepository';
    if (isOne && name !== undefined && url !== undefined) {
      found.set(name, { url, ignore: textAt(value, 'spec', 'ignore') });
    }
  }
  return found;
}

export async function addFluxKustomization(
  object: JsonObject,
  by: string,
  repositories: GitRepositories,
  found: FolderCollector,
  { document: { file } }: WrittenValue,
): Promise<void> {
  const spec = objectAt(object, 'spec') ?? {};
  const source = objectAt(spec, 'sourceRef');
  if (!isFromHere(source, repositories, found)) {
    found.elsewhere.add(by);
    return;
  }
  const path = pathFromTop('', textAt(spec, 'path') ?? '');
  if (path === undefined) {
    found.unchecked.add(`${by}: its path is not in this repository`);
    return;
  }
  const from = file === undefined ? '' : found.repository.pathOf(file);
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
    ignore: repositories.get(textAt(source, 'name') ?? '')?.ignore,
    // Without a variable Flux leaves all as it is written.
    variables:
      variables.known.size === 0 && variables.unknownFrom.length === 0 ? undefined : variables,
  });
}

/**
 * Those of ConfigMaps in the repository, later ones over earlier ones, and those that are written in place.
 *
 * @param from the file of the Kustomization
 */
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
  repositories: GitRepositories,
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
    !isFromHere(source, repositories, found)
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
  repositories: GitRepositories,
  found: FolderCollector,
): boolean {
  if (textAt(source, 'kind') !== 'GitRepository') return false;
  return found.isHere(repositories.get(textAt(source, 'name') ?? '')?.url);
}

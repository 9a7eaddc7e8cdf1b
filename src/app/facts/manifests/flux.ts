/**
 * Flux's Kustomizations and HelmReleases.
 *
 * Source: fluxcd.io/flux/components/kustomize/kustomizations and /helm/helmreleases.
 */
import {
  InvalidInputError,
  own,
  type Document,
  type JsonObject,
} from '../../../text/documents/index.js';
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../../../text/documents/fields.js';
import { pathFromTop, type FolderCollector, type WrittenValue } from './applied-folder.js';

/** The addresses of GitRepository objects by their names. */
export type GitRepositories = ReadonlyMap<string, string>;

export function gitRepositoriesIn(documents: readonly Document[]): GitRepositories {
  const found = new Map<string, string>();
  for (const { value } of documents) {
    const name = textAt(value, 'metadata', 'name');
    const url = textAt(value, 'spec', 'url');
    const isOne = textAt(value, 'kind') === 'GitRepository';
    if (isOne && name !== undefined && url !== undefined) found.set(name, url);
  }
  return found;
}

export async function addFluxKustomization(
  object: JsonObject,
  by: string,
  repositories: GitRepositories,
  found: FolderCollector,
): Promise<void> {
  const spec = objectAt(object, 'spec') ?? {};
  if (!isFromHere(objectAt(spec, 'sourceRef'), repositories, found)) {
    found.elsewhere.add(by);
    return;
  }
  const path = pathFromTop('', textAt(spec, 'path') ?? '');
  if (path === undefined) {
    found.unchecked.add(`${by}: its path is not in this repository`);
    return;
  }
  const known = textMapAt(spec, 'postBuild', 'substitute');
  const areAllKnown = objectsAt(spec, 'postBuild', 'substituteFrom').length === 0;
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
    // Without a variable Flux leaves all as it is written.
    variables: known.size === 0 && areAllKnown ? undefined : { known, areAllKnown },
  });
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
  return found.isHere(repositories.get(textAt(source, 'name') ?? ''));
}

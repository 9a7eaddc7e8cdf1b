/** The CustomResourceDefinitions of bundles in folders, by the name of their ClusterServiceVersion. */
import { dirname } from 'node:path';
import {
  isObject,
  type JsonObject,
  metaOf,
  own,
  parseDocuments,
} from '../../text/documents/index.js';
import { readSource, type SourceOptions } from '../../text/documents/sources.js';

export interface BundleFolder {
  readonly folder: string;
  readonly crds: readonly JsonObject[];
}

/** Manifests of one folder belong together, as in `bundle/manifests/`. @throws InvalidInputError */
export async function readBundleFolders(
  source: string,
  options: Pick<SourceOptions, 'onSkipped'> = {},
): Promise<ReadonlyMap<string, BundleFolder>> {
  const folders = new Map<string, { names: string[]; crds: JsonObject[] }>();
  for (const { file, bytes } of await readSource(source, options)) {
    const folder = folders.get(dirname(file)) ?? { names: [], crds: [] };
    folders.set(dirname(file), folder);
    for (const { value } of parseDocuments(bytes, { file })) {
      if (!isObject(value)) continue;
      if (own(value, 'kind') === 'CustomResourceDefinition') folder.crds.push(value);
      const name = csvName(value);
      if (name !== undefined) folder.names.push(name);
    }
  }
  const found = new Map<string, BundleFolder>();
  for (const [folder, { names, crds }] of folders) {
    for (const name of names) found.set(name, { folder, crds });
  }
  return found;
}

function csvName(value: JsonObject): string | undefined {
  if (own(value, 'kind') !== 'ClusterServiceVersion') return undefined;
  return metaOf(value).name || undefined;
}

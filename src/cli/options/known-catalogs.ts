/** The catalogs that a command line names with `--catalog`. */
import { basename, resolve } from 'node:path';
import type { Catalog, KnownCatalog, LoadOptions } from '../../olm/index.js';
import { demandCatalog } from './catalog-source.js';
import { readBundleFolders } from '../../repository/index.js';
import { reportSkipped } from './skipped-files.js';

export type { KnownCatalog };

export interface KnownCatalogOptions {
  readonly keep?: LoadOptions['keep'];
  readonly caFile?: string;
}

export const catalogOptionHelp =
  "a catalog: a folder, a file or catalogd's URL, as DIR, NAME=DIR or NAME:PRIORITY=DIR";

export async function readKnownCatalogs(
  values: readonly string[],
  options: KnownCatalogOptions = {},
): Promise<KnownCatalog[]> {
  const found: KnownCatalog[] = [];
  for (const value of values) {
    const { name, priority, source } = readCatalogOption(value);
    found.push({ name, priority, catalog: await readKnownCatalog(source, options) });
  }
  return found;
}

export function readCatalogOption(value: string): {
  readonly name: string;
  readonly priority: number;
  readonly source: string;
} {
  const match = /^([A-Za-z0-9][A-Za-z0-9._-]*)(?::(-?\d+))?=(.+)$/.exec(value);
  const [, name, priority, source] = match ?? [];
  if (name === undefined || source === undefined) {
    return { name: basename(resolve(value)), priority: 0, source: value };
  }
  return { name, priority: Number(priority ?? 0), source };
}

/** @throws InvalidInputError for a catalog that cannot be read or does not load. */
export async function readKnownCatalog(
  source: string,
  { keep = 'graph', caFile }: KnownCatalogOptions = {},
): Promise<Catalog> {
  const options = { caFile };
  return demandCatalog(source, options, keep);
}

export async function readBundles(folder: string | undefined) {
  const found = await readBundlePlaces(folder);
  return found && new Map([...found].map(([name, { crds }]) => [name, crds]));
}

/** The same, with where each bundle's manifests are. */
export async function readBundlePlaces(folder: string | undefined) {
  if (folder === undefined) return undefined;
  return reportSkipped((onSkipped) => readBundleFolders(folder, { onSkipped }));
}

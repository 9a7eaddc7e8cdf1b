/** The catalogs that a command line names with `--catalog`. */
import { basename, resolve } from 'node:path';
import { readCatalogFolder } from '../catalog-sources/folder.js';
import type { Catalog, LoadedCatalog, LoadOptions } from '../catalogs/index.js';

export interface NamedCatalog {
  readonly name: string;
  readonly priority: number;
  readonly catalog: Catalog;
}

export const catalogOptionHelp =
  'a catalog: a folder or a file, e.g. DIR, NAME=DIR or NAME:PRIORITY=DIR';

/** @throws InvalidInputError for a catalog that cannot be read, with its place. */
export async function readKnownCatalogs(
  values: readonly string[],
  options: LoadOptions = { keep: 'graph' },
): Promise<NamedCatalog[]> {
  const found: NamedCatalog[] = [];
  for (const value of values) {
    const { name, priority, source } = readCatalogOption(value);
    found.push({ name, priority, catalog: whole(await readCatalogFolder(source, options)) });
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

/** @throws the error that kept the catalog from loading */
export function whole({ catalog, error }: LoadedCatalog): Catalog {
  if (error !== undefined) throw error;
  return catalog;
}

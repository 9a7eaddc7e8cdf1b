/** Loads catalogs package by package, so that whoever has other work to do can do it in between. */
import type { Catalog as FileBasedCatalog } from '../catalogs/index.js';
import type { Catalog } from './catalog.js';
import { catalogPackages } from './from-catalog.js';
import { loadingCatalog } from './load-catalog.js';
import { Requirements } from './requirement.js';
import type { LoadedCatalogs } from './resolve.js';

/** A file-based catalog and the CatalogSource that serves it. */
export interface ServedCatalog {
  readonly catalog: FileBasedCatalog;
  readonly name: string;
  readonly namespace: string;
  readonly priority: number;
}

/** @param pause called after each package */
export async function loadCatalogsGently(
  served: readonly ServedCatalog[],
  pause: () => Promise<void>,
): Promise<LoadedCatalogs> {
  const requirements = new Requirements('olm');
  const catalogs: Catalog[] = [];
  for (const { catalog, ...source } of served) {
    const steps = loadingCatalog(source, catalogPackages(catalog), requirements);
    let step = steps.next();
    while (step.done !== true) {
      await pause();
      step = steps.next();
    }
    catalogs.push(step.value);
  }
  return { requirements, catalogs };
}

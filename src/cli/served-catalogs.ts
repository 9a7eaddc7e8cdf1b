/** The catalogs that `serve --catalog` names: followed, and given to whoever judges by them. */
import type { KnownCatalogs } from '../admission/subscription-resolution.js';
import { InvalidInputError } from '../documents/index.js';
import type { Logger } from '../log.js';
import type { OlmState } from '../olm-state/olm-state.js';
import type { LoadedCatalogs } from '../resolver/index.js';
import { readCatalogOption } from './known-catalogs.js';

export interface ServedCatalogOptions {
  readonly catalog?: readonly string[];
  readonly catalogCaFile?: string;
  readonly catalogRefresh?: number;
}

/** Milliseconds of work between two chances for reviews. */
const longestTurn = 10;

/**
 * Undefined without `--catalog`: then nothing is judged by catalogs.
 *
 * @throws InvalidInputError for a folder or file that is no catalog.
 */
export async function followServedCatalogs(
  { catalog = [], catalogCaFile, catalogRefresh }: ServedCatalogOptions,
  state: OlmState,
  log: Logger,
  onResolved: KnownCatalogs['onResolved'],
): Promise<{ readonly known: KnownCatalogs; close(): void } | undefined> {
  if (catalog.length === 0) return undefined;
  const [{ FollowedCatalogs }, { loadCatalogsGently }] = await Promise.all([
    import('../catalog-sources/followed-catalogs.js'),
    import('../resolver/index.js'),
  ]);
  const namespace = state.globalCatalogNamespace ?? 'olm';
  let loaded: LoadedCatalogs | undefined;
  const followed = await FollowedCatalogs.start(catalog.map(readCatalogOption), {
    ...(catalogCaFile === undefined ? {} : { caFile: catalogCaFile }),
    ...(catalogRefresh === undefined ? {} : { refreshSeconds: catalogRefresh }),
    onCatalogs: async (catalogs) => {
      const served = catalogs.map(({ name, priority, catalog: contents }) => ({
        catalog: contents,
        name,
        namespace,
        priority,
      }));
      loaded = await loadCatalogsGently(served, turns());
      state.knownCatalogs = catalogs;
      log.info({ catalogs: catalogs.map(summary) }, 'catalogs read');
    },
    onProblem: ({ name, source }, error) => {
      const problem =
        error instanceof InvalidInputError ? { reason: error.describe() } : { err: error };
      log.warn({ catalog: name, source, ...problem }, 'the catalog could not be read');
    },
  });
  const known: KnownCatalogs = {
    loaded: () => loaded,
    globalCatalogNamespace: namespace,
    ...(onResolved === undefined ? {} : { onResolved }),
  };
  return { known, close: () => followed.close() };
}

function summary({
  name,
  catalog,
}: NonNullable<OlmState['knownCatalogs']>[number]): Readonly<Record<string, unknown>> {
  const { packages, channels, bundles } = catalog;
  return {
    name,
    packages: packages.length,
    channels: channels.length,
    bundles: bundles.length,
  };
}

/** Lets the event loop turn when work has gone on for long enough. */
function turns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < longestTurn) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  };
}

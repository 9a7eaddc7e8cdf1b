/** The catalogs that `serve --catalog` names: followed, and given to whoever judges by them. */
import type { KnownCatalogs } from '../admission/subscription-resolution.js';
import { InvalidInputError } from '../documents/index.js';
import type { Logger } from '../log.js';
import type { OlmMetrics } from '../metrics/olm/olm-metrics.js';
import type { OlmState } from '../olm-state/olm-state.js';
import type { LoadedCatalogs } from '../resolver/index.js';
import { readCatalogOption } from './known-catalogs.js';

export interface ServedCatalogOptions {
  readonly catalog?: readonly string[];
  readonly catalogCaFile?: string;
  readonly catalogRefresh?: number;
}

/** What OLM counts of catalogs and resolutions. */
export type CatalogMetrics = Pick<OlmMetrics, 'resolved' | 'catalogSnapshotTaken'>;

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
  metrics: CatalogMetrics | undefined,
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
    onRead: ({ name }) => {
      // A series of a CatalogSource that is not there would never go away.
      const isThere = state.view.catalogsIn(namespace).some((source) => source.name === name);
      if (isThere) metrics?.catalogSnapshotTaken(namespace, name);
    },
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
    ...(metrics === undefined
      ? {}
      : { onResolved: (outcome, seconds) => metrics.resolved(outcome, seconds) }),
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

/** The catalogs that `serve --catalog` names: followed, and given to the rules that judge by them. */
import type { KnownCatalogs, Logger, OlmMetrics } from '../../gate/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { OlmState } from '../../cluster/index.js';
import { readCatalogOption } from '../options/known-catalogs.js';

export interface ServedCatalogOptions {
  readonly catalog?: readonly string[];
  readonly catalogCaFile?: string;
  readonly catalogRefresh?: number;
}

/** OLM's counts of catalogs and resolutions. */
export type CatalogMetrics = Pick<OlmMetrics, 'resolved' | 'catalogSnapshotTaken'>;

/** Undefined without `--catalog`: then nothing is judged by catalogs. @throws InvalidInputError */
export async function followServedCatalogs(
  { catalog = [], catalogCaFile, catalogRefresh }: ServedCatalogOptions,
  state: OlmState,
  log: Logger,
  { metrics, megabytes }: { readonly metrics?: CatalogMetrics; readonly megabytes: number },
): Promise<{ readonly known: KnownCatalogs; close(): Promise<void> } | undefined> {
  if (catalog.length === 0) return undefined;
  const [{ FollowedCatalogs }, { ResolutionThread }] = await Promise.all([
    import('../../repository/catalog-sources/followed-catalogs.js'),
    import('../../gate/server/resolution-thread.js'),
  ]);
  const namespaceNow = (): string => state.globalCatalogNamespace ?? 'olm';
  const thread = new ResolutionThread({ megabytes });
  let names: ReadonlySet<string> | undefined;
  const followed = await FollowedCatalogs.start(catalog.map(readCatalogOption), {
    caFile: catalogCaFile,
    refreshSeconds: catalogRefresh,
    onRead: ({ name }) => {
      // A series of a CatalogSource that is not there would never go away.
      const namespace = namespaceNow();
      const isThere = state.view.catalogsIn(namespace).some((source) => source.name === name);
      if (isThere) metrics?.catalogSnapshotTaken(namespace, name);
    },
    onCatalogs: (catalogs) => {
      const namespace = namespaceNow();
      thread.know(catalogs.map((each) => ({ ...each, namespace })));
      names = new Set(catalogs.map(({ name }) => `${namespace}/${name}`));
      state.knownCatalogs = catalogs;
      log.info({ catalogs: catalogs.map(summary) }, 'catalogs read');
    },
    onDefect: (error) => log.error({ err: error }, 'the catalogs that were read are not in use'),
    onProblem: ({ name, source }, error) => {
      const problem =
        error instanceof InvalidInputError ? { reason: error.describe() } : { err: error };
      log.warn({ catalog: name, source, ...problem }, 'the catalog could not be read');
    },
  });
  const known: KnownCatalogs = {
    names: () => names,
    get globalCatalogNamespace() {
      return namespaceNow();
    },
    resolve: (question, asking) => thread.resolve(question, asking),
    ...(metrics === undefined
      ? {}
      : { onResolved: (outcome, seconds) => metrics.resolved(outcome, seconds) }),
  };
  const close = async (): Promise<void> => {
    followed.close();
    await thread.close();
  };
  return { known, close };
}

function summary({
  name,
  catalog,
}: NonNullable<OlmState['knownCatalogs']>[number]): Readonly<Record<string, unknown>> {
  const { packages, channels, bundles } = catalog;
  return { name, packages: packages.length, channels: channels.length, bundles: bundles.length };
}

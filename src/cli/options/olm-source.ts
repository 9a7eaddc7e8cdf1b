/** Where the state of OLM comes from, as `serve`, `check` and `scan` take it. */
import type {
  Connection,
  FolderStateOptions,
  LiveStateOptions,
  OlmState,
} from '../../cluster/index.js';
import { invalidInput } from '../../text/documents/index.js';
import { reportSkipped } from './skipped-files.js';
import { openConnection, type ClusterOptions } from './cluster-option.js';
import { flags, type Flags } from './flags.js';

export interface SourceOptions extends ClusterOptions {
  readonly globalCatalogNamespace?: string;
}

export const sourceFlags: Flags = {
  ...flags.state,
  ...flags.kubeconfig('connect to this cluster'),
  ...flags.inCluster,
  '--global-catalog-namespace <namespace>':
    'whose catalogs every namespace sees (default: openshift-marketplace if it exists, else olm)',
};

export interface SourceEvents {
  /** Follow more than what rules ask for. */
  readonly resources?: LiveStateOptions['resources'];
  readonly onState?: LiveStateOptions['onState'];
  /** Limit for the objects of an API server. */
  readonly maxBytes?: LiveStateOptions['maxBytes'];
  /** Read files again when they change. */
  readonly watch: boolean;
  readonly onProblem?: (error: unknown) => void;
  /** Called with what the folder holds and is not read; without it, standard error says so. */
  readonly onSkipped?: FolderStateOptions['onSkipped'];
}

/** @throws InvalidInputError for a folder: the option needs an API server */
export function connectionOf(
  { connection }: Pick<OlmState, 'connection'>,
  option: string,
): Connection {
  if (connection !== undefined) return connection;
  throw invalidInput(`${option} needs a cluster: give --kubeconfig FILE or --in-cluster`);
}

/** @throws InvalidInputError when the options name no readable cluster, or several */
export async function openState(options: SourceOptions, events: SourceEvents): Promise<OlmState> {
  const { state, globalCatalogNamespace } = options;
  const connection = await openConnection(options);
  const global = { globalCatalogNamespace };
  if (connection === undefined) {
    const { FolderState } = await import('../../cluster/olm-state/folder-state.js');
    if (state === undefined) return FolderState.of([], global);
    const { watch, onProblem } = events;
    const read = (onSkipped: FolderStateOptions['onSkipped']): Promise<OlmState> =>
      FolderState.read(state, { ...global, watch, onProblem, onSkipped });
    return events.onSkipped === undefined ? reportSkipped(read) : read(events.onSkipped);
  }
  const { LiveState } = await import('../../cluster/olm-state/live-state.js');
  const { resources, onState, maxBytes } = events;
  return LiveState.start(connection, { ...global, resources, onState, maxBytes });
}

/** Which cluster a command asks: a folder, a kubeconfig, or the pod's own. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Connection, ClusterView } from '../../cluster/index.js';
import { invalidInput } from '../../text/documents/index.js';
import { terminationSignal } from '../output.js';
import { reportSkipped } from './skipped-files.js';

export interface ClusterOptions {
  readonly state?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly inCluster?: boolean;
}

/** A view, and what ends its connections: a command that is done need not wait for them. */
export interface OpenCluster {
  readonly view: ClusterView;
  readonly close: () => void;
}

/** Undefined when the options name no cluster. Nothing is sent to a live one yet. */
export async function openCluster(options: ClusterOptions): Promise<OpenCluster | undefined> {
  const connection = await openConnection(options);
  if (connection !== undefined) return opened(connection);
  if (options.state === undefined) return undefined;
  const { FolderCluster } = await import('../../cluster/view/folder.js');
  const { state } = options;
  const view = await reportSkipped((onSkipped) => FolderCluster.read(state, { onSkipped }));
  return { view, close: () => undefined };
}

async function opened(connection: Connection): Promise<OpenCluster> {
  const { LiveCluster } = await import('../../cluster/view/live.js');
  return { view: new LiveCluster(connection), close: () => connection.close() };
}

/** Undefined when the options name no API server. Nothing is sent yet. */
export async function openConnection(options: ClusterOptions): Promise<Connection | undefined> {
  const { state, kubeconfig, context, inCluster } = options;
  const given = [state, kubeconfig, inCluster].filter((each) => each !== undefined);
  if (given.length > 1) {
    throw invalidInput('--state, --kubeconfig and --in-cluster each name the cluster; give one');
  }
  if (kubeconfig === undefined && inCluster === undefined) return undefined;
  const { Connection } = await import('../../cluster/view/connection.js');
  return kubeconfig === undefined
    ? Connection.inCluster()
    : Connection.fromKubeconfig(kubeconfig, context);
}

/** The file that kubectl would read: `$KUBECONFIG`, else `~/.kube/config`. */
function defaultKubeconfig(): string {
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return named.find((file) => existsSync(file)) ?? named[0] ?? join(homedir(), '.kube', 'config');
}

/** The options, or with the cluster that kubectl would ask: in a pod without a kubeconfig the pod's own. */
export function withDefaultCluster<T extends ClusterOptions>(
  options: T,
  others = '--kubeconfig FILE or --state FOLDER',
): T {
  if (namesCluster(options)) return options;
  const kubeconfig = defaultKubeconfig();
  if (existsSync(kubeconfig)) return { ...options, kubeconfig };
  const isInPod = process.env['KUBERNETES_SERVICE_HOST'] !== undefined;
  if (isInPod && options.context === undefined) return { ...options, inCluster: true };
  const message = `there is no such file; name the cluster with ${others}`;
  throw invalidInput(message, { file: kubeconfig });
}

export function namesCluster({ state, kubeconfig, inCluster }: ClusterOptions): boolean {
  return state !== undefined || kubeconfig !== undefined || inCluster === true;
}

/** A signal ends the work with this message; the API server is the one named, or kubectl's. */
export async function withConnection(
  options: ClusterOptions,
  stopMessage: string,
  work: (connection: Connection, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const connection = (await openConnection(options)) ?? (await openDefaultConnection(options));
  const stopped = new AbortController();
  void terminationSignal().then(() => {
    stopped.abort(invalidInput(stopMessage));
  });
  try {
    await work(connection, stopped.signal);
  } finally {
    connection.close();
  }
}

/** The API server that kubectl would ask. @throws InvalidInputError where there is no kubeconfig */
export async function openDefaultConnection(
  { context }: ClusterOptions,
  others = '--kubeconfig FILE',
): Promise<Connection> {
  const named = withDefaultCluster<ClusterOptions>({ context }, others);
  const { Connection } = await import('../../cluster/view/connection.js');
  return named.kubeconfig === undefined
    ? Connection.inCluster()
    : Connection.fromKubeconfig(named.kubeconfig, context);
}

/** As {@link openDefaultConnection}, as a view. */
export async function openDefault(options: ClusterOptions): Promise<OpenCluster> {
  return opened(await openDefaultConnection(options, '--kubeconfig FILE or --state FOLDER'));
}

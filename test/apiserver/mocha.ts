/** An API server, and a gate that it asks, for the `describe` these are called in. */
import type { TestCluster, ClusterOptions } from './cluster.js';
import { startCluster } from './cluster.js';
import { registerGate, startGate, type Registration, type TestGate } from './gate.js';

/**
 * Starts a cluster before the suite's tests and stops it after them.
 *
 * @returns a function that gives the cluster, for use inside tests and hooks
 */
export function useCluster(options: ClusterOptions = {}): () => TestCluster {
  return useServer('kube-apiserver', () => startCluster(options));
}

export interface GateOptions extends Registration {
  /** Further arguments of `olm-guard serve`; called when the cluster is there. */
  args?: () => readonly string[];
}

/**
 * Starts `olm-guard serve` before the suite's tests, registers it, and stops it after them. To be
 * called after {@link useCluster}.
 */
export function useGate(
  cluster: () => TestCluster,
  { args, ...registration }: GateOptions,
): () => TestGate {
  return useServer('gate', async () => {
    const gate = await startGate(cluster().folder, args?.());
    try {
      await registerGate(cluster(), gate, registration);
    } catch (error) {
      await gate.stop();
      throw error;
    }
    return gate;
  });
}

function useServer<T extends { stop(): Promise<void> }>(
  title: string,
  start: () => Promise<T>,
): () => T {
  let server: T | undefined;

  before(`start the ${title}`, async () => {
    server = await start();
  });

  after(`stop the ${title}`, async () => {
    await server?.stop();
  });

  return () => {
    if (server === undefined) throw new Error(`the ${title} is there only inside tests and hooks`);
    return server;
  };
}

/** An API server for the `describe` this is called in. */
import { startCluster, type ClusterOptions, type TestCluster } from './cluster.js';

/**
 * Starts a cluster before the suite's tests and stops it after them.
 *
 * @returns a function that gives the cluster, for use inside tests and hooks
 */
export function useCluster(options: ClusterOptions = {}): () => TestCluster {
  let cluster: TestCluster | undefined;

  before('start a kube-apiserver', async function () {
    this.timeout(180_000);
    cluster = await startCluster(options);
  });

  after('stop the kube-apiserver', async () => {
    await cluster?.stop();
  });

  return () => {
    if (cluster === undefined) throw new Error('the cluster is there only inside tests and hooks');
    return cluster;
  };
}

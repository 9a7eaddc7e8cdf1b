/** What a scan repeats of OLM's own reports, from a real API server. */
import { expect } from 'chai';
import { useCluster } from '../apiserver/mocha.js';
import { run } from '../cli/command.js';
import { busyCluster, failedCluster } from './failed-cluster.js';
import { createAll, installOlm } from './olm-definitions.js';
import { expectFailures } from './scanned-failures.js';

describe('scan of a cluster in which everything has failed', () => {
  const cluster = useCluster();

  before(async () => {
    await installOlm(cluster());
    await createAll(cluster(), [
      ...failedCluster.map(({ object }) => object),
      ...busyCluster(new Date()),
    ]);
  });

  it('names each failure, and no more than those; exit code 1', async () => {
    const args = ['scan', `--kubeconfig=${cluster().kubeconfigPath}`, '-o', 'json'];
    const { code, stdout, stderr } = await run(args);
    expect(code, stderr).to.equal(1);
    expectFailures(stdout);
  });
});

/** What a scan repeats of OLM's own reports, from a real API server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { useCluster } from '../apiserver/mocha.js';
import { root, run } from '../cli/command.js';
import { busyCluster, failedCluster, slowRevision } from './failed-cluster.js';
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

  it('names a revision whose deadline has passed by the clock, although OLM has not said so', async () => {
    const clock = pathToFileURL(join(root, 'test', 'apiserver', 'shifted-clock.mjs')).href;
    const ahead = join(cluster().folder, 'ahead');
    writeFileSync(ahead, JSON.stringify({ ahead: 11 * 60_000 }));
    const { code, stdout, stderr } = await run(
      ['scan', `--kubeconfig=${cluster().kubeconfigPath}`],
      { env: { ...process.env, NODE_OPTIONS: `--import ${clock}`, SHIFTED_CLOCK_FILE: ahead } },
    );
    expect(code, stderr).to.equal(1);
    expect(stdout).to.match(
      new RegExp(`ClusterObjectSet ${slowRevision}[^]*?not rolled out, for 11 minutes .*past its`),
    );
  });
});

/** What a scan repeats of OLM's own reports, from a folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { busyCluster, failedCluster } from '../cluster/failed-cluster.js';
import { withApiVersion } from '../cluster/olm-definitions.js';
import { expectFailures } from '../cluster/scanned-failures.js';
import { run } from './command.js';

describe('scan, of what OLM reports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-failed-'));
  after(() => rmSync(folder, { recursive: true }));

  function write(objects: readonly JsonObject[]): void {
    const text = objects.map((each) => JSON.stringify(withApiVersion(each))).join('\n---\n');
    writeFileSync(join(folder, 'state.yaml'), text);
  }

  it('names each failure with its message, since when, whose it is and what to do; exit code 1', async () => {
    write(failedCluster.map(({ object }) => object));
    const { code, stdout, stderr } = await run(['scan', '--state', folder, '-o', 'json']);
    expect(code, stderr).to.equal(1);
    expectFailures(stdout);
  });

  it('is silent about what OLM is still busy with, and what a later plan has mended', async () => {
    write(busyCluster(new Date()));
    const { code, stdout } = await run(['scan', '--state', folder]);
    expect(stdout).to.not.match(/Failing|InstallPlanFailed/);
    expect(code).to.equal(0);
  });
});

/** What catalogs say of the support of versions, in each command that tells of an upgrade. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { queueCatalogText } from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { run } from './command.js';

const phase = (name: string, startDate: string, endDate: string) => ({ name, startDate, endDate });

describe('lifecycle of packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-lifecycle-'));
  const catalog = join(folder, 'catalog.json');
  const lifecycle = {
    schema: 'io.openshift.operators.lifecycles.v1alpha1',
    package: 'queue',
    versions: [
      { name: '1.0', phases: [phase('Full support', '2020-01-01', '2020-12-31')] },
      { name: '1.1', phases: [phase('Full support', '2020-01-01', '2021-12-31')] },
      { name: '1.2', phases: [phase('Full support', '2020-01-01', '2999-12-31')] },
    ],
  };
  before(() => writeFileSync(catalog, `${queueCatalogText}\n${JSON.stringify(lifecycle)}`));
  after(() => rmSync(folder, { recursive: true }));

  it('catalog validate names what is wrong with it', async () => {
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, `${queueCatalogText}\n${JSON.stringify({ ...lifecycle, versions: [] })}`);
    const { stdout } = await run(['catalog', 'validate', wrong]);
    expect(stdout).to.match(
      /warning +CatalogLifecycle[^]*lifecycle of package "queue" has no versions/,
    );
    expect((await run(['catalog', 'validate', catalog])).stdout).to.not.include('CatalogLifecycle');
  });

  it('catalog path tells it of every version on the path', async () => {
    const args = ['catalog', 'path', 'queue', catalog, '--from', '1.0.0', '--classic'];
    const { stdout } = await run(args);
    expect(stdout).to.include(
      [
        'Support, as the catalog says',
        '  queue 1.0 is out of support since 2020-12-31',
        '  queue 1.1 is out of support since 2021-12-31',
        '  queue 1.2 is in Full support until 2999-12-31',
      ].join('\n'),
    );
    const json = await run([...args, '-o', 'json']);
    expect((JSON.parse(json.stdout) as { support: unknown }).support).to.have.lengthOf(3);
  });

  it('plan tells it of what is installed and what it comes to', async () => {
    const args = ['plan', '--package', 'queue', '--catalog', catalog, '--from', '1.0.0'];
    const { stdout, stderr } = await run(args);
    expect(stdout, stderr).to.include('queue 1.0 is out of support since 2020-12-31');
    expect(stdout).to.include('queue 1.2 is in Full support until 2999-12-31');
  });

  it('resolve tells it of what is to be installed', async () => {
    const state = join(folder, 'state.yaml');
    const objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'work' } },
      {
        apiVersion: 'operators.coreos.com/v1',
        kind: 'OperatorGroup',
        metadata: { name: 'g', namespace: 'work' },
        status: { namespaces: ['work'] },
      },
      {
        apiVersion: 'operators.coreos.com/v1alpha1',
        kind: 'CatalogSource',
        metadata: { name: 'community', namespace: 'olm' },
        status: { connectionState: { lastObservedState: 'READY' } },
      },
      {
        apiVersion: 'operators.coreos.com/v1alpha1',
        kind: 'Subscription',
        metadata: { name: 'queue', namespace: 'work' },
        spec: { name: 'queue', channel: 'stable', source: 'community', sourceNamespace: 'olm' },
      },
    ];
    writeFileSync(state, objects.map((each) => JSON.stringify(each)).join('\n---\n'));
    const args = [
      'resolve',
      '--namespace',
      'work',
      '--state',
      state,
      '--catalog',
      `community=${catalog}`,
    ];
    const { stdout, stderr } = await run(args);
    expect(`${stdout}${stderr}`).to.include('queue 1.2 is in Full support until 2999-12-31');
  });
});

/** `serve --events`: denials as Events on a real API server, with the rights of manifests/components/events. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeGroup } from '../../src/olm/rules/objects/testing/harness.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';
import { clientName, writeCertificateFiles } from './api-server-certificate.js';
import {
  breaking,
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  root,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import { createNamespace, installOlm, pathOf, withApiVersion } from './olm-definitions.js';
import { widgets } from './widgets.js';

describe('--events', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-events-'));
  const file = (name: string): string => join(folder, name);
  after(() => rmSync(folder, { recursive: true }));
  before('the certificate of an API server', () => writeCertificateFiles(folder));

  const cluster = useCluster({
    users: [{ name: serviceAccount }],
    apiServerFlags: [`--admission-control-config-file=${file('admission.yaml')}`],
  });
  let gate: TestGate;

  before(async () => {
    await installOlm(cluster());
    await createNamespace(cluster(), 'team');
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      `--client-ca-file=${file('ca.crt')}`,
      `--client-name=${clientName}`,
      '--events',
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
    expect((await create(cluster(), widgets())).code).to.equal(201);
  });
  after(async () => gate?.stop());

  const written = async (outcome: string): Promise<number> =>
    Number(
      new RegExp(`^olm_guard_events_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(
        await gate.metrics(),
      )?.[1] ?? 0,
    );

  it('are dropped and counted while the right is missing, and every denial is answered', async () => {
    for (let again = 0; again < 3; again++) {
      expect((await replace(cluster(), breaking())).code).to.equal(403);
    }
    await until('it to be counted', async () =>
      (await written('dropped')) > 0 ? true : undefined,
    );
    const said = gate.logs().filter(({ msg }) => msg === 'events not written');
    expect(said).to.have.length(1);
    expect(String(said[0]?.['reason'])).to.include('cannot create resource "events"');
  });

  it('are shown by kubectl, of a definition in default and of a group in its namespace', async () => {
    await kubectl(cluster(), 'apply', '-f', 'manifests/components/events/rbac.yaml');
    expect((await replace(cluster(), breaking())).code).to.equal(403);
    const group = withApiVersion(
      makeGroup({ namespace: 'team', spec: { targetNamespaces: ['team', ''] } }),
    );
    const answer = await cluster().request('POST', pathOf(group, 'collection'), group);
    expect(answer.code, answer.text).to.equal(403);
    const events = await until('both to be listed', async () => {
      const listed = await kubectl(cluster(), 'get', 'events', '--all-namespaces');
      return listed.includes('widgets.example.com') && listed.includes('operatorgroup/g')
        ? listed
        : undefined;
    });
    expect(events).to.match(/^default .*Warning +Denied .*NoExistingFieldRemoved/m);
    expect(events).to.match(/^team .*Warning +Denied .*OperatorGroupTargets/m);
    const described = await kubectl(cluster(), 'describe', 'crd', 'widgets.example.com');
    expect(described).to.match(/Events:\n[^]*Denied .*olm-guard refused UPDATE/);
  });

  it('are none of dry runs, and of reviews that no API server sent', async () => {
    const before = await written('written');
    await replace(cluster(), breaking(), { query: '?dryRun=All' });
    const made = reviewText({
      name: 'madeup.example.com',
      oldObject: withSize({ type: 'integer' }),
      object: withSize(undefined),
    });
    const { text } = await send(gate.url, gate.ca, made, {});
    expect(responseIn(text).allowed).to.equal(false);
    const other = widgets('others');
    expect((await create(cluster(), other)).code).to.equal(201);
    expect((await replace(cluster(), breaking('others'))).code).to.equal(403);
    await until('the later denial to be told', async () =>
      (await written('written')) > before ? true : undefined,
    );
    const listed = await kubectl(cluster(), 'get', 'events', '--namespace=default');
    expect(listed).to.include('others.example.com').and.not.include('madeup');
    expect(await written('written')).to.equal(before + 1);
  });

  it('need to know an API server when it asks', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        ...[join(root, 'dist', 'main.js'), 'serve', '--listen=127.0.0.1:0'],
        ...['--metrics-listen=127.0.0.1:0', '--events', '--log-level=silent'],
        `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      ],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(status).to.equal(2);
    expect(stderr).to.include('--events needs --client-ca-file').and.not.include('    at ');
  });
});

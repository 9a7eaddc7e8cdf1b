/** /metrics for those whom the API server lets get it, over HTTPS; the probes stay open. */
import { request as httpsRequest } from 'node:https';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { run } from '../cli/command.js';
import { kubectl } from './installed-gate.js';

describe('--metrics-access=authorized', function () {
  this.timeout(120_000);
  const cluster = useCluster({ users: [{ name: 'prometheus' }, { name: 'stranger' }] });
  let gate: TestGate;

  before(async () => {
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${cluster().kubeconfigPath}`,
      '--metrics-access=authorized',
    ]);
    const file = 'manifests/components/metrics-access/rbac.yaml';
    await kubectl(cluster(), 'apply', '-f', file);
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'prometheus' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'olm-guard-metrics-reader',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'prometheus' }],
    };
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    expect((await cluster().request('POST', path, binding)).code).to.equal(201);
  });

  after(() => gate.stop());

  function get(path: string, token?: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      httpsRequest(gate.metricsUrl + path, { ca: gate.ca, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      })
        .on('error', reject)
        .end();
    });
  }

  it('shows them to who may get /metrics', async () => {
    expect(gate.metricsUrl).to.match(/^https:/);
    const { status, text } = await get('/metrics', cluster().tokenOf('prometheus'));
    expect(status).to.equal(200);
    expect(text).to.include('olm_guard_build_info');
  });

  const refused: [who: string, token: () => string | undefined, status: number][] = [
    ['nobody', () => undefined, 401],
    ['a token that the API server does not know', () => 'made-up', 401],
    ['a user without the right', () => cluster().tokenOf('stranger'), 403],
  ];
  for (const [who, token, status] of refused) {
    it(`does not show them to ${who}`, async () => {
      const answer = await get('/metrics', token());
      expect(answer.status).to.equal(status);
      expect(answer.text).to.not.include('olm_guard');
    });
  }

  it('goes on for who was let in while made-up tokens come, and asks about few of them', async () => {
    const reviews = async (): Promise<number> => {
      const { text } = await cluster().request('GET', '/metrics');
      const lines = text.match(/^apiserver_request_total\{[^}]*resource="tokenreviews".* (\d+)$/gm);
      return (lines ?? []).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await reviews();
    const begun = performance.now();
    const flood = Array.from({ length: 400 }, (_, at) => get('/metrics', `made-up-${at}`));
    const token = cluster().tokenOf('prometheus');
    const scrapes = await Promise.all(Array.from({ length: 10 }, () => get('/metrics', token)));
    expect(scrapes.map(({ status }) => status)).to.deep.equal(scrapes.map(() => 200));
    const refused = await Promise.all(flood);
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([401, 503]));
    const said = refused.filter(({ status }) => status === 401).length;
    // One for each answer, and at most one more for each that nobody waited to hear.
    expect((await reviews()) - before).to.be.at.most(said + 5);
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    expect(said).to.be.at.most(10 * (seconds + 1));
  });

  it('leaves the probes to everybody', async () => {
    for (const path of ['/livez', '/readyz', '/healthz']) {
      expect((await get(path)).status, path).to.equal(200);
    }
  });

  it('shows them to nobody while no API server can be asked', async () => {
    await cluster().kill();
    expect((await get('/metrics', 'another')).status).to.equal(503);
    expect((await get('/livez')).status).to.equal(200);
    await cluster().restart();
    expect((await get('/metrics', cluster().tokenOf('prometheus'))).status).to.equal(200);
  });

  it('needs a cluster', async () => {
    const { code, stderr } = await run([
      'serve',
      '--metrics-access=authorized',
      '--state=examples',
    ]);
    expect(stderr).to.include('--metrics-access=authorized needs a cluster');
    expect(code).to.equal(2);
  });
});

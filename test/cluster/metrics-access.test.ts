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

  /** How many TokenReviews the API server was asked for. */
  async function reviews(): Promise<number> {
    const { text } = await cluster().request('GET', '/metrics');
    const lines = text.match(/^apiserver_request_total\{[^}]*resource="tokenreviews".* (\d+)$/gm);
    return (lines ?? []).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  it('goes on for who was let in while made-up tokens come, and asks about each once', async () => {
    const before = await reviews();
    const flood = Array.from({ length: 400 }, (_, at) => get('/metrics', `made-up-${at % 100}`));
    const token = cluster().tokenOf('prometheus');
    const scrapes = await Promise.all(Array.from({ length: 10 }, () => get('/metrics', token)));
    expect(scrapes.map(({ status }) => status)).to.deep.equal(scrapes.map(() => 200));
    for (const { status } of await Promise.all(flood)) expect(status).to.be.oneOf([401, 503]);
    // And once about one that was good, if that was too long ago.
    expect((await reviews()) - before).to.be.within(1, 101);
  });

  it('asks nothing about a token that has expired', async () => {
    const before = await reviews();
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'RS256' })}.${part({ exp: 1_700_000_000 })}.c2lnbg`;
    expect((await get('/metrics', token)).status).to.equal(401);
    expect(await reviews()).to.equal(before);
  });

  it('serves the probes to everybody', async () => {
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

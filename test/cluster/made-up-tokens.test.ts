/**
 * Made-up tokens at `--metrics-access=authorized`, as fast as they are refused: an administrator's tokens,
 * of which each is new to the gate, are let in, also from the address that the others come from.
 */
import { Agent, request as httpsRequest } from 'node:https';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';

const connections = 100;
const administratorsTokens = 20;

const jsonPart = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens of every kind that is asked about. */
function madeUp(at: number): string {
  const claims = { iss: 'https://kubernetes.default.svc', exp: 4e9, jti: String(at) };
  const jwt = `${jsonPart({ alg: 'RS256', kid: 'any' })}.${jsonPart(claims)}.${'A'.repeat(342)}`;
  return at % 2 === 0 ? `made-up-${at}` : jwt;
}

describe('made-up tokens', function () {
  this.timeout(180_000);
  const cluster = useCluster();
  let gate: TestGate;
  before(async () => {
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${cluster().kubeconfigPath}`,
      '--metrics-access=authorized',
    ]);
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'admin' } };
    expect((await cluster().request('POST', accounts, account)).code).to.equal(201);
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'admin' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'cluster-admin',
      },
      subjects: [{ kind: 'ServiceAccount', name: 'admin', namespace: 'default' }],
    };
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    expect((await cluster().request('POST', bindings, binding)).code).to.equal(201);
  });
  after(() => gate.stop());

  async function freshToken(): Promise<string> {
    const path = '/api/v1/namespaces/default/serviceaccounts/admin/token';
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { body } = await cluster().request('POST', path, request);
    return (body as { status: { token: string } }).status.token;
  }

  function scrape(token: string, agent: Agent | false, localAddress: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const options = { ca: gate.ca, headers, agent, localAddress };
      httpsRequest(`${gate.metricsUrl}/metrics`, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
  }

  for (const address of ['127.0.0.2', '127.0.0.1']) {
    it(`from ${address} let an administrator at 127.0.0.1 in with every new token`, async () => {
      const tokens: string[] = [];
      while (tokens.length < administratorsTokens) tokens.push(await freshToken());
      expect(new Set(tokens)).to.have.lengthOf(administratorsTokens);
      const agent = new Agent({ keepAlive: true });
      const refusals = new Map<number, number>();
      let isOver = false;
      let count = 0;
      const flood = Array.from({ length: connections }, async () => {
        while (!isOver) {
          const status = await scrape(madeUp(count++), agent, address);
          refusals.set(status, (refusals.get(status) ?? 0) + 1);
        }
      });
      const answers: number[] = [];
      try {
        for (const token of tokens) answers.push(await scrape(token, false, '127.0.0.1'));
      } finally {
        isOver = true;
        await Promise.all(flood);
        agent.destroy();
      }
      expect(answers).to.deep.equal(tokens.map(() => 200));
      expect([...refusals.keys()]).to.include(401);
      expect(refusals.get(200)).to.equal(undefined);
      expect(count).to.be.greaterThan(connections);
    });
  }
});

/** Who is taken for an API server: whoever shows the certificate of one, and nobody else. */
import { Agent } from 'node:https';
import { expect } from 'chai';
import { defaultPolicy } from '../../src/policy/policy.js';
import type { Reviewer } from '../../src/gate/admission/reviewer.js';
import type { Caller } from '../../src/gate/admission/disclosure.js';
import type { ClientAuthority } from '../../src/gate/server/certificates/client-authority.js';
import { authority, hour, type Authority, type Pair } from './client-certificates.js';
import { startTestGate, type TestGate } from './gate.js';
import { reviewText } from './reviews.js';
import { until } from './until.js';

describe('who sends a review', () => {
  const heard: Caller[] = [];
  const listening: Reviewer = {
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
    family: 'crd-upgrade-safety',
    groupsOf: () => [],
    assess: (_request, { caller }) => void heard.push(caller),
  };
  let ours: Authority;
  let theirs: Authority;
  const gates: TestGate[] = [];
  let change: ((pem: string) => void) | undefined;

  before(async () => {
    [ours, theirs] = await Promise.all([authority('ours'), authority('theirs')]);
  });
  after(() => Promise.all(gates.map((gate) => gate.close())));

  async function gateWith(
    names?: readonly string[],
    reviewer: Reviewer = listening,
  ): Promise<TestGate> {
    const source: ClientAuthority = {
      current: ours.pem,
      onChange: (use) => {
        change = use;
        return Promise.resolve();
      },
      close: () => undefined,
    };
    const clients = names === undefined ? {} : { clients: { authority: source, names } };
    const gate = await startTestGate({ reviewers: [reviewer], ...clients });
    gates.push(gate);
    return gate;
  }

  async function ask(gate: TestGate, pair?: Pair): Promise<Caller | undefined> {
    heard.length = 0;
    const { status } = await gate.post(reviewText(), { ...pair });
    expect(status).to.equal(200);
    return heard[0];
  }

  it('is unproven when nobody said how an API server shows itself', async () => {
    const gate = await gateWith();
    expect(await ask(gate)).to.equal('unverified');
    expect(await ask(gate, await ours.issue('kube-apiserver'))).to.equal('unverified');
  });

  it('is the API server with a certificate under its authority, and nobody else', async () => {
    const gate = await gateWith([]);
    expect(await ask(gate, await ours.issue('anybody'))).to.equal('api-server');
    expect(await ask(gate)).to.equal('unauthenticated');
    expect(await ask(gate, await theirs.issue('kube-apiserver'))).to.equal('unauthenticated');
    const over = await ours.issue('kube-apiserver', Date.now() - hour);
    expect(await ask(gate, over)).to.equal('unauthenticated');
  });

  it('moves no metric of which an alert is made, unless an API server may have sent it', async () => {
    const gate = await gateWith([]);
    const counted = async (): Promise<string[]> =>
      (await (await fetch(`${gate.metricsUrl}/metrics`)).text())
        .split('\n')
        .filter((line) => /^olm_guard_(?:unauthenticated_)?reviews_total/.test(line));
    await ask(gate);
    expect(await counted()).to.deep.equal([
      'olm_guard_unauthenticated_reviews_total{decision="allowed"} 1',
    ]);
    await ask(gate, await ours.issue('kube-apiserver'));
    expect(await counted()).to.have.length(2);
  });

  it('must have the name, where one is asked for', async () => {
    const gate = await gateWith(['kube-apiserver', 'other-apiserver']);
    expect(await ask(gate, await ours.issue('kube-apiserver'))).to.equal('api-server');
    expect(await ask(gate, await ours.issue('other-apiserver'))).to.equal('api-server');
    for (const name of ['kubelet', 'kube-apiserver2', 'x-kube-apiserver', 'KUBE-APISERVER']) {
      expect(await ask(gate, await ours.issue(name)), name).to.equal('unauthenticated');
    }
    expect(await ask(gate, await theirs.issue('kube-apiserver'))).to.equal('unauthenticated');
  });

  it('is known for every review of a connection that stays open', async () => {
    const gate = await gateWith(['kube-apiserver']);
    const pair = await ours.issue('kube-apiserver');
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: gate.authority, ...pair });
    heard.length = 0;
    for (let time = 0; time < 3; time++) await gate.post(reviewText(), { agent });
    expect(heard).to.deep.equal(['api-server', 'api-server', 'api-server']);
    agent.destroy();
  });

  it('leaves the API server its share, however many unauthenticated clients wait', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const holding: Reviewer = {
      ...listening,
      assess: async (_request, { caller }) => {
        if (caller !== 'unauthenticated') return void heard.push(caller);
        const held = new Promise<void>((resolve) => waiting.push(resolve));
        most = Math.max(most, waiting.length);
        await held;
        return undefined;
      },
    };
    const gate = await gateWith([], holding);
    const pair = await ours.issue('kube-apiserver');
    const others = Array.from({ length: 40 }, () => gate.post(reviewText()));
    await until(() => waiting.length > 0);
    heard.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gate.post(reviewText(), { ...pair })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    expect(heard).to.have.length(10);
    // One lane of many: what is judged at once of theirs is the least that there is.
    const slots = defaultPolicy.budgets.concurrentReviews;
    expect(most).to.be.below(slots / 4);
    const done = Promise.all(others);
    let isDone = false;
    void done.then(() => (isDone = true));
    await until(() => {
      for (const release of waiting.splice(0)) release();
      return isDone;
    });
  });

  it('is nobody who forges the authority, and whoever does disturbs nobody else', async () => {
    const gate = await gateWith([]);
    const pair = await ours.issue('kube-apiserver');
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: gate.authority, ...pair });
    const impostor = await (await authority('ours')).issue('kube-apiserver');
    heard.length = 0;
    for (let time = 0; time < 3; time++) {
      await gate.post(reviewText(), { agent });
      // Node breaks such a connection off after the handshake: OpenSSL's error is still about.
      await gate.post(reviewText(), impostor).catch(() => undefined);
    }
    agent.destroy();
    expect(heard.filter((caller) => caller === 'api-server')).to.have.length(3);
  });

  it('is known by a new authority without a restart', async () => {
    const gate = await gateWith([]);
    expect(await ask(gate, await theirs.issue('new'))).to.equal('unauthenticated');
    change?.(theirs.pem);
    expect(await ask(gate, await theirs.issue('new'))).to.equal('api-server');
    expect(await ask(gate, await ours.issue('old'))).to.equal('unauthenticated');
  });
});

/** Who is taken for an API server: whoever shows the certificate of one, and nobody else. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Agent } from 'node:https';
import * as x509 from '@peculiar/x509';
import { expect } from 'chai';
import type { Caller, Reviewer } from '../../src/doors/admission/reviewer.js';
import type { ClientAuthority } from '../../src/doors/server/certificates/client-authority.js';
import { startTestGate, type TestGate } from './gate.js';
import { reviewText } from './reviews.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hour = 3_600_000;

interface Pair {
  readonly cert: string;
  readonly key: string;
}

interface Authority {
  readonly pem: string;
  readonly issue: (name: string, until?: number) => Promise<Pair>;
}

async function authority(title: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${title}`,
    notBefore: new Date(Date.now() - 24 * hour),
    notAfter: new Date(Date.now() + hour),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const issue = async (name: string, until = Date.now() + hour): Promise<Pair> => {
    const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: own.subject,
      notBefore: new Date(Date.now() - 24 * hour),
      notAfter: new Date(until),
      signingKey: keys.privateKey,
      publicKey: pair.publicKey,
      signingAlgorithm: algorithm,
      extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
    });
    const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
    const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
    return { cert: certificate.toString('pem'), key };
  };
  return { pem: `${own.toString('pem')}\n`, issue };
}

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

  async function gateWith(names?: readonly string[]): Promise<TestGate> {
    const source: ClientAuthority = {
      current: ours.pem,
      onChange: (use) => {
        change = use;
        return Promise.resolve();
      },
      close: () => undefined,
    };
    const clients = names === undefined ? {} : { clients: { authority: source, names } };
    const gate = await startTestGate({ reviewers: [listening], ...clients });
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
    expect(await ask(gate)).to.equal('unproven');
    expect(await ask(gate, await ours.issue('kube-apiserver'))).to.equal('unproven');
  });

  it('is the API server with a certificate under its authority, and nobody else', async () => {
    const gate = await gateWith([]);
    expect(await ask(gate, await ours.issue('anybody'))).to.equal('api-server');
    expect(await ask(gate)).to.equal('stranger');
    expect(await ask(gate, await theirs.issue('kube-apiserver'))).to.equal('stranger');
    const over = await ours.issue('kube-apiserver', Date.now() - hour);
    expect(await ask(gate, over)).to.equal('stranger');
  });

  it('must have the name, where one is asked for', async () => {
    const gate = await gateWith(['kube-apiserver', 'other-apiserver']);
    expect(await ask(gate, await ours.issue('kube-apiserver'))).to.equal('api-server');
    expect(await ask(gate, await ours.issue('other-apiserver'))).to.equal('api-server');
    for (const name of ['kubelet', 'kube-apiserver2', 'x-kube-apiserver', 'KUBE-APISERVER']) {
      expect(await ask(gate, await ours.issue(name)), name).to.equal('stranger');
    }
    expect(await ask(gate, await theirs.issue('kube-apiserver'))).to.equal('stranger');
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
    expect(await ask(gate, await theirs.issue('new'))).to.equal('stranger');
    change?.(theirs.pem);
    expect(await ask(gate, await theirs.issue('new'))).to.equal('api-server');
    expect(await ask(gate, await ours.issue('old'))).to.equal('stranger');
  });
});

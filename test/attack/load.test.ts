/** What one caller sends is not another's outage: connections that say nothing, bursts, and the largest bodies. */
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { connect as tcpConnect } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { type GateProcess, shippedNode, startGateProcess } from '../../bench/gate-process.js';
import { maxConnections } from '../../src/gate/server/memory.js';
import { send } from '../server/gate.js';
import { definition, responseIn, reviewText, withSize } from '../server/reviews.js';
import { until } from '../server/until.js';

/** As the manifests start it. */
const removal = reviewText({
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});

/** A review of something of OLM's. */
function olmReview(resource: string, kind: string, spec: string, namespace = 'ns'): string {
  const group = 'operators.coreos.com';
  const version = 'v1alpha1';
  const metadata = { name: 'n', namespace };
  const object = { apiVersion: `${group}/${version}`, kind, metadata, spec: 'SPEC' };
  return reviewText({
    kind: { group, version, kind },
    resource: { group, version, resource },
    ...{ name: 'n', namespace, oldObject: null, operation: 'CREATE', object },
  }).replace('"SPEC"', () => spec);
}

describe('a gate that is sent too much', () => {
  let gate: GateProcess;
  beforeEach(async () => {
    gate = await startGateProcess([], { node: shippedNode });
  });
  afterEach(() => gate.stop());

  const post = (body: string) =>
    send(gate.url, gate.authority, body, { path: '/validate?timeout=30s' });
  const isDenied = async (body: string): Promise<boolean> =>
    !responseIn((await post(body)).text).allowed;

  /** Announces so many bytes on each of so many connections, and sends one. */
  function announce(count: number, bytes: number): ClientRequest[] {
    return Array.from({ length: count }, () => {
      const sending = request(`${gate.url}/validate?timeout=30s`, {
        method: 'POST',
        ca: gate.authority,
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': bytes },
      });
      sending.on('error', () => undefined);
      sending.write('{');
      return sending;
    });
  }

  it('judges others while bodies are announced and do not come, and closes those', async () => {
    const stalled = [...announce(4, 7 * 1024 * 1024), ...announce(64, 100)];
    const closed = Promise.all(stalled.map((each) => once(each, 'close')));
    for (let count = 0; count < 10; count++) expect(await isDenied(removal)).to.equal(true);
    await closed;
    expect(await isDenied(removal)).to.equal(true);
  });

  it('judges others while many connections say nothing', async () => {
    const { hostname, port } = new URL(gate.url);
    const idle: TLSSocket[] = [];
    for (let count = 0; count < 300; count++) {
      const socket = connect({ host: hostname, port: Number(port), ca: gate.authority });
      socket.on('error', () => undefined);
      idle.push(socket);
    }
    await Promise.all(idle.map((socket) => once(socket, 'secureConnect')));
    for (let count = 0; count < 10; count++) expect(await isDenied(removal)).to.equal(true);
    for (const socket of idle) socket.destroy();
  });

  it('keeps no more connections than it has memory for, and judges others meanwhile', async function () {
    this.timeout(300_000);
    const { hostname, port } = new URL(gate.url);
    const silent = Array.from({ length: maxConnections + 300 }, () => {
      const socket = tcpConnect(Number(port), hostname);
      return socket.on('error', () => undefined).resume();
    });
    await until(() => silent.filter(({ closed }) => closed).length >= 300);
    for (let count = 0; count < 10; count++) expect(await isDenied(removal)).to.equal(true);
    for (const socket of silent) socket.destroy();
  });

  it('lets no breaking update pass in a burst of other reviews', async () => {
    const description = 'x'.repeat(100_000);
    const version = JSON.stringify({ version: '1.0.0', description });
    const others = Array.from({ length: 100 }, (_, index) =>
      post(olmReview('clusterserviceversions', 'ClusterServiceVersion', version, `ns${index}`)),
    );
    const breaking = await Promise.all(
      Array.from({ length: 45 }, (_, index) =>
        isDenied(removal.replaceAll('widgets.example.com', `widgets.example${index}.com`)),
      ),
    );
    expect(breaking.filter((denied) => denied)).to.have.lengthOf(45);
    for (const { status } of await Promise.all(others)) expect(status).to.equal(200);
  });

  /** So large that the gate just reads it, were it one of what it reviews. */
  const room = 7 * 1024 * 1024 - 4096;
  const fill = (piece: string, open = '[', close = ']'): string =>
    open + piece.repeat(Math.floor(room / piece.length) - 1) + piece.slice(0, -1) + close;
  const keys = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`;
  const contents: [what: string, json: string][] = [
    ['1.0,', fill('1.0,')],
    ['-0,', fill('-0,')],
    ['[],', fill('[],')],
    ['{},', fill('{},')],
    ['lists in lists', '['.repeat(3_000_000) + ']'.repeat(3_000_000)],
    ['lists that nest as deep as may be', fill(`${'['.repeat(9000)}${']'.repeat(9000)},`)],
    ['as many values as may be', `[${'0,'.repeat(499_000)}0]`],
    ['as many numbers that keep their text as may be', `[${'1.0,'.repeat(110_000)}0]`],
    ['keys', keys(600_000)],
    ['one long text', `"${'x'.repeat(room)}"`],
    ['escaped text', `"${'\\u0000'.repeat(room / 6)}"`],
  ];

  it('holds no more memory than it has, whatever the largest bodies hold, and goes on', async function () {
    this.timeout(900_000);
    const crd = (json: string): string =>
      reviewText({ object: definition({ versions: 'HOLE' }) }).replace('"HOLE"', () => json);
    const kinds: ((json: string) => string)[] = [
      crd,
      (json) => olmReview('clusterserviceversions', 'ClusterServiceVersion', json),
      (json) => olmReview('operatorgroups', 'OperatorGroup', `{"targetNamespaces":${json}}`),
      (json) => olmReview('subscriptions', 'Subscription', `{"config":{"env":${json}}}`),
      (json) => json,
    ];
    for (const [what, json] of contents) {
      const answers = await Promise.all(kinds.map((of) => post(of(json))));
      for (const { status, text } of answers) {
        expect(status, `${what}: ${text.slice(0, 300)}`).to.be.oneOf([200, 400, 413]);
      }
      // As a definition none of this can be right.
      expect(responseIn(answers[0]?.text ?? '').allowed, what).to.equal(false);
      expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
      expect(await isDenied(removal), what).to.equal(true);
    }
    expect(gate.peakBytes() ?? 0).to.be.at.most(768 * 1024 * 1024);
  });
});

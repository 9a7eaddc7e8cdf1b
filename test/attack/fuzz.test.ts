/**
 * The gate's process, sent reviews and connections that are a little broken, always the same ones:
 * OLM_GUARD_FUZZ_BODIES says how many reviews, OLM_GUARD_BROKEN_CONNECTIONS how many connections
 * that are cut.
 */
import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { type GateProcess, shippedNode, startGateProcess } from '../../bench/gate-process.js';
import { isObject, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { send } from '../server/gate.js';
import { definition, responseIn, reviewText, withSize } from '../server/reviews.js';

const shippedPolicy = join(import.meta.dirname, '..', '..', 'manifests', 'base', 'policy.yaml');
const bodies = Number(process.env['OLM_GUARD_FUZZ_BODIES'] ?? 5000);
const connections = Number(process.env['OLM_GUARD_BROKEN_CONNECTIONS'] ?? 1000);
const clients = 8;
/** What the process may hold however many were sent. */
const peakBytes = 450e6;

/** The same numbers from 0 to 1 in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomNumbers(20_261_122);
const below = (end: number): number => Math.floor(random() * end);
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

function olmReview(
  resource: string,
  kind: string,
  object: JsonObject,
  group = 'operators.coreos.com',
): string {
  const version = 'v1';
  const whole = { apiVersion: `${group}/v1`, kind, metadata: { name: 'n', namespace: 'ns' } };
  return reviewText({
    kind: { group, version, kind },
    resource: { group, version, resource },
    ...{ name: 'n', namespace: 'ns' },
    oldObject: { ...whole, ...object },
    object: { ...whole, ...object },
  });
}

const steps = [{ resolving: 'a.v1', status: 'Unknown', resource: { kind: 'X', manifest: '{}' } }];
const seeds = [
  reviewText({ oldObject: withSize({ type: 'integer' }), object: withSize(undefined) }),
  reviewText({ object: definition({}), operation: 'CREATE', oldObject: null }),
  olmReview('operatorgroups', 'OperatorGroup', { spec: { targetNamespaces: ['a', 'b'] } }),
  olmReview('subscriptions', 'Subscription', {
    spec: { name: 'a', channel: 'stable', source: 'c' },
  }),
  olmReview('installplans', 'InstallPlan', { spec: { approved: true }, status: { plan: steps } }),
  olmReview('clusterserviceversions', 'ClusterServiceVersion', {
    spec: { version: '1.0.0', installModes: [{ type: 'OwnNamespace', supported: true }] },
    status: { phase: 'Succeeded' },
  }),
  olmReview(
    'clusterextensions',
    'ClusterExtension',
    {
      spec: {
        namespace: 'ns',
        source: { sourceType: 'Catalog', catalog: { packageName: 'a', version: '>=1.0.0' } },
        install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } },
      },
    },
    'olm.operatorframework.io',
  ),
  reviewText({ operation: 'DELETE', object: null }),
].map((text) => JSON.parse(text) as JsonObject);

const nested = (levels: number): JsonValue =>
  JSON.parse('{"a":['.repeat(levels) + ']}'.repeat(levels)) as JsonValue;
const hostile: readonly (() => JsonValue)[] = [
  ...[null, true, -0, 1e308, '', '\u0000', '__proto__', '🙈', [], {}, [[]], [null]].map(
    (value) => (): JsonValue => value,
  ),
  () => 'x'.repeat(below(5000)),
  () => nested(1 + below(300)),
  () => Array.from({ length: below(500) }, () => below(9)),
  () => Object.fromEntries(Array.from({ length: below(500) }, (_, index) => [`k${index}`, {}])),
  () => JSON.parse(`{"__proto__":{"a":1},"constructor":{"b":${below(9)}}}`) as JsonValue,
];

/** A copy in which some value, or the name of one, is another. */
function mutated(value: JsonValue, depth = 0): JsonValue {
  if (depth > 0 && random() < 0.08) return oneOf(hostile)();
  if (Array.isArray(value) && value.length > 0) {
    const at = below(value.length);
    return value.map((item, index) => (index === at ? mutated(item, depth + 1) : item));
  }
  if (!isObject(value)) return oneOf(hostile)();
  const keys = Object.keys(value);
  const at = oneOf(keys);
  const entries = keys.map((key): [string, JsonValue] => [
    key === at && random() < 0.03 ? oneOf(['', '__proto__', 'kind', 'x'.repeat(300)]) : key,
    key === at ? mutated(value[key] as JsonValue, depth + 1) : (value[key] as JsonValue),
  ]);
  return Object.fromEntries(random() < 0.03 ? entries.filter(([key]) => key !== at) : entries);
}

/** The same bytes with some of them cut, doubled or others. */
function broken(text: string): string {
  const at = below(text.length);
  const end = at + below(20);
  switch (below(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return text.slice(0, end) + text.slice(at);
    default:
      return (
        text.slice(0, at) + oneOf(['"', '{', ']', '\\', ',', '1e9', 'é', '\n']) + text.slice(end)
      );
  }
}

function body(uid: string): string {
  const review = structuredClone(oneOf(seeds)) as { request: Record<string, JsonValue> };
  const { request } = review;
  if (random() < 0.97) request['uid'] = uid;
  for (let count = below(4); count >= 0; count--) {
    const key = oneOf(['object', 'oldObject']);
    request[key] = mutated(request[key] ?? null, 1);
  }
  // What is wrong around the objects is refused at the door: little of that shows enough.
  const value = random() < 0.05 ? mutated(review) : review;
  const text = JSON.stringify(value);
  return random() < 0.2 ? broken(text) : text;
}

function uidIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { request?: { uid?: unknown } }).request?.uid;
  } catch {
    return undefined;
  }
}

describe('reviews and connections that are broken', () => {
  let gate: GateProcess;
  before(async () => {
    // As it is shipped: what is denied is proven first.
    gate = await startGateProcess(['--policy', shippedPolicy], {
      node: shippedNode,
      stderr: 'ignore',
    });
  });
  after(() => gate.stop());

  const isAlive = async (): Promise<boolean> =>
    (await fetch(`${gate.metricsUrl}/livez`)).status === 200;

  it(`are answered, ${bodies} reviews of them: no crash, no 5xx, no other's uid, no growth`, async function () {
    this.timeout(300_000 + bodies * 100);
    const statuses = new Map<number, number>();
    let sent = 0;
    const client = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (sent < bodies) {
        const uid = `uid-${sent++}`;
        const text = body(uid);
        const answer = await send(gate.url, gate.authority, text, { agent });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const what = `${answer.status} ${answer.text.slice(0, 300)} to ${text.slice(0, 2000)}`;
        expect(answer.status, what).to.be.oneOf([200, 400, 413, 429]);
        if (answer.status !== 200) continue;
        const response = responseIn(answer.text);
        expect(response.allowed, what).to.be.a('boolean');
        const asked = uidIn(text);
        if (typeof asked === 'string') expect(response.uid, what).to.equal(asked);
        else expect(text, what).to.include(JSON.stringify(response.uid).slice(1, -1));
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: clients }, client));
    // Most are read to the end: what is only refused at the door shows nothing.
    expect(statuses.get(200)).to.be.greaterThan(bodies / 2);
    expect(await isAlive()).to.equal(true);
    expect(gate.peakBytes() ?? 0).to.be.at.most(peakBytes);
    if (bodies > 2500) console.log(statuses, `${Math.round((gate.peakBytes() ?? 0) / 1e6)} MB`);
  });

  /** Sends these pieces over one connection, and gives back what came until it was closed. */
  async function exchange(pieces: readonly string[], { ends = true } = {}): Promise<string> {
    const { hostname, port } = new URL(gate.url);
    const socket = connect({ host: hostname, port: Number(port), ca: gate.authority });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close').catch(() => undefined);
    await once(socket, 'secureConnect');
    for (const piece of pieces) {
      if (!socket.writable) break;
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (ends) socket.end();
    await closed;
    return text;
  }

  const posting = (text: string, more = ''): string =>
    `POST /validate HTTP/1.1\r\nHost: gate\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

  it('are closed or answered, when the connection is what is broken', async () => {
    const whole = posting(reviewText());
    for (let count = 0; count < 200; count++) {
      const text = random() < 0.5 ? broken(whole) : whole.slice(0, below(whole.length));
      const cut = below(text.length);
      const answer = await exchange([text.slice(0, cut), text.slice(cut)]);
      expect(answer, text).to.not.match(/^HTTP\/1\.1 5/m);
    }
    const bytes = Array.from({ length: 2000 }, () => String.fromCharCode(below(256))).join('');
    for (const text of [
      bytes,
      `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(5000)}\r\n`,
      'POST /validate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\nx',
      posting(reviewText(), 'Transfer-Encoding: chunked\r\n'),
      posting(reviewText(), 'Expect: 200-maybe\r\n'),
    ]) {
      expect(await exchange([text])).to.not.match(/^HTTP\/1\.1 5/m);
    }
    expect(await isAlive()).to.equal(true);
  });

  /** What a TLS client says first. */
  async function clientHello(): Promise<Buffer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    client.on('error', () => undefined);
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [hello] = (await once(socket, 'data')) as [Buffer];
    client.destroy();
    socket.destroy();
    server.close();
    return hello;
  }

  it(`cost nothing, ${connections} of them that are cut in handshake, head or body`, async function () {
    this.timeout(120_000 + connections * 50);
    const { hostname: host, port } = new URL(gate.url);
    const hello = await clientHello();
    const whole = posting(reviewText());
    const head = whole.indexOf('\r\n\r\n');
    const cuts = { handshake: 0, head: 0, body: 0 };
    let opened = 0;
    let answers = '';

    /** Sends a part of what belongs there, and is gone: with FIN, or with RST. */
    async function cutOne(where: keyof typeof cuts): Promise<void> {
      const wire = connectTcp(Number(port), host);
      const socket =
        where === 'handshake' ? wire : connect({ socket: wire, host, ca: gate.authority });
      for (const each of new Set([wire, socket])) each.on('error', () => undefined);
      const closed = new Promise((resolve) => wire.once('close', resolve));
      const open = new Promise((resolve) =>
        socket.once(where === 'handshake' ? 'connect' : 'secureConnect', resolve),
      );
      socket.on('data', (chunk: Buffer) => {
        if (where !== 'handshake') answers += chunk.toString('latin1');
      });
      // The gate may close first: it makes room for others.
      await Promise.race([open, closed]);
      const bytes = {
        handshake: () => hello.subarray(0, below(hello.length)),
        head: () => whole.slice(0, below(head)),
        body: () => whole.slice(0, head + 4 + below(whole.length - head - 5)),
      }[where]();
      await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
      if (random() < 0.5) wire.resetAndDestroy();
      else wire.destroy();
      await closed;
      cuts[where]++;
    }

    async function cutUntil(end: number): Promise<void> {
      const client = async (): Promise<void> => {
        while (opened < end) {
          opened++;
          await cutOne(oneOf(['handshake', 'head', 'body'] as const));
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
    }

    await cutUntil(connections / 2);
    const half = gate.peakBytes() ?? 0;
    await cutUntil(connections);
    expect(answers).to.not.match(/^HTTP\/1\.1 5/m);
    for (const count of Object.values(cuts)) expect(count).to.be.greaterThan(connections / 5);
    expect(await isAlive()).to.equal(true);
    const answer = await send(gate.url, gate.authority, reviewText(), {});
    expect(responseIn(answer.text).allowed).to.equal(true);
    const peak = gate.peakBytes() ?? 0;
    expect(peak - half, 'grown in the second half').to.be.at.most(40e6);
    expect(peak).to.be.at.most(peakBytes);
    if (connections > 1000) console.log(cuts, `${Math.round(peak / 1e6)} MB`);
  });

  it('get one answer at most, and no other’s, when several come at once on one connection', async () => {
    const uids = Array.from({ length: 20 }, (_, index) => `piped-${index}`);
    const text = uids.map((uid) => posting(reviewText({ uid }))).join('');
    const answers = await exchange([text], { ends: false });
    const found = [...answers.matchAll(/"uid":"([^"]*)"/g)].map(([, uid]) => uid);
    expect(uids.slice(0, 1)).to.include.members(found);
  });
});

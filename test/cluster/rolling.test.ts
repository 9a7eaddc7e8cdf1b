/** The gate while it is replaced and renewed: no change may fail for it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { startBalancer, type Balancer } from './balancer.js';
import { create, enforce, pointWebhooksAt, replace, untilAnswered } from './installed-gate.js';
import { changed, widgets } from './widgets.js';

/** Changes definitions all the time; what is not answered with 200 is a failure. */
function constantUpdates(cluster: TestCluster, plurals: readonly string[]) {
  let stop = false;
  let done = 0;
  const failures: string[] = [];
  const workers = plurals.map(async (plural) => {
    for (let turn = 0; !stop; turn++) {
      // Raises the generation, so that the gate is asked, and is none of its business.
      const next = changed((_spec, whole) => {
        Object.assign(whole.spec.names, { categories: [`turn-${turn}`] });
      }, plural);
      const answer = await replace(cluster, next).catch((error: unknown) => ({
        code: 0,
        text: String(error),
      }));
      if (answer.code === 200) done++;
      else failures.push(`${answer.code} ${answer.text}`.slice(0, 300));
    }
  });
  return {
    done: () => done,
    /** Waits for so many more. */
    more: (count: number) => {
      const goal = done + count;
      return until(`${count} more updates`, () => (done >= goal ? true : undefined));
    },
    /** Stops and tells what failed, each kind of failure once. */
    end: async (): Promise<string[]> => {
      stop = true;
      await Promise.all(workers);
      return [...new Set(failures)].slice(0, 20);
    },
  };
}

describe('two gates behind one address', () => {
  const cluster = useCluster();
  const gates = new Map<TestGate, { ready: boolean }>();
  const plurals = ['alphas', 'betas', 'gammas'];
  let balancer: Balancer;
  let authority: string;
  const file = (name: string): string => join(cluster().folder, name);
  const port = ({ url }: TestGate): number => Number(new URL(url).port);

  async function writePair(): Promise<string> {
    const made = await selfSigned(['127.0.0.1']);
    writeFileSync(file('tls.key'), made.current.key);
    writeFileSync(file('tls.crt'), made.current.cert);
    return made.authority;
  }

  async function addGate(): Promise<TestGate> {
    const gate = await startGate(cluster().folder, [
      ...[`--tls-cert-file=${file('tls.crt')}`, `--tls-private-key-file=${file('tls.key')}`],
      ...['--shutdown-delay=1', '--shutdown-grace=10'],
    ]);
    gates.set(gate, { ready: true });
    return gate;
  }

  /** Looks at readiness as a kubelet does, and takes who is not ready out of the endpoints. */
  const probing = setInterval(() => {
    for (const [gate, state] of gates) {
      void fetch(`${gate.metricsUrl}/readyz`).then(
        ({ status }) => (state.ready = status === 200),
        () => (state.ready = false),
      );
    }
  }, 100);

  before(async () => {
    authority = await writePair();
    await addGate();
    await addGate();
    balancer = await startBalancer(() =>
      [...gates].filter(([, { ready }]) => ready).map(([gate]) => ({ port: port(gate) })),
    );
    await enforce(cluster(), {
      url: `https://127.0.0.1:${balancer.port}`,
      ca: authority,
    });
    await untilAnswered(cluster(), 403);
    for (const plural of plurals) await create(cluster(), widgets(plural));
  });

  after(async () => {
    clearInterval(probing);
    await Promise.all([...gates.keys()].map((gate) => gate.stop()));
    await balancer.close();
  });

  it('are replaced one after the other under constant updates, and none fails', async function () {
    this.timeout(240_000);
    const updates = constantUpdates(cluster(), plurals);
    try {
      await updates.more(20);
      for (const old of [...gates.keys()]) {
        await addGate();
        await updates.more(10);
        await old.stop();
        gates.delete(old);
        await updates.more(10);
      }
    } finally {
      expect(await updates.end()).to.deep.equal([]);
    }
    console.log(`      ${updates.done()} updates while both gates were replaced`);
  });

  it('take a renewed certificate under constant updates, and none fails', async function () {
    this.timeout(240_000);
    const updates = constantUpdates(cluster(), plurals);
    try {
      await updates.more(10);
      const old = authority;
      // The new authority is trusted beside the old one before anything is signed by it.
      const made = await selfSigned(['127.0.0.1']);
      await pointWebhooksAt(cluster(), {
        url: `https://127.0.0.1:${balancer.port}`,
        ca: `${old}\n${made.authority}`,
      });
      await sleep(2000);
      writeFileSync(file('tls.crt'), made.current.cert);
      writeFileSync(file('tls.key'), made.current.key);
      for (const gate of gates.keys()) {
        await until('the new certificate to be served', async () =>
          (await trusts(port(gate), made.authority)) ? true : undefined,
        );
      }
      await updates.more(20);
    } finally {
      expect(await updates.end()).to.deep.equal([]);
    }
  });
});

function trusts(port: number, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, ca }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

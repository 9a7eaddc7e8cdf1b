/** What is broken while clients write, each made, held and taken back. */
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestCluster } from '../../apiserver/cluster.js';
import { until } from '../../apiserver/processes.js';
import { serviceAccount } from '../installed-gate.js';
import { send } from '../../server/gate.js';
import { reviewText, withSize } from '../../server/reviews.js';
import type { Network } from '../network.js';
import type { Installation } from './installation.js';

export interface FaultTimes {
  /** How long the faults of a round are held, all together; outages come on top. */
  readonly roundSeconds: number;
  /** How long something does not answer at all. */
  readonly outageSeconds: number;
}

export interface Fault {
  readonly name: string;
  /** Whether no client may be refused for it. */
  readonly isUnnoticed: boolean;
  /** Makes it, holds it, and takes it back; says what was seen. */
  readonly make: () => Promise<string>;
}

const hour = 3_600_000;
const day = 24 * hour;
const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

/** A denial that is logged in two lines of a hundred kilobytes. */
const talkative = reviewText({
  name: 'n'.repeat(100_000),
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});

export function faultsOf(
  installation: Installation,
  { roundSeconds, outageSeconds }: FaultTimes,
): { readonly faults: readonly Fault[]; readonly quiet: (name: string) => Fault } {
  const { cluster } = installation;
  const hold = (seconds = secondsEach): Promise<void> => sleep(seconds * 1000);
  const fault = (name: string, make: Fault['make']): Fault => ({ name, isUnnoticed: false, make });
  const unnoticed = (name: string, make: Fault['make']): Fault => ({
    ...fault(name, make),
    isUnnoticed: true,
  });
  /** Held for as long as a connection that nobody answers is waited for. */
  const disturbed = async (
    networks: readonly Network[],
    ...disturb: Parameters<Network['disturb']>
  ): Promise<void> => {
    for (const network of networks) network.disturb(...disturb);
    await hold(outageSeconds);
    for (const network of networks) network.disturb();
  };
  const cutAgainAndAgain = async (
    whom: readonly Parameters<Network['cut']>[0][],
  ): Promise<number> => {
    let times = 0;
    const end = performance.now() + secondsEach * 1000;
    while (performance.now() < end) {
      for (const network of [...installation.inbound, ...installation.outbound])
        network.cut(whom[times % whom.length] ?? 'both');
      times++;
      await hold(0.5);
    }
    return times;
  };

  const faults = [
    unnoticed('rolling update', async () => {
      for (const old of installation.gates) {
        await installation.addGate();
        await hold(secondsEach / installation.gates.length);
        await installation.removeGate(old, 'stop');
      }
      return 'every gate replaced, one after the other';
    }),
    fault('kill -9 of one gate', async () => {
      await installation.removeGate(installation.busiestGate, 'kill');
      await installation.addGate();
      await hold();
      return 'replaced by another';
    }),
    unnoticed('certificate rotation', async () => {
      const { 'ca.crt': old } = await installation.secret();
      await installation.forgetAuthorityKey();
      await until(
        'the new authority to be trusted beside the old one, and used',
        async () => {
          const { 'ca.crt': now, 'next-ca.crt': next } = await installation.secret();
          return now !== old && next === undefined ? true : undefined;
        },
        { timeoutMs: 180_000 },
      );
      await hold(secondsEach / 2);
      return 'new authority in the Secret, made, trusted and used by the gates';
    }),
    unnoticed('policy replaced by rubbish', async () => {
      const refused = /^olm_guard_policy_reloads_total\{outcome="failure"\} (\d+)$/gm;
      const before = await installation.metric(refused);
      writeFileSync(installation.overridesFile, 'modes: {crd-upgrade-safety: audit\n');
      await until('every gate to refuse it', async () =>
        (await installation.metric(refused)) >= before + installation.gates.length
          ? true
          : undefined,
      );
      await hold();
      rmSync(installation.overridesFile);
      return 'refused by each gate, counted and logged';
    }),
    unnoticed('clock jump', async () => {
      for (const ahead of [400 * day, -400 * day]) {
        installation.setClocks(ahead);
        await hold(secondsEach / 2);
      }
      installation.setClocks(0);
      return '400 days ahead, then 400 days back (the gates’ wall clock)';
    }),
    unnoticed('clocks apart', async () => {
      installation.setClocks(hour, 0, -hour);
      await hold();
      installation.setClocks(0);
      return 'one gate an hour ahead, one an hour behind';
    }),
    fault('clock set back, and the writer of certificates killed', async () => {
      installation.setClocks(day);
      // Long enough for every gate to look at the Lease.
      await hold(6);
      installation.setClocks(0);
      const writer = await until('a gate to hold the Lease', () => installation.writer());
      await installation.removeGate(writer, 'kill');
      await until('another gate to hold the Lease', () => installation.writer());
      await installation.addGate();
      return 'another has taken over';
    }),
    fault('API servers restarted, one after the other', async () => {
      for (const each of cluster.apiServers) {
        await installation.restartApiServer(each);
        await hold(secondsEach / 2);
      }
      return 'kill -9 and started again';
    }),
    fault('etcd stopped', async () => {
      cluster.signalEtcd('SIGSTOP');
      await hold(outageSeconds);
      cluster.signalEtcd('SIGCONT');
      return `SIGSTOP for ${outageSeconds} s`;
    }),
    fault('watch 410 (compaction)', async () => {
      await installation.restartApiServers(() => compact(cluster.etcdUrl));
      const lists = await until('every gate to list again', async () => {
        let count = 0;
        for (const each of cluster.apiServers)
          count += listsOf((await each.request('GET', '/metrics')).text, 'clusterserviceversions');
        return count >= installation.gates.length ? count : undefined;
      });
      await hold(secondsEach / 2);
      return `history gone, ${lists} lists anew`;
    }),
    fault('compaction, and watches that end', async () => {
      await compact(cluster.etcdUrl);
      for (const network of installation.outbound) network.cut('both');
      await hold();
      return 'each goes on from an API server that may be behind';
    }),
    fault('rights taken away', async () => {
      const kept = await bindingsOfTheGate(cluster);
      for (const { metadata } of kept)
        await cluster.request('DELETE', `${binding}/${metadata.name}`);
      for (const each of cluster.apiServers)
        await until('every API server to know it', async () => {
          const path = '/apis/operators.coreos.com/v1/operatorgroups';
          const { code } = await each.request('GET', path, undefined, { user: serviceAccount });
          return code === 403 ? true : undefined;
        });
      // An open watch outlives the right; the next one does not.
      for (const network of installation.outbound) network.cut('both');
      await hold();
      const forbidden = installation.gates.filter((gate) =>
        gate.logs().some((line) => line['state'] === 'forbidden'),
      );
      for (const each of kept) await cluster.request('POST', binding, each);
      return `given back; ${forbidden.length || 'none'} of the gates said so in its log`;
    }),
    unnoticed('log pipe full', async () => {
      const dropped = /^olm_guard_log_lines_dropped_total (\d+)$/gm;
      const { 'ca.crt': authority = '' } = await installation.secret();
      const ca = Buffer.from(authority, 'base64').toString();
      const readAgain = installation.gates.map((gate) => gate.leaveLogUnread());
      for (const { url } of installation.gates)
        for (let sent = 0; sent < 12; sent++) await send(url, ca, talkative, {});
      await hold();
      const lines = await installation.metric(dropped);
      for (const read of readAgain) read();
      return `nobody reads, ${lines} lines dropped`;
    }),
    fault('one gate partitioned', async () => {
      const { inbound, outbound } = installation.networksOf(installation.busiestGate);
      await disturbed([inbound, outbound], { kind: 'hold' });
      return `nothing reaches it or leaves it for ${outageSeconds} s`;
    }),
    fault('one gate without API servers', async () => {
      const { outbound } = installation.networksOf(installation.busiestGate);
      await disturbed([outbound], { kind: 'drop' });
      return `its connections are lost for ${outageSeconds} s, and those that were open for good`;
    }),
    fault('connections to the gates lost', async () => {
      for (const network of installation.inbound) network.disturb({ kind: 'drop' });
      await hold(1);
      for (const network of installation.inbound) network.disturb();
      await hold();
      return 'as a firewall that forgets what it let through; neither end is told';
    }),
    fault('slow network', async () => {
      await disturbed([...installation.inbound, ...installation.outbound], {
        ...{ kind: 'delay', milliseconds: 150 },
      });
      return '150 ms each way, between gates and API servers';
    }),
    fault('connections half closed', async () => {
      const times = await cutAgainAndAgain(['client', 'server']);
      return `${times} times, by one end and by the other`;
    }),
    fault('connections reset', async () => {
      const times = await cutAgainAndAgain(['both']);
      return `${times} times`;
    }),
    fault('one API server without etcd', async () => {
      await disturbed(installation.stores.slice(-1), { kind: 'hold' });
      return `for ${outageSeconds} s`;
    }),
  ];
  const secondsEach = roundSeconds / faults.length;
  const quiet = (name: string): Fault => unnoticed(name, () => hold().then(() => ''));
  return { faults, quiet };
}

async function bindingsOfTheGate(
  cluster: TestCluster,
): Promise<(object & { metadata: { name: string } })[]> {
  const { body } = await cluster.request('GET', binding);
  const items = (body.items ?? []) as { metadata: { name: string }; roleRef: object }[];
  return items
    .filter(({ metadata }) => metadata.name.startsWith('olm-guard'))
    .map(({ metadata, ...each }) => ({
      ...each,
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: metadata.name },
    }));
}

/** Takes everything older than now out of etcd's history. */
async function compact(etcdUrl: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<{ header?: { revision?: string } }> => {
    const answer = await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd ${path}: ${await answer.text()}`);
    return (await answer.json()) as { header?: { revision?: string } };
  };
  const { header } = await ask('/v3/kv/range', { key: Buffer.from('/').toString('base64') });
  await ask('/v3/kv/compaction', { revision: header?.revision, physical: true });
}

/** Lists of a resource that an API server has answered since it was started. */
function listsOf(metrics: string, resource: string): number {
  return metrics
    .split('\n')
    .filter(
      (line) =>
        line.startsWith('apiserver_request_total{') &&
        line.includes(`resource="${resource}"`) &&
        line.includes('verb="LIST"') &&
        line.includes('code="200"'),
    )
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Gates and API servers under clients that write all the time, while one fault after the other is made. */
import type { TestCluster } from '../../apiserver/cluster.js';
import { until } from '../../apiserver/processes.js';
import { Dice } from '../../../src/upgrade/proof/testing/dice.js';
import { makeClient } from './clients.js';
import { faultsOf, type Fault, type FaultTimes } from './faults.js';
import { Installation, type Usage } from './installation.js';
import { startLoad, type Load, type Tally } from './load.js';

export interface SoakOptions extends FaultTimes {
  /** The same seed makes the same faults in the same order, and draws the same writes for each client. */
  readonly seed: number;
  /** How often each fault is made, each time in another order. */
  readonly rounds: number;
  readonly gates: number;
  readonly apiServers: number;
  readonly clients: number;
  /** Of a client between two writes, on average. */
  readonly pauseMilliseconds: number;
  /** How long a gate that is told to stop still answers; 10 in the manifests. */
  readonly shutdownDelaySeconds: number;
  /** How many times faster the wall clocks of gates run. */
  readonly clockRate: number;
  /** Makes the faults with these words in their names only. */
  readonly only?: string;
  /** Called when a fault is over. */
  readonly onPhase?: (phase: Phase) => void;
}

export interface Phase extends Tally {
  readonly fault: string;
  readonly isUnnoticed: boolean;
  /** From the end of the fault until every view is current, clients of every kind got two verdicts again, and a second more without a refusal. */
  readonly recoverySeconds: number;
  /** What else was seen, for example that the fault took effect. */
  readonly seen: string;
  /** Of each gate at the end. */
  readonly usage: readonly Usage[];
  /** How many writes API servers let pass because no gate answered, by their own count. */
  readonly failedOpen: number;
}

/** @throws Error where the gates do not come back after a fault, or a write is never answered */
export async function soak(options: SoakOptions): Promise<Phase[]> {
  const { onPhase = () => undefined } = options;
  const installation = await Installation.start(options);
  const { cluster } = installation;
  const phases: Phase[] = [];
  let load: Load | undefined;
  try {
    const clients = Array.from({ length: options.clients }, (_each, index) => makeClient(index));
    await installation.install(clients);
    const { policy } = installation;
    load = startLoad(cluster.apiServers, clients, { ...options, policy });
    await load.judged(1);
    load.take();
    for (const { name, isUnnoticed, make } of orderOf(installation, options)) {
      const before = await failOpenCount(cluster);
      const seen = await make();
      const over = performance.now();
      await until(
        'every view to be current',
        async () => ((await installation.metric(staleness)) === 0 ? true : undefined),
        { timeoutMs: 180_000 },
      );
      await load.judged(2).catch((error: unknown) => {
        const { reasons, wrong, ...counts } = load?.take() ?? { reasons: new Map(), wrong: [] };
        const said = JSON.stringify({ ...counts, reasons: [...reasons], wrong });
        throw new Error(`after ${name}: ${String(error)}; since then ${said}`);
      });
      const recoverySeconds = (performance.now() - over) / 1000;
      const after = await failOpenCount(cluster);
      const phase: Phase = {
        ...load.take(),
        ...{ fault: name, isUnnoticed, seen, recoverySeconds },
        // A new API server counts from zero.
        failedOpen: after < before ? after : after - before,
        usage: installation.usage(),
      };
      phases.push(phase);
      onPhase(phase);
    }
    await load.stop();
  } finally {
    await load?.stop().catch(() => undefined);
    await installation.stop();
  }
  return phases;
}

/** Of kinds that are installed: of OpenShift's nothing is. */
const staleness =
  /^olm_guard_view_staleness_seconds\{kind="(?!CompatibilityRequirement")\w+"\} (\S+)$/gm;

/** Each round in an order of its own, between two times in which nothing is broken. */
function orderOf(installation: Installation, options: SoakOptions): Fault[] {
  const dice = new Dice(options.seed);
  const { faults, quiet } = faultsOf(installation, options);
  const wanted = faults.filter(({ name }) => name.includes(options.only ?? ''));
  const rounds = Array.from({ length: options.rounds }, () => shuffled(wanted, dice));
  return [quiet('none'), ...rounds.flat(), quiet('none, at the end')];
}

function shuffled<Item>(items: readonly Item[], dice: Dice): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(dice.below(rest.length), 1));
}

/** How much more each gate takes at the end than it ever took in the first half of its life. */
export function growthOf(phases: readonly Phase[]): Omit<Usage, 'pid'>[] {
  return (phases.at(-1)?.usage ?? []).flatMap((last) => {
    const life = phases.flatMap(({ usage }) => usage.filter(({ pid }) => pid === last.pid));
    const early = life.slice(0, Math.floor(life.length / 2));
    const grown = (of: keyof Usage): number =>
      last[of] - Math.max(...early.map((each) => each[of]));
    if (early.length === 0) return [];
    return [
      {
        residentBytes: grown('residentBytes'),
        openFiles: grown('openFiles'),
        sockets: grown('sockets'),
      },
    ];
  });
}

async function failOpenCount({ apiServers }: TestCluster): Promise<number> {
  let sum = 0;
  for (const each of apiServers) {
    const { text } = await each.request('GET', '/metrics');
    const counts = text.matchAll(/^apiserver_admission_webhook_fail_open_count\{.*\} (\d+)$/gm);
    for (const [, count] of counts) sum += Number(count);
  }
  return sum;
}

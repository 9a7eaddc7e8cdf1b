/**
 * Three gates and two API servers on one etcd, clients that write all the time, and one fault after
 * the other: what each cost, as docs/reliability.md tells it. A day passes on the gates' clocks.
 *
 * Run with `npm run soak`, or `npm run build && npx tsx bench/soak.ts [--minutes 20] [--clients 50]
 * [--seed 1] [--rounds 1] [--fault WORDS]`: the same seed makes the same faults in the same order, and
 * draws the same writes. Exits 1 when a write was judged wrongly, admitted unjudged or never answered, or
 * a gate grew.
 */
import { parseArgs } from 'node:util';
import { growthOf, soak, type Phase } from '../test/cluster/soak/soak.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    clients: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    fault: { type: 'string' },
  },
});
const [minutes, clients, seed, rounds] = [
  ...[values.minutes, values.clients, values.seed, values.rounds],
].map(Number) as [number, number, number, number];
/** What a gate may hold, and how much more at the end than in the first half of its life. */
const aims = { residentMegabytes: 450, grownMegabytes: 60, grownFiles: 20 };

const row = (phase: Phase): string =>
  [
    phase.fault,
    phase.admitted,
    phase.denied,
    phase.hurried,
    phase.withoutGate,
    phase.unjudged,
    phase.withoutServer,
    phase.wrong.length,
    phase.lost.length + phase.failedOpen,
    `${phase.recoverySeconds.toFixed(1)} s`,
    phase.usage.map(({ residentBytes }) => (residentBytes / 1e6).toFixed(0)).join(', '),
    phase.usage.map(({ openFiles, sockets }) => `${openFiles} (${sockets})`).join(', '),
    phase.seen,
  ].join(' | ');

console.log(
  '| fault | admitted | denied | no time | refused: no gate | refused: unjudged | no API server | wrong | lost | recovered in | MB | files (sockets) | seen |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
const start = performance.now();
const phases = await soak({
  ...{ gates: 3, apiServers: 2, clients, seed, rounds },
  ...{ roundSeconds: (minutes * 60) / rounds, outageSeconds: 20 },
  ...{ pauseMilliseconds: 1000, shutdownDelaySeconds: 10 },
  clockRate: (24 * 60) / minutes,
  only: values.fault,
  onPhase: (phase) => {
    console.log(`| ${row(phase)} |`);
    for (const [reason, count] of phase.reasons)
      // It begins with the rules that were not checked, and ends with why.
      console.error(`${count}x ${reason.slice(0, 200)} … ${reason.slice(200).slice(-400)}`);
    for (const each of [...phase.wrong, ...phase.lost].slice(0, 5))
      console.error(each.slice(0, 900));
  },
});
const verdicts = phases.reduce((sum, { admitted, denied }) => sum + admitted + denied, 0);
const bad = phases.reduce(
  (sum, { wrong, lost, failedOpen }) => sum + wrong.length + lost.length + failedOpen,
  0,
);
const peak = Math.max(...phases.flatMap(({ usage }) => usage.map((each) => each.residentBytes)));
const growth = growthOf(phases);
const most = (of: 'residentBytes' | 'openFiles' | 'sockets'): number =>
  Math.max(0, ...growth.map((each) => each[of]));
console.log(
  `seed ${seed}: ${verdicts} verdicts in ${((performance.now() - start) / 60_000).toFixed(1)} minutes, ${bad} wrong or lost; a gate held at most ${(peak / 1e6).toFixed(0)} MB (aim ${aims.residentMegabytes}), and at the end ${(most('residentBytes') / 1e6).toFixed(0)} MB (aim ${aims.grownMegabytes}), ${most('openFiles')} files (aim ${aims.grownFiles}) and ${most('sockets')} sockets more than in the first half of its life`,
);
const isMet =
  bad === 0 &&
  peak <= aims.residentMegabytes * 1e6 &&
  most('residentBytes') <= aims.grownMegabytes * 1e6 &&
  most('openFiles') <= aims.grownFiles;
process.exitCode = isMet ? 0 : 1;

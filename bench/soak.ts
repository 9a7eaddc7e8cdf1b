/**
 * Two gates behind a balancer on a real API server, fifty clients that write all the time, and one
 * fault after the other: what each cost, as docs/reliability.md tells it.
 *
 * Run with `npm run soak`, or `npm run build && npx tsx bench/soak.ts [MINUTES] [CLIENTS] [FAULT]`. Exits 1
 * when a write was judged wrongly or admitted unjudged, or memory grew.
 */
import { startCluster } from '../test/apiserver/cluster.js';
import { faultCount, soak, soakUsers, type Phase } from '../test/cluster/soak/soak.js';

const minutes = Number(process.argv[2] ?? 10);
const clients = Number(process.argv[3] ?? 50);
/** Words of the only faults to be made. */
const [, , , , only] = process.argv;
/** What a gate may hold, and by how much it may have grown between two quiet times. */
const aims = { residentMegabytes: 450, grownMegabytes: 60 };

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
    phase.residentBytes.map((bytes) => (bytes / 1e6).toFixed(0)).join(' and '),
    phase.seen,
  ].join(' | ');

console.log(
  '| fault | admitted | denied | by rules alone | refused: no gate | refused: unjudged | no API server | wrong | lost | recovered in | MB | seen |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
const cluster = await startCluster({ users: soakUsers });
try {
  const start = performance.now();
  const phases = await soak(cluster, {
    clients,
    secondsEach: (minutes * 60) / faultCount,
    pauseMilliseconds: 1000,
    stoppedStoreSeconds: 20,
    shutdownDelaySeconds: 10,
    ...(only === undefined ? {} : { only }),
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
  const resident = phases.flatMap(({ residentBytes }) => residentBytes);
  const peak = Math.max(...resident) / 1e6;
  // The gates of the end are those that have been there since the third fault.
  const first = Math.max(...(phases[3]?.residentBytes ?? [0]));
  const grown = (Math.max(...(phases.at(-1)?.residentBytes ?? [0])) - first) / 1e6;
  console.log(
    `${verdicts} verdicts in ${((performance.now() - start) / 60_000).toFixed(1)} minutes, ${bad} wrong or lost; a gate held at most ${peak.toFixed(0)} MB (aim ${aims.residentMegabytes}), and ${grown.toFixed(0)} MB more at the end than after it was started (aim ${aims.grownMegabytes})`,
  );
  const isMet = bad === 0 && peak <= aims.residentMegabytes && grown <= aims.grownMegabytes;
  process.exitCode = isMet ? 0 : 1;
} finally {
  await cluster.stop();
}

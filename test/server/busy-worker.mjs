// A thread that is busy for as long as its question says, and stops when it is asked to if it obeys. Its
// address says for how many milliseconds it loads.
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

/** Until so many milliseconds are over, or somebody says that it is enough. */
function spin(milliseconds, isEnough = () => false) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) if (isEnough()) return true;
  return false;
}

let asked = 0;
parentPort?.on('message', ({ number, input }) => {
  const { name, milliseconds = 0, obeys = true, stopsAfter = 0 } = JSON.parse(input);
  const isCutShort = spin(milliseconds, () => obeys && Atomics.load(workerData.stop, 0) === number);
  if (isCutShort) spin(stopsAfter);
  parentPort?.postMessage({
    answer: JSON.stringify({ name, isCutShort, asked: ++asked }),
    isCutShort,
  });
});
spin(Number(new URL(import.meta.url).searchParams.get('load')));
parentPort?.postMessage('ready');

// A thread that is busy for as long as its question says, and stops when it is asked to if it obeys.
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

let asked = 0;
parentPort?.on('message', ({ number, input }) => {
  const { name, milliseconds = 0, obeys = true } = JSON.parse(input);
  const end = performance.now() + milliseconds;
  let isCutShort = false;
  while (performance.now() < end && !isCutShort) {
    isCutShort = obeys && Atomics.load(workerData.stop, 0) === number;
  }
  parentPort?.postMessage({
    answer: JSON.stringify({ name, isCutShort, asked: ++asked }),
    isCutShort,
  });
});
parentPort?.postMessage('ready');

// A thread that takes all the memory it can get when its question says so.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ input }) => {
  const { name, isGreedy = false } = JSON.parse(input);
  const held = [];
  while (isGreedy) held.push(new Array(1000).fill(name));
  parentPort?.postMessage({ answer: JSON.stringify({ name }) });
});
parentPort?.postMessage('ready');

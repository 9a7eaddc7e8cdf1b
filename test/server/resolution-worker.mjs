// The gate's thread, but an answer about the namespace `fatal` ends it instead.
import { parentPort } from 'node:worker_threads';

const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (result) => {
  if (result.answer?.includes('namespace fatal')) process.exit(1);
  post(result);
};
await import('../../dist/resolution-worker.js');

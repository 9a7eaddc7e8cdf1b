// A thread does not inherit tsx: the sources' worker needs it registered first.
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

// An answer about the namespace `fatal` ends the thread instead.
const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (result) => {
  if (result.answer?.includes('namespace fatal')) process.exit(1);
  post(result);
};
register();
await import('../../src/app/server/resolution-worker.ts');

/** HTTPS that reads each body and answers at once: the way there and back, whatever is done between. */
import { Buffer } from 'node:buffer';
import { createServer } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

const server = createServer(workerData, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => response.end(String(Buffer.concat(chunks).length)));
});
server.listen(0, '127.0.0.1', () =>
  parentPort.postMessage(`https://127.0.0.1:${server.address().port}`),
);

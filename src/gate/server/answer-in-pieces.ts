/** Long answers that leave their connection in order. */
import type { ServerResponse } from 'node:http';

/**
 * Makes `end` write a long answer in two pieces, the last 8 KB when the others have left. Node 20 pauses its HTTP
 * parser when a request comes while as much of the last answer waits as the socket buffers (16 KB), and
 * over TLS may not take it up again: the connection is reset in the middle of that request
 * (`HPE_PAUSED`). Now nothing waits when the last piece is written, and no client asks again before that.
 */
export function answerInPieces(response: ServerResponse): void {
  const end = response.end.bind(response);
  const piece = response.writableHighWaterMark / 2;
  const endInPieces = (body: unknown, encoding: BufferEncoding): ServerResponse => {
    const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
    if (!Buffer.isBuffer(bytes)) return end();
    const last = Math.max(0, bytes.length - piece);
    if (last === 0) return end(bytes);
    response.write(bytes.subarray(0, last), (error) => {
      // Without a connection there is no client to answer.
      if (!error && !response.destroyed) end(bytes.subarray(last));
    });
    return response;
  };
  // Of its overloads, the ones with which express ends an answer.
  response.end = endInPieces as ServerResponse['end'];
}

import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerInPieces } from './gate.js';

describe('long answers', () => {
  let server: Server;
  let waiting: number[] = [];
  before((done) => {
    server = createServer((request, response) => {
      const { socket } = request;
      // As the server sees it when it has handed over everything.
      const end = response.end.bind(response);
      response.end = ((body?: Buffer) => {
        waiting.push(socket.writableLength + (body?.length ?? 0));
        return body === undefined ? end() : end(body);
      }) as typeof response.end;
      answerInPieces(response);
      const size = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('size'));
      response.setHeader('Content-Length', size);
      if (size === 0) response.end();
      else response.end('é'.repeat(size / 2));
    }).listen(0, '127.0.0.1', done);
  });
  after((done) => void server.close(done));

  for (const size of [0, 2, 8_192, 8_194, 16_384, 100_000, 1_000_000]) {
    it(`of ${size} bytes come whole, and leave nothing waiting behind their last piece`, async () => {
      waiting = [];
      const { port } = server.address() as AddressInfo;
      const text = await (await fetch(`http://127.0.0.1:${port}/?size=${size}`)).text();
      expect(text).to.equal('é'.repeat(size / 2));
      expect(waiting).to.have.lengthOf(1);
      expect(waiting[0]).to.be.lessThan(16_384);
    });
  }
});

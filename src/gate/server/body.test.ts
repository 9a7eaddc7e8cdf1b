import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody, type BodyOptions, type HttpError } from './body.js';

const size = 100_000;

describe('readBody', () => {
  let server: Server;
  let options: Partial<BodyOptions>;
  let read: Promise<Buffer>;

  before(async () => {
    server = createServer((incoming, response) => {
      read = readBody(incoming, {
        ...{ maxBytes: 1_000_000, signal: new AbortController().signal, ...options },
      });
      read.then(
        (body) => response.end(String(body.length)),
        (error: HttpError) => response.writeHead(error.status).end(error.message),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  async function send(body: Buffer): Promise<[status: number | undefined, text: string]> {
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, method: 'POST', headers: { 'content-type': 'application/json' } });
    sent.setHeader('content-length', body.length);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return [response.statusCode, text];
  }

  it('waits for memory for each part, the last one too, and then has all of it', async () => {
    let taken = 0;
    options = {
      take: async (bytes) => {
        taken += bytes;
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    };
    const body = Buffer.alloc(size, 'x');
    expect(await send(body)).to.deep.equal([200, String(size)]);
    expect((await read).equals(body)).to.equal(true);
    expect(taken).to.be.at.least(size);
  });

  it('waits for memory for a body of one part, whose end has come meanwhile', async () => {
    options = { take: () => new Promise((resolve) => setTimeout(resolve, 100)) };
    expect(await send(Buffer.alloc(100, 'x'))).to.deep.equal([200, '100']);
  });

  it('gives up when the signal fires while it waits, with its end behind it', async () => {
    const controller = new AbortController();
    options = {
      ...{ signal: controller.signal, lateStatus: 429 },
      take: () => {
        setTimeout(() => controller.abort(), 50);
        return new Promise(() => undefined);
      },
    };
    expect(await send(Buffer.alloc(100, 'x'))).to.deep.equal([
      429,
      'there was no time to read its body',
    ]);
  });
});

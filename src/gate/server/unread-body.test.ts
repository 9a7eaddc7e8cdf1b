import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { stopParsing } from './body.js';

describe('stopParsing', () => {
  let requests = 0;
  let pieces = 0;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    requests++;
    const push = request.push.bind(request);
    request.push = (piece: unknown) => {
      if (piece !== null) pieces++;
      return push(piece);
    };
    answer(request, response);
  });
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => server.close());
  beforeEach(() => (requests = pieces = 0));

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume().on('end', () => response.writeHead(200, { Connection: 'close' }).end());
  };
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(413, { Connection: 'close' }).end();
    stopParsing(request);
  };

  function send(text: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answered = '';
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answered += String(chunk)));
    return new Promise((resolve) => socket.on('close', () => resolve(answered)));
  }

  const body = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(500)}0\r\n\r\n`;

  it('makes nothing of the pieces that were read with the head', async () => {
    answer = refuse;
    expect(await send(body)).to.match(/^HTTP\/1\.1 413 /);
    expect({ requests, pieces }).to.deep.equal({ requests: 1, pieces: 0 });
  });

  it('makes nothing of the requests that were read with the first', async () => {
    answer = refuse;
    await send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500));
    expect(requests).to.equal(1);
  });

  it('leaves the parser whole for the next connection', async () => {
    answer = refuse;
    for (let index = 0; index < 5; index++) await send(body);
    pieces = 0;
    answer = take;
    expect(await send(body)).to.match(/^HTTP\/1\.1 200 /);
    expect(pieces).to.equal(500);
  });
});

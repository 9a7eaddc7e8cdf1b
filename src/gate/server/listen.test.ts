import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { InvalidInputError } from '../../text/documents/index.js';
import { isLoopback, listen, parseAddress } from './listen.js';

describe('parseAddress', () => {
  const addresses: [text: string, host: string, port: number][] = [
    ['127.0.0.1:8443', '127.0.0.1', 8443],
    ['localhost:0', 'localhost', 0],
    [':8443', '', 8443],
    ['[::1]:443', '::1', 443],
  ];
  for (const [text, host, port] of addresses) {
    it(text, () => expect(parseAddress(text)).to.deep.equal({ host, port }));
  }
  for (const text of [
    '',
    '8443',
    'host',
    'host:',
    'host:70000',
    '::1:443',
    'a b:1',
    'http://a:1',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      expect(() => parseAddress(text)).to.throw(InvalidInputError, /write HOST:PORT/));
  }
});

describe('listen', () => {
  it('on [::] answers over each family that the machine has', async () => {
    const server = createServer((socket) => socket.end());
    const port = Number((await listen(server, parseAddress('[::]:0'))).split(':').at(-1));
    const loopback = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .flatMap(({ internal, address }) =>
        internal && isLoopback({ host: address }) ? address : [],
      );
    expect(loopback).to.include('127.0.0.1');
    try {
      for (const host of loopback) await once(connect({ host, port }), 'connect');
    } finally {
      server.close();
    }
  });

  it('says in a sentence that the port is in use', async () => {
    const first = createServer();
    const address = await listen(first, { host: '127.0.0.1', port: 0 });
    const port = Number(address.split(':')[1]);
    try {
      await listen(createServer(), { host: '127.0.0.1', port });
      expect.fail('two servers listen on one port');
    } catch (error) {
      expect(error).to.be.instanceOf(InvalidInputError);
      expect((error as Error).message).to.equal(
        `cannot listen on 127.0.0.1:${port}: the port is in use`,
      );
    } finally {
      first.close();
    }
  });
});

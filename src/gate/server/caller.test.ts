import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { callerOf } from './caller.js';

describe('who sends a review', () => {
  const names = ['front-proxy-client'];

  function askedBy(headers: Record<string, string>, userHeaders: readonly string[]): string {
    const socket = Object.create(TLSSocket.prototype) as TLSSocket;
    Object.defineProperty(socket, 'authorized', { value: true });
    socket.getPeerCertificate = () => ({ subject: { CN: 'front-proxy-client' } }) as never;
    return callerOf({ socket, headers }, { names, userHeaders });
  }

  it('is an API server where its front proxy asks for the API server', () => {
    const user = { 'x-remote-user': 'system:apiserver' };
    expect(askedBy(user, ['X-Remote-User'])).to.equal('api-server');
    expect(askedBy(user, ['X-Custom-User', 'X-Remote-User'])).to.equal('api-server');
  });

  it('takes a sender for unauthenticated by a header that the API server reads and does not write', () => {
    const forged = { 'x-custom-user': 'system:apiserver', 'x-remote-user': 'mallory' };
    for (const headers of [['X-Custom-User'], ['X-Custom-User', 'X-Remote-User']]) {
      expect(askedBy(forged, headers), headers.join()).to.equal('unauthenticated');
    }
    expect(askedBy({}, ['X-Remote-User'])).to.equal('unauthenticated');
  });
});

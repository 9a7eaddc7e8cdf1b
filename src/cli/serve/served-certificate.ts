/** The certificate that an address serves, looked at as an API server would before it asks there. */
import { connect, type PeerCertificate } from 'node:tls';

export type ServedCertificate =
  | { readonly isTrusted: true; readonly ends: string }
  | { readonly isTrusted: false; readonly reason: string }
  /** This host gets no answer. */
  | { readonly unreached: string };

const patienceMilliseconds = 5_000;

/** @param authorities PEM of those that may have signed it; the system's where there are none */
export function lookAtServed(url: URL, authorities: readonly string[]): Promise<ServedCertificate> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(/^[\d.]+$/.test(host) || host.includes(':') ? {} : { servername: host }),
      ...(authorities.length === 0 ? {} : { ca: [...authorities] }),
      timeout: patienceMilliseconds,
      // Looked at only: nothing is sent to the peer.
      rejectUnauthorized: false,
    });
    const end = (served: ServedCertificate): void => {
      socket.destroy();
      resolve(served);
    };
    socket.once('secureConnect', () => {
      if (!socket.authorized) {
        const { message = String(socket.authorizationError) } = socket.authorizationError ?? {};
        end({ isTrusted: false, reason: message });
        return;
      }
      const { valid_to: ends }: PeerCertificate = socket.getPeerCertificate();
      end({ isTrusted: true, ends });
    });
    socket.once('timeout', () => end({ unreached: 'no answer in time' }));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({ unreached: error.message === '' ? String(error.code) : error.message }),
    );
  });
}

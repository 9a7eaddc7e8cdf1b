/** Addresses as `--listen` takes them. */
import { isIP, type Server } from 'node:net';
import { invalidInput } from '../../text/documents/index.js';

export interface Address {
  /** Empty for all interfaces. */
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

/** Reads `HOST:PORT`, `[::1]:PORT` or `:PORT`. @throws InvalidInputError */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw invalidInput(
      `"${text}" is not an address; write HOST:PORT, with a port of at most 65535`,
    );
  }
  return { host: match[1] ?? match[2] ?? '', port };
}

/** Connections that wait to be accepted. Past them the kernel drops packets, which clients send again later than a review may take. */
const backlog = 4096;

/** Listens and returns `HOST:PORT` as a URL needs it. @throws InvalidInputError when it cannot. */
export async function listen(server: Server, { host, port }: Address): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = `${host === '' ? '*' : host}:${port}`;
      reject(invalidInput(`cannot listen on ${where}: ${reason(error)}`));
    });
    // Without a host Node takes IPv4 where the kernel has no IPv6.
    const isAny = host === '' || host === '::';
    server.listen({ port, backlog, ...(isAny ? {} : { host }) }, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  const shown = host === '' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${shown}:${bound.port}`;
}

function reason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return 'the port is in use';
    case 'EACCES':
      return 'the port needs more rights';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is unknown';
    default:
      return error.code ?? error.message;
  }
}

/** An address that only processes of this machine, or of this pod, can reach. */
export function isLoopback({ host }: Pick<Address, 'host'>): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

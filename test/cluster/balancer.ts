/** A TCP balancer as a Service is one: new connections go to a ready process, open ones stay. */
import { connect, createServer, type AddressInfo } from 'node:net';
import { Network } from './network.js';

export interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

export interface Endpoint {
  readonly port: number;
  /** What leads there; one that nobody disturbs when it is left out. */
  readonly network?: Network;
}

/**
 * @param ready processes that are ready, as it is when a connection comes
 */
export async function startBalancer(ready: () => readonly Endpoint[]): Promise<Balancer> {
  const calm = new Network();
  const used = new Set([calm]);
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const endpoints = ready();
    const endpoint = endpoints[turn++ % Math.max(endpoints.length, 1)];
    if (endpoint === undefined) {
      client.destroy();
      return;
    }
    const { port, network = calm } = endpoint;
    used.add(network);
    network.carry(client, () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const network of used) network.destroy();
      await closed;
    },
  };
}

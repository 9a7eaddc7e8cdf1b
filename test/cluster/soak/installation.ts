/** Gates as the manifests install them, several of them and several API servers, with a network between each two. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Policy } from '../../../src/policy/policy.js';
import { ruleNames } from '../../../src/checks/operations/rules.js';
import { readPolicy } from '../../../src/gate/server/policy-file.js';
import { startCluster, type ApiServer, type TestCluster } from '../../apiserver/cluster.js';
import { startGate, type TestGate } from '../../apiserver/gate.js';
import { until } from '../../apiserver/processes.js';
import { startBalancer, type Balancer } from '../balancer.js';
import {
  kubeconfigOf,
  kubectl,
  leadWebhooksTo,
  root,
  serviceAccount,
  untilAnswered,
  webhooksOf,
} from '../installed-gate.js';
import { Network } from '../network.js';
import { createNamespace, installOlm } from '../olm-definitions.js';
import { prepare, type Client } from './clients.js';

export interface InstallationOptions {
  readonly gates: number;
  readonly apiServers: number;
  /** How long a gate that is told to stop still answers; 10 in the manifests. */
  readonly shutdownDelaySeconds: number;
  /** How many times faster the wall clocks of gates run. */
  readonly clockRate: number;
}

/** What a gate takes at one moment. */
export interface Usage {
  readonly pid: number;
  readonly residentBytes: number;
  readonly openFiles: number;
  readonly sockets: number;
}

interface Places {
  ready: boolean;
  /** Between API servers and the gate. */
  readonly inbound: Network;
  /** Between the gate and API servers. */
  readonly outbound: Network;
  readonly toApiServers: Balancer;
  readonly clockFile: string;
}

const secretPath = '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls';
const leasePath = '/apis/coordination.k8s.io/v1/namespaces/olm-guard/leases/olm-guard-certificates';
const shippedPolicy = join(root, 'manifests', 'components', 'enforcing', 'policy.yaml');

export class Installation {
  /** Of each API server, between it and etcd. */
  readonly stores: readonly Network[];
  readonly policy: Policy;
  readonly #gates = new Map<TestGate, Places>();
  readonly #readyApiServers: Set<ApiServer>;
  readonly #since = Date.now();
  #started = 0;
  #toGates: Balancer | undefined;
  readonly #probing = setInterval(() => this.#probe(), 100);

  private constructor(
    readonly cluster: TestCluster,
    private readonly options: InstallationOptions,
    private readonly toStores: readonly { network: Network; balancer: Balancer }[],
    policy: Policy,
  ) {
    this.policy = policy;
    this.stores = toStores.map(({ network }) => network);
    this.#readyApiServers = new Set(cluster.apiServers);
  }

  static async start(options: InstallationOptions): Promise<Installation> {
    const toStores: { network: Network; balancer: Balancer }[] = [];
    const cluster = await startCluster({
      users: [{ name: serviceAccount }],
      apiServers: options.apiServers,
      etcdUrlFor: async (_index, etcdUrl) => {
        const network = new Network();
        const port = Number(new URL(etcdUrl).port);
        const balancer = await startBalancer(() => [{ port, network }]);
        toStores.push({ network, balancer });
        return `http://127.0.0.1:${balancer.port}`;
      },
    });
    const policy = await readPolicy({ file: shippedPolicy }, ruleNames);
    return new Installation(cluster, options, toStores, policy);
  }

  /** With the world of the clients, and until API servers ask the gates. */
  async install(clients: readonly Client[]): Promise<void> {
    const { cluster } = this;
    await installOlm(cluster);
    await createNamespace(cluster, 'elsewhere');
    for (const each of clients) await prepare(cluster, each);
    await kubectl(cluster, 'apply', '-k', 'manifests/base');
    await kubectl(cluster, 'apply', '-f', 'manifests/components/self-managed/rbac.yaml');
    await this.#letReadObjects();
    const gates = Array.from({ length: this.options.gates }, () => this.addGate());
    await Promise.all(gates);
    await until('every webhook to have an authority', async () =>
      (await this.trustedAuthorities()) > 0 ? true : undefined,
    );
    await kubectl(cluster, 'apply', '-k', 'manifests/overlays/enforcing');
    this.#toGates = await startBalancer(() =>
      [...this.#gates]
        .filter(([, { ready }]) => ready)
        .map(([{ url }, { inbound }]) => ({ port: Number(new URL(url).port), network: inbound })),
    );
    await leadWebhooksTo(cluster, `https://127.0.0.1:${this.#toGates.port}`);
    for (const server of cluster.apiServers) await untilAnswered({ ...cluster, ...server }, 403);
  }

  get gates(): readonly TestGate[] {
    return [...this.#gates.keys()];
  }

  /** The gate that API servers have the most connections to. */
  get busiestGate(): TestGate {
    const byConnections = [...this.#gates].sort(
      ([, one], [, other]) => other.inbound.connections - one.inbound.connections,
    );
    const [gate] = byConnections[0] ?? [];
    if (gate === undefined) throw new Error('there is no gate');
    return gate;
  }

  networksOf(gate: TestGate): Pick<Places, 'inbound' | 'outbound'> {
    const places = this.#gates.get(gate);
    if (places === undefined) throw new Error('this gate is none of the installation');
    return places;
  }

  get inbound(): readonly Network[] {
    return [...this.#gates.values()].map(({ inbound }) => inbound);
  }

  get outbound(): readonly Network[] {
    return [...this.#gates.values()].map(({ outbound }) => outbound);
  }

  /** A file of the policy that every gate reads beside the shipped one. */
  get overridesFile(): string {
    return join(this.cluster.folder, 'overrides.yaml');
  }

  async addGate(): Promise<TestGate> {
    const outbound = new Network();
    const toApiServers = await startBalancer(() =>
      [...this.#readyApiServers].map(({ url }) => ({
        port: Number(new URL(url).port),
        network: outbound,
      })),
    );
    const clockFile = join(this.cluster.folder, `clock-${++this.#started}`);
    this.#writeClock(clockFile, 0);
    const server = `https://127.0.0.1:${toApiServers.port}`;
    const clock = pathToFileURL(join(root, 'test', 'apiserver', 'shifted-clock.mjs')).href;
    const gate = await startGate(
      this.cluster.folder,
      [
        '--tls-secret=olm-guard-tls',
        ...[`--policy=${shippedPolicy}`, `--policy-overrides=${this.overridesFile}`],
        ...[`--kubeconfig=${kubeconfigOf(this.cluster, serviceAccount, server)}`],
        ...[`--shutdown-delay=${this.options.shutdownDelaySeconds}`, '--shutdown-grace=30'],
      ],
      {
        ...process.env,
        // As the Deployment sets it.
        NODE_OPTIONS: `--max-old-space-size=256 --max-semi-space-size=8 --import=${clock}`,
        SHIFTED_CLOCK_FILE: clockFile,
      },
    );
    const inbound = new Network();
    this.#gates.set(gate, { ready: true, inbound, outbound, toApiServers, clockFile });
    return gate;
  }

  async removeGate(gate: TestGate, how: 'stop' | 'kill'): Promise<void> {
    const places = this.#gates.get(gate);
    await gate[how]();
    this.#gates.delete(gate);
    await places?.toApiServers.close();
    places?.inbound.destroy();
  }

  /** @param ahead of each gate, in milliseconds, in order; the last one's for those that follow */
  setClocks(...ahead: readonly number[]): void {
    [...this.#gates.values()].forEach(({ clockFile }, index) =>
      this.#writeClock(clockFile, ahead[index] ?? ahead.at(-1) ?? 0),
    );
  }

  async secret(): Promise<Record<string, string>> {
    const { body } = await this.cluster.request('GET', secretPath);
    return (body as unknown as { data?: Record<string, string> }).data ?? {};
  }

  /** What an admin does who does not trust the key any more: docs/operations.md. */
  async forgetAuthorityKey(): Promise<void> {
    const patch = '[{"op":"remove","path":"/data/ca.key"}]';
    const contentType = 'application/json-patch+json';
    const { code, text } = await this.cluster.request('PATCH', secretPath, patch, { contentType });
    if (code !== 200) throw new Error(text);
  }

  /** How many authorities every webhook trusts, at least. */
  async trustedAuthorities(): Promise<number> {
    const counts = (await webhooksOf(this.cluster)).map(({ clientConfig: { caBundle = '' } }) => {
      const text = Buffer.from(caBundle, 'base64').toString();
      return text.split('BEGIN CERTIFICATE').length - 1;
    });
    return Math.min(...counts);
  }

  /** The gate that looks after certificates. */
  async writer(): Promise<TestGate | undefined> {
    const { body } = await this.cluster.request('GET', leasePath);
    const { holderIdentity = '' } = (body['spec'] ?? {}) as { holderIdentity?: string };
    return this.gates.find(({ pid }) => holderIdentity.endsWith(`_${pid}`));
  }

  /** The sum of a metric's samples over all gates. */
  async metric(sample: RegExp): Promise<number> {
    let sum = 0;
    for (const gate of this.gates)
      for (const [, value] of (await gate.metrics()).matchAll(sample)) sum += Number(value);
    return sum;
  }

  /** Kills an API server and starts it again. */
  async restartApiServer(server: ApiServer): Promise<void> {
    this.#readyApiServers.delete(server);
    await server.restart();
    this.#readyApiServers.add(server);
  }

  /** Kills all API servers, and starts them again after `meanwhile`. */
  async restartApiServers(meanwhile: () => Promise<void>): Promise<void> {
    this.#readyApiServers.clear();
    const { apiServers } = this.cluster;
    for (const each of apiServers) await each.kill();
    await meanwhile();
    for (const each of apiServers) await this.restartApiServer(each);
  }

  usage(): Usage[] {
    return this.gates.map(({ pid }) => usageOf(pid));
  }

  async stop(): Promise<void> {
    clearInterval(this.#probing);
    for (const network of [...this.stores, ...this.inbound, ...this.outbound]) network.disturb();
    await Promise.all(this.gates.map((gate) => this.removeGate(gate, 'stop')));
    await this.#toGates?.close();
    await this.cluster.stop();
    for (const { balancer } of this.toStores) await balancer.close();
  }

  #writeClock(file: string, ahead: number): void {
    const { clockRate: rate } = this.options;
    writeFileSync(file, JSON.stringify({ ahead, rate, since: this.#since }));
  }

  /** Looks at readiness as a kubelet does, and takes who is not ready out of the endpoints. */
  #probe(): void {
    for (const [gate, state] of this.#gates) {
      void fetch(`${gate.metricsUrl}/readyz`).then(
        ({ status }) => (state.ready = status === 200),
        () => (state.ready = false),
      );
    }
  }

  /** There is no controller that would add it to the aggregated role. */
  async #letReadObjects(): Promise<void> {
    await kubectl(
      this.cluster,
      ...['create', 'clusterrole', 'soak-objects', '--verb=get,list', '--resource=*.example.com'],
    );
    const user = `--user=${serviceAccount}`;
    await kubectl(
      this.cluster,
      ...['create', 'clusterrolebinding', 'olm-guard-soak', '--clusterrole=soak-objects', user],
    );
  }
}

function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const residentBytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  const files = readdirSync(`/proc/${pid}/fd`).map((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`);
    } catch {
      // Closed since.
      return '';
    }
  });
  const open = files.filter((target) => target !== '');
  const sockets = open.filter((target) => target.startsWith('socket:')).length;
  return { pid, residentBytes, openFiles: open.length, sockets };
}

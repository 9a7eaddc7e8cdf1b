/**
 * What a Deployment's controllers and a kubelet would do with the gate's: pods are processes of the
 * test, `kubectl logs`, `top`, `scale` and `delete pod` work, and ConfigMaps are brought to their files.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import type { TestCluster } from './cluster.js';
import { startGate, type TestGate } from './gate.js';
import { until } from './processes.js';

export interface Pod {
  readonly name: string;
  readonly gate: TestGate;
}

interface RunOptions {
  /** Of the Deployment and of everything else of it. */
  readonly namespace: string;
  readonly name: string;
  /** How the gate reaches the API server in place of `--in-cluster`. */
  readonly kubeconfig: string;
  /** Called when pods have come or gone. */
  readonly onChange: (pods: readonly Pod[]) => void;
}

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
}

export const nodeName = 'node-1';
const everyMilliseconds = 300;

export class RunningDeployment {
  readonly #pods = new Map<string, TestGate>();
  readonly #files = new Map<string, string>();
  #kubelet: Server | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #made = 0;
  /** How many pods there should be; undefined while some come or go. */
  #wanted: number | undefined;
  #failure: unknown;

  private constructor(
    private readonly cluster: TestCluster,
    private readonly options: RunOptions,
  ) {}

  /** Until every replica is ready. */
  static async start(cluster: TestCluster, options: RunOptions): Promise<RunningDeployment> {
    const deployment = new RunningDeployment(cluster, options);
    await deployment.#startNode();
    deployment.#running = deployment.#run();
    await deployment.complete();
    return deployment;
  }

  /** Until there are as many pods as there should be. */
  complete(): Promise<true> {
    return until('the pods to be ready', () => {
      if (this.#failure !== undefined) throw this.#failure as Error;
      return this.#wanted !== undefined && this.#pods.size === this.#wanted ? true : undefined;
    });
  }

  get pods(): Pod[] {
    return [...this.#pods].map(([name, gate]) => ({ name, gate }));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    for (const gate of this.#pods.values()) {
      process.kill(gate.pid, 'SIGCONT');
      await gate.stop();
    }
    this.#kubelet?.closeAllConnections();
    this.#kubelet?.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#reconcile();
        // What did not start is started again, as a kubelet does.
        this.#failure = undefined;
      } catch (error) {
        this.#failure = error;
      }
      await sleep(everyMilliseconds);
    }
  }

  async #reconcile(): Promise<void> {
    const { namespace, name } = this.options;
    const { code, body } = await this.cluster.request('GET', this.#deploymentPath);
    if (code !== 200) return;
    const { replicas, template } = body['spec'] as { replicas: number; template: Template };
    const args = this.#argumentsOf(template);
    await this.#bringConfigMaps();
    for (const pod of this.#pods.keys()) {
      const path = `/api/v1/namespaces/${namespace}/pods/${pod}`;
      const { body: object } = await this.cluster.request('GET', path);
      if (object.metadata?.['deletionTimestamp'] === undefined) continue;
      await this.#end(pod);
    }
    const missing = replicas - this.#pods.size;
    if (missing === 0) {
      this.#wanted = replicas;
      return;
    }
    this.#wanted = undefined;
    for (const pod of [...this.#pods.keys()].slice(replicas)) await this.#end(pod);
    await Promise.all(
      Array.from({ length: Math.max(0, missing) }, () =>
        this.#begin(`${name}-${this.#made++}`, template, args),
      ),
    );
    await this.#publish();
    this.#wanted = replicas;
  }

  get #deploymentPath(): string {
    return `/apis/apps/v1/namespaces/${this.options.namespace}/deployments/${this.options.name}`;
  }

  async #begin(pod: string, template: Template, args: readonly string[]): Promise<void> {
    const { namespace, name } = this.options;
    this.#pods.set(pod, await startGate(this.cluster.folder, args));
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const spec = { ...template.spec, nodeName };
    const metadata = { name: pod, namespace, labels: template.metadata.labels };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
    const made = await this.cluster.request('POST', path, object);
    if (made.code !== 201) throw new Error(`pod ${pod}: ${made.text}`);
    const state = { running: { startedAt: new Date().toISOString() } };
    const status = {
      phase: 'Running',
      podIP: '127.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        { ...{ name, ready: true, restartCount: 0, image: '', imageID: '' }, state },
      ],
    };
    await this.#merge(`${path}/${pod}/status`, { status });
    await this.cluster.request(
      'POST',
      `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`,
      {
        ...{ apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', metadata },
        ...{ timestamp: new Date().toISOString(), window: '15s' },
        containers: [{ name, usage: { cpu: '100m', memory: '150Mi' } }],
      },
    );
  }

  /** The arguments that are installed, with files and addresses of this machine. */
  #argumentsOf({ spec }: Template): string[] {
    const { folder } = this.cluster;
    const args = (spec.containers[0]?.args ?? []).slice(1);
    return args.flatMap((arg) => {
      const [flag = '', value = ''] = arg.split(/=(.*)/s);
      if (/^--(listen|metrics-listen|tls-cert-file|tls-private-key-file)$/.test(flag)) return [];
      if (flag === '--in-cluster') return [`--kubeconfig=${this.options.kubeconfig}`];
      if (flag === '--shutdown-delay') return [`${flag}=1`];
      if (!value.startsWith('/')) return [arg];
      const file = join(folder, value.slice(1).replaceAll('/', '-'));
      const configMap = value.startsWith('/defaults/') ? 'defaults' : 'policy';
      this.#files.set(`${this.options.name}-${configMap}`, file);
      return [`${flag}=${file}`];
    });
  }

  async #bringConfigMaps(): Promise<void> {
    const { namespace } = this.options;
    for (const [name, file] of this.#files) {
      const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
      const { code, body } = await this.cluster.request('GET', path);
      const text = (body['data'] as Record<string, string> | undefined)?.['policy.yaml'];
      if (code === 404) rmSync(file, { force: true });
      else if (text !== undefined && text !== readIfThere(file)) writeFileSync(file, text);
    }
  }

  async #end(pod: string): Promise<void> {
    const { namespace } = this.options;
    const gate = this.#pods.get(pod);
    this.#pods.delete(pod);
    await gate?.kill();
    const gone = { gracePeriodSeconds: 0 };
    for (const path of [
      `/api/v1/namespaces/${namespace}/pods/${pod}`,
      `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods/${pod}`,
    ])
      await this.cluster.request('DELETE', path, gone);
    await this.#publish();
  }

  async #publish(): Promise<void> {
    const { namespace, name } = this.options;
    const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
    const slice = {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { name, labels: { 'kubernetes.io/service-name': name } },
      endpoints: this.pods.map((_pod, index) => ({
        ...{ addresses: [`10.0.0.${index + 1}`], conditions: { ready: true } },
      })),
    };
    const { code } = await this.cluster.request('POST', path, slice);
    if (code === 409) await this.#merge(`${path}/${name}`, { endpoints: slice.endpoints });
    this.options.onChange(this.pods);
  }

  async #merge(path: string, body: object): Promise<void> {
    const contentType = 'application/merge-patch+json';
    const { code, text } = await this.cluster.request('PATCH', path, body, { contentType });
    if (code !== 200) throw new Error(`${path}: ${text}`);
  }

  async #startNode(): Promise<void> {
    const { current } = await selfSigned(['127.0.0.1']);
    const kubelet = createServer({ cert: current.cert, key: current.key }, (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'https://node');
      const [, route, , pod = ''] = pathname.split('/');
      const gate = this.#pods.get(pod);
      if (route !== 'containerLogs' || gate === undefined) {
        response.writeHead(404).end();
        return;
      }
      // Nothing starts a process again that has ended, so that it is the previous one too.
      const lines = readFileSync(gate.logFile, 'utf8').trimEnd().split('\n');
      const count = Number(searchParams.get('tailLines') ?? Infinity);
      response.end(`${lines.slice(-Math.min(count, lines.length)).join('\n')}\n`);
    });
    await new Promise<void>((resolve) => kubelet.listen(0, '127.0.0.1', resolve));
    this.#kubelet = kubelet;
    const { port } = kubelet.address() as AddressInfo;
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } };
    await this.cluster.request('POST', '/api/v1/nodes', node);
    await this.#merge(`/api/v1/nodes/${nodeName}/status`, {
      status: {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: port } },
      },
    });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

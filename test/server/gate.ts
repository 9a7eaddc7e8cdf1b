/** The real gate over real TLS, in this process, for tests. */
import { request as httpsRequest, type Agent, type RequestOptions } from 'node:https';
import { Registry } from 'prom-client';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import type { Reviewer } from '../../src/gate/admission/reviewer.js';
import { FolderCluster } from '../../src/cluster/view/folder.js';
import type { ClusterView } from '../../src/cluster/view/view.js';
import { createLog } from '../../src/gate/log.js';
import { createGateMetrics } from '../../src/gate/metrics/own-metrics.js';
import { defaultPolicy, type Policy } from '../../src/policy/policy.js';
import type { CertificateSource } from '../../src/gate/server/certificates/certificate.js';
import { selfSigned, type SelfSigned } from '../../src/gate/server/certificates/files.js';
import { startGate, type Gate, type GateOptions } from '../../src/gate/server/gate.js';
import { JudgePool } from '../../src/gate/server/judge-pool.js';

let shared: Promise<SelfSigned> | undefined;

/** One authority for all tests of a run. */
function testCertificates(): Promise<SelfSigned> {
  return (shared ??= selfSigned(['localhost', '127.0.0.1']));
}

export interface TestGate extends Gate {
  readonly registry: Registry;
  readonly authority: string;
  /** Sends bytes to /validate and gives back whatever came. */
  post(body: string | Buffer, options?: PostOptions): Promise<Answer>;
  metricLines(name: string): Promise<string[]>;
}

export interface PostOptions extends Omit<RequestOptions, 'agent'> {
  readonly path?: string;
  readonly agent?: Agent | false;
}

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export interface TestGateOptions {
  readonly policy?: () => Policy;
  readonly reviewers?: readonly Reviewer[];
  readonly view?: ClusterView;
  readonly certificates?: CertificateSource;
  readonly clients?: GateOptions['clients'];
  readonly authority?: string;
  readonly maxBodyBytes?: number;
  readonly maxConnections?: number;
  readonly pool?: Pick<JudgePool, 'judge' | 'close'>;
}

export async function startTestGate(options: TestGateOptions = {}): Promise<TestGate> {
  const certificates = options.certificates ?? (await testCertificates());
  const authority = options.authority ?? (await testCertificates()).authority;
  const registry = new Registry();
  const gate = await startGate({
    listen: { host: '127.0.0.1', port: 0 },
    metricsListen: { host: '127.0.0.1', port: 0 },
    certificates,
    clients: options.clients,
    policy: options.policy ?? (() => defaultPolicy),
    reviewers: options.reviewers ?? createReviewers(FolderState.of([])),
    view: options.view ?? FolderCluster.of([]),
    pool:
      options.pool ??
      new JudgePool({ workers: 1, worker: new URL('../../dist/judge-worker.js', import.meta.url) }),
    registry,
    metrics: createGateMetrics(registry, 'test'),
    log: createLog('silent'),
    maxBodyBytes: options.maxBodyBytes,
    maxConnections: options.maxConnections,
  });
  return {
    ...gate,
    registry,
    authority,
    post: (body, post = {}) => send(gate.url, authority, body, post),
    async metricLines(name) {
      const text = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
      return text.split('\n').filter((line) => line.startsWith(name));
    },
  };
}

/** One request; rejects only when there was no answer at all. */
export function send(
  url: string,
  authority: string,
  body: string | Buffer,
  { path = '/validate', headers, ...rest }: PostOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      new URL(path, url),
      {
        method: 'POST',
        ca: authority,
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
        ...rest,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

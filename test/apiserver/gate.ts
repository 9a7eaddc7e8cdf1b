/** The gate as a cluster runs it: its own process, asked by a real API server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestCluster } from './cluster.js';
import { demandLogLines } from './log-lines.js';
import { hasExited, lastLines, startProcess, stopProcess, until } from './processes.js';

export interface TestGate {
  readonly pid: number;
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly metricsUrl: string;
  /** PEM, for a webhook's caBundle; empty when the gate was given a certificate. */
  readonly ca: string;
  /** What it writes to standard error and standard output. */
  readonly logFile: string;
  /** What it has logged so far, one JSON record per line. */
  logs(): Record<string, unknown>[];
  /** The text of /metrics. */
  metrics(): Promise<string>;
  /** Nobody reads its log from then on, until the returned function is called. */
  leaveLogUnread(): () => void;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** @throws Error where it has logged a line that schemas/log.schema.json does not have */
  stop(): Promise<void>;
}

interface WebhookRule {
  apiGroups: string[];
  apiVersions: string[];
  operations: string[];
  resources: string[];
}

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
let started = 0;

/**
 * `olm-guard serve` on free ports with a certificate of its own.
 *
 * @param folder where its files go, for example the cluster's
 * @param env of its process
 * @throws Error with the end of its log when it does not get ready
 */
export async function startGate(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<TestGate> {
  const name = `olm-guard-${++started}`;
  const caFile = join(folder, `${name}-ca.crt`);
  const logFile = join(folder, `${name}.log`);
  const server = startProcess(
    name,
    process.execPath,
    [
      main,
      'serve',
      '--listen=127.0.0.1:0',
      '--metrics-listen=127.0.0.1:0',
      `--tls-ca-out=${caFile}`,
      ...args,
    ],
    logFile,
    env,
  );
  let urls: [string, string] | undefined;
  if (server.child.stdout === null) throw new Error(`${name} has no stdout`);
  createInterface({ input: server.child.stdout }).on('line', (line) => {
    const [, url, metricsUrl] = /^olm-guard ready (\S+) metrics (\S+)$/.exec(line) ?? [];
    if (url !== undefined && metricsUrl !== undefined) urls = [url, metricsUrl];
  });
  // Read as it comes: the folder may be gone when the gate is stopped.
  let unknownLine: Error | undefined;
  if (server.child.stderr === null) throw new Error(`${name} has no stderr`);
  createInterface({ input: server.child.stderr }).on('line', (line) => {
    try {
      demandLogLines(`${line}\n`);
    } catch (error) {
      unknownLine ??= error as Error;
    }
  });
  const [url, metricsUrl] = await until('olm-guard to be ready', () => {
    if (urls === undefined && hasExited(server)) {
      throw new Error(`${name} ended:\n${lastLines(server)}`);
    }
    return urls;
  }).catch(async (error: unknown) => {
    await stopProcess(server, 'SIGKILL');
    throw error;
  });
  return {
    pid: server.child.pid ?? 0,
    url,
    metricsUrl,
    ca: existsSync(caFile) ? readFileSync(caFile, 'utf8') : '',
    logFile,
    logs: () => jsonLines(readFileSync(logFile, 'utf8')),
    // A connection that is kept may be closed by the gate just as it is used again.
    metrics: async () =>
      (await fetch(`${metricsUrl}/metrics`, { headers: { connection: 'close' } })).text(),
    leaveLogUnread: () => {
      const { child, log } = server;
      child.stderr?.unpipe(log).pause();
      return () => void child.stderr?.pipe(log, { end: false });
    },
    kill: () => stopProcess(server, 'SIGKILL'),
    stop: async () => {
      await stopProcess(server, 'SIGTERM', 60_000);
      if (unknownLine !== undefined) throw unknownLine;
    },
  };
}

export interface Registration {
  /** Of the webhook, as denials name it. */
  name: string;
  rules: readonly WebhookRule[];
  /** How long the API server waits for an answer; 30 when it is not given. */
  timeoutSeconds?: number;
  /** Makes a request that only the gate answers as it does, so that the suite can begin. */
  isAsked: () => Promise<boolean>;
}

/** Registers the gate and waits until the API server asks it. */
export async function registerGate(
  cluster: TestCluster,
  gate: TestGate,
  { name, rules, timeoutSeconds = 30, isAsked }: Registration,
): Promise<void> {
  const answer = await cluster.request(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'olm-guard' },
      webhooks: [
        {
          name,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          // A gate that does not answer must be seen in a test.
          failurePolicy: 'Fail',
          timeoutSeconds,
          clientConfig: {
            url: `${gate.url}/validate`,
            caBundle: Buffer.from(gate.ca).toString('base64'),
          },
          rules,
        },
      ],
    },
  );
  if (answer.code !== 201) throw new Error(`the webhook was not registered: ${answer.text}`);
  // The API server reads its list of webhooks anew about once a second.
  await sleep(2000);
  await until('the API server to ask the gate', async () => (await isAsked()) || undefined);
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

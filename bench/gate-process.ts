/** The built gate as a process of its own, for measurements. */
import { spawn, type ChildProcess, type IOType } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../src/gate/server/certificates/files.js';
import { mainHeap, semiSpace } from '../src/gate/server/memory.js';

const lastWordsCharacters = 2000;
const main = join(import.meta.dirname, '..', 'dist', 'main.js');

/** Node's options as the manifests give them. */
export const shippedNode: readonly string[] = [
  `--max-old-space-size=${mainHeap}`,
  `--max-semi-space-size=${semiSpace}`,
];

export interface GateProcess {
  readonly pid: number;
  readonly url: string;
  readonly metricsUrl: string;
  /** PEM of the CA of its certificate. */
  readonly authority: string;
  /** From the start of the process to its ready line. */
  readonly millisecondsToReady: number;
  /** The largest resident set so far; undefined where the system does not tell. */
  peakBytes(): number | undefined;
  /** Processor time of the process so far. */
  processorSeconds(): Promise<number>;
  /** Milliseconds that the event loop's thread has run so far; undefined where the system does not tell. */
  loopMilliseconds(): number | undefined;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** The end of its log so far; empty where `stderr` sends the log elsewhere. */
  lastWords(): string;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** Where its log goes; by default to where this process's goes, and its end is kept. */
  readonly stderr?: IOType | number;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** Starts `olm-guard serve` on free ports. */
export function startGateProcess(
  args: readonly string[] = [],
  options: ProcessOptions = {},
): Promise<GateProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-bench-'));
  const authorityFile = join(folder, 'ca.pem');
  const serve = [
    ...['serve', '--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0'],
    ...['--tls-ca-out', authorityFile, '--log-level', 'error', ...args],
  ];
  return startProcess(serve, { ...options, folder, authorityFile });
}

/** What callers of a {@link startSidecarProcess} send as their bearer token. */
export const sidecarToken = '0123456789abcdef0123456789abcdef';

/** Starts `olm-guard sidecar` over TLS on a free port, where only callers with the token may ask. */
export async function startSidecarProcess(options: ProcessOptions = {}): Promise<GateProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-bench-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { current, authority } = await selfSigned(['localhost', '127.0.0.1']);
  const authorityFile = file('ca.pem', authority);
  const serve = [
    ...['sidecar', '--listen=127.0.0.1:0', '--log-level=error'],
    ...[
      `--token-file=${file('token', sidecarToken)}`,
      `--tls-cert-file=${file('tls.crt', current.cert)}`,
    ],
    `--tls-private-key-file=${file('tls.key', current.key)}`,
  ];
  return startProcess(serve, { ...options, folder, authorityFile });
}

async function startProcess(
  serve: readonly string[],
  {
    stderr = 'pipe',
    node = [],
    folder,
    authorityFile,
  }: ProcessOptions & { readonly folder: string; readonly authorityFile: string },
): Promise<GateProcess> {
  if (!existsSync(main)) throw new Error('build first: npm run build');
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [...node, main, ...serve],
    // As the image has it.
    { stdio: ['ignore', 'pipe', stderr], env: { ...process.env, MALLOC_ARENA_MAX: '1' } },
  );
  const ended = once(child, 'exit').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null,
  );
  const lastWords = keepLastWords(child);
  const line = await firstLine(child);
  if (line === undefined) throw endedEarly(await ended, lastWords());
  const millisecondsToReady = performance.now() - start;
  // A sidecar's metrics are where everything else of it is.
  const [, url, metricsUrl = url] = /^olm-guard ready (\S+)(?: metrics (\S+))?/.exec(line) ?? [];
  if (url === undefined || metricsUrl === undefined) throw new Error(`not ready: ${line}`);
  return {
    pid: child.pid ?? 0,
    url,
    metricsUrl,
    authority: readFileSync(authorityFile, 'utf8'),
    millisecondsToReady,
    peakBytes: () => peakBytes(child.pid),
    async processorSeconds() {
      const text = await (await fetch(`${metricsUrl}/metrics`)).text();
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
    },
    loopMilliseconds: () => loopMilliseconds(child.pid),
    ended,
    lastWords,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** What to throw where a gate was to be there and is not. */
export function endedEarly(code: number | NodeJS.Signals | null, lastWords: string): Error {
  return new Error(`the gate ended with ${code}: ${lastWords.trim() || 'without a word'}`);
}

/** Passes the log on to where this process's goes. */
function keepLastWords(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    kept = (kept + chunk.toString()).slice(-lastWordsCharacters);
  });
  return () => kept;
}

/** Undefined when it ends without one. */
async function firstLine(child: ChildProcess): Promise<string | undefined> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
  return undefined;
}

/** The largest resident set so far; undefined where the system does not tell. */
export function peakBytes(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** A process's first thread is Node's event loop. */
function loopMilliseconds(pid: number | undefined): number | undefined {
  try {
    const nanoseconds = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0];
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}

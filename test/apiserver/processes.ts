/** Starting a server for a test and making sure that it never outlives the test's process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A child process whose stdout and stderr go to a log file. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly name: string;
  readonly logFile: string;
  /** What its output goes to. */
  readonly log: Writable;
}

const running = new Set<ChildProcess>();
const cleanups = new Set<() => void>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const cleanup of cleanups) cleanup();
});
let end = (): void => process.exit(1);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Node's default for these skips the exit event.
  process.on(signal, () => end());
}

/** For a process that is ended as it should be: `way` in place of the exit code of a suite broken off. */
export function endOnSignal(way: () => void): void {
  end = way;
}

/** Calls `cleanup` when this process ends, until the returned function has been called. */
export function atExit(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

export function startProcess(
  name: string,
  program: string,
  args: readonly string[],
  logFile: string,
  env: NodeJS.ProcessEnv = process.env,
): ServerProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  running.add(child);
  child.once('error', (error) => log.write(`cannot run ${program}: ${error.message}\n`));
  child.once('close', () => {
    running.delete(child);
    log.end();
  });
  return { child, name, logFile, log };
}

export function hasExited({ child }: ServerProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/** Ends the process by its own id; SIGKILL when it has not gone after `graceMs`. */
export async function stopProcess(
  server: ServerProcess,
  signal: NodeJS.Signals,
  graceMs = 10_000,
): Promise<void> {
  if (hasExited(server)) return;
  const gone = new Promise<void>((resolve) => server.child.once('exit', () => resolve()));
  server.child.kill(signal);
  const timer = setTimeout(() => server.child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(timer);
}

/** The end of the log, for messages about a server that did not come up. */
export function lastLines({ logFile }: ServerProcess, count = 15): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * Asks `check` every `everyMs` until it gives something other than undefined.
 *
 * @throws Error naming `what` when `timeoutMs` have passed
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined> | T | undefined,
  { timeoutMs = 60_000, everyMs = 100 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await check();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await sleep(everyMs);
  }
}

/** TCP ports on loopback that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
      return server;
    }),
  );
  const ports: number[] = [];
  for (const server of servers) {
    const address = server.address();
    if (typeof address === 'object' && address !== null) ports.push(address.port);
    await new Promise((resolve) => server.close(resolve));
  }
  return ports;
}

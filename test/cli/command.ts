/** `olm-guard …` as a process, as `npm test` has built it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A process that goes on, and what it has written so far. */
export interface Started {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
}

export function start(args: readonly string[], { cwd, env }: RunOptions = {}): Started {
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js'), ...args], {
    cwd: cwd ?? root,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs to its end. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const started = start(args, options);
  // A command that refuses its arguments ends before it has read its input.
  started.process.stdin?.on('error', () => undefined).end(options.stdin ?? '');
  const code = await started.ended;
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

/** `olm-guard …` as a process, as `npm test` has built it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.js';
import { demandSchema, schemaFileOf } from './output-schema.js';

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

const built: readonly string[] = [join(root, 'dist', 'main.js')];
/** Whose functions have their names still, for a profiler to count them by. */
const source: readonly string[] = [
  ...['--import', import.meta.resolve('tsx')],
  join(root, 'src', 'cli', 'main.ts'),
];

export function start(
  args: readonly string[],
  { cwd, env }: RunOptions = {},
  program: readonly string[] = built,
): Started {
  const child = spawn(process.execPath, [...program, ...args], {
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

/**
 * Runs to its end.
 *
 * @throws Error where it has printed JSON that its schema does not have
 */
export async function run(
  args: readonly string[],
  options: RunOptions = {},
  program?: readonly string[],
): Promise<Ended> {
  const started = start(args, options, program);
  // A command that refuses its arguments ends before it has read its input.
  started.process.stdin?.on('error', () => undefined).end(options.stdin ?? '');
  const code = await started.ended;
  return demanded(args, { code, stdout: started.stdout(), stderr: started.stderr() });
}

function demanded(args: readonly string[], ended: Ended): Ended {
  // Bad input has no document.
  const schema = ended.stdout === '' ? undefined : schemaFileOf(args);
  if (schema !== undefined) demandSchema(schema, ended.stdout);
  return ended;
}

let lastHere: Promise<unknown> = Promise.resolve();

/**
 * Runs a command from its source in this process, one at a time: a tenth of the time of {@link run}. It does not
 * test how the process starts and ends, nor the bundle.
 */
export function runHere(
  args: readonly string[],
  { cwd = root }: Pick<RunOptions, 'cwd'> = {},
): Promise<Ended> {
  const ended = lastHere.then(() => runInTurn(args, cwd));
  lastHere = ended.catch(() => undefined);
  return ended;
}

async function runInTurn(args: readonly string[], cwd: string): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const kept = { argv: process.argv, cwd: process.cwd(), code: process.exitCode };
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is put back where it was
    const { write, isTTY } = stream;
    stream.isTTY = false;
    stream.write = (text: string | Uint8Array) => {
      said[name] += Buffer.from(text as string).toString();
      return true;
    };
    return () => Object.assign(stream, { write, isTTY });
  });
  process.argv = [process.execPath, 'olm-guard', ...args];
  process.exitCode = 0;
  try {
    process.chdir(cwd);
    await runCommandLine();
    return demanded(args, { code: process.exitCode, ...said });
  } finally {
    for (const restore of streams) restore();
    process.argv = kept.argv;
    process.exitCode = kept.code;
    process.chdir(kept.cwd);
  }
}

/** {@link run} from the source. */
export const runSource = (args: readonly string[], options: RunOptions): Promise<Ended> =>
  run(args, options, source);

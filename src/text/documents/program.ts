/** Programs of this machine that read what a command was given: `git`, `kubectl`, `kustomize`, `helm`. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

export interface ProgramOptions {
  readonly cwd?: string;
  /** What the program gets instead of the environment of this process; its PATH is narrowed. */
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Limit of standard output. */
  readonly maxBytes: number;
  readonly milliseconds: number;
  /** Bytes that it and each program it starts may reserve, where this system can hold it to that. */
  readonly maxMemory?: number;
}

export interface ProgramAnswer {
  /** Null where the program was ended or could not be started. */
  readonly code: number | null;
  readonly output: Buffer;
  /** What it wrote to standard error, the last lines of at most 10,000 characters. */
  readonly said: string;
  /** Which bound it was ended by. */
  readonly past?: 'size' | 'time' | 'memory';
}

/**
 * Runs a program by its name, without a shell, until it ends or is past a bound.
 *
 * @returns undefined where PATH has no such program outside of the repository around the working
 *   directory: a branch may hold a `git` of its own, and `node_modules/.bin` is on PATH under npx
 */
export async function runProgram(
  name: string,
  argv: readonly string[],
  { cwd, env, input, maxBytes, milliseconds, maxMemory }: ProgramOptions,
): Promise<ProgramAnswer | undefined> {
  const folders = trustedFolders(env);
  const file = programIn(folders, name);
  if (file === undefined) return undefined;
  const [started = file, ...args] = limited([file, ...argv], maxMemory);
  const child = spawn(started, args, {
    cwd,
    env: { ...env, PATH: folders.join(delimiter) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const pieces: Buffer[] = [];
  let size = 0;
  let said = '';
  let past: ProgramAnswer['past'];
  const endBy = (bound: 'size' | 'time'): void => {
    past ??= bound;
    child.kill('SIGKILL');
    // A process that it started may hold these open for as long as it likes.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  child.stdout.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    else endBy('size');
  });
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString('utf8');
    // The stacks of all that it was doing follow.
    if (maxMemory !== undefined && noMemory.test(said)) past ??= 'memory';
    // A line that is cut names another file than the program did.
    if (said.length > mostSaid) said = said.slice(-mostSaid).replace(/^.*\n/, '');
  });
  child.stdin.on('error', () => undefined).end(input ?? '');
  const timer = setTimeout(() => endBy('time'), milliseconds);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      said = String(error);
      resolve(null);
    });
    child.on('close', resolve);
  });
  clearTimeout(timer);
  const answer = { code, output: Buffer.concat(past === undefined ? pieces : []), said };
  return past === undefined ? answer : { ...answer, past };
}

const mostSaid = 10_000;

/** As Go's runtime says it. */
const noMemory = /^(?:fatal error|runtime): .*(?:out of|allocate) memory/m;

/** Only a shell sets limits, where no lower one is set. It reads nothing of the program's name and arguments. */
function limited(program: readonly string[], maxMemory: number | undefined): readonly string[] {
  if (maxMemory === undefined || process.platform !== 'linux') return program;
  const kilobytes = String(Math.floor(maxMemory / 1024));
  return ['/bin/sh', '-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"', kilobytes, ...program];
}

/** The nearest folder upwards that has a `.git`: no branch can contain one. */
export function topOfRepository(from: string): string | undefined {
  if (existsSync(join(from, '.git'))) return from;
  return dirname(from) === from ? undefined : topOfRepository(dirname(from));
}

/** Those of PATH that nobody can put a program into by a branch. */
function trustedFolders({ PATH = '' }: NodeJS.ProcessEnv): string[] {
  const checked = topOfRepository(process.cwd());
  return PATH.split(delimiter).filter((folder) => {
    // A relative one, and the empty one, is wherever a command happens to run.
    if (!isAbsolute(folder) || !existsSync(folder)) return false;
    return checked === undefined || !isReallyWithin(checked, folder);
  });
}

function programIn(folders: readonly string[], name: string): string | undefined {
  const checked = topOfRepository(process.cwd());
  return folders
    .map((folder) => join(folder, process.platform === 'win32' ? `${name}.exe` : name))
    .find((file) => isProgram(file) && (checked === undefined || !isReallyWithin(checked, file)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isReallyWithin(folder: string, path: string): boolean {
  return isWithin(realpathSync(folder), realpathSync(path));
}

/** By their texts alone: pass real paths, where links are not to lead out. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/**
 * Starts the programs of this machine that read a command's input: `git`, `kubectl`, `kustomize`, `helm`,
 * `controller-gen`. They are started here and nowhere else.
 *
 * Their input was written by others, so they get nothing of the user who runs the check: only the variables
 * listed here, a HOME and a TMPDIR of their own, and no network.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { topOfRepository } from './top-of-repository.js';

export interface ProgramOptions {
  readonly cwd?: string;
  /** Variables beside `PATH`, `LANG`, `HOME` and `TMPDIR`, and in place of them; PATH is narrowed. */
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Limit of standard output. */
  readonly maxBytes: number;
  readonly milliseconds: number;
  /** Bytes that it and each program it starts may reserve, where this system can hold it to that. */
  readonly maxMemory?: number;
  /** Whether it may reach other machines and services of this one; not by default. */
  readonly usesNetwork?: boolean;
}

export interface ProgramAnswer {
  /** Null where the program was ended or could not be started. */
  readonly code: number | null;
  readonly output: Buffer;
  /** Its standard error, the last lines of at most 10,000 characters. */
  readonly said: string;
  /** Which bound it was ended by. */
  readonly past?: 'size' | 'time' | 'memory';
}

/** Without a shell. @returns undefined where PATH has it only in the repository, which a branch may write */
export async function runProgram(
  name: string,
  argv: readonly string[],
  options: ProgramOptions,
): Promise<ProgramAnswer | undefined> {
  const { env, maxMemory, usesNetwork = false } = options;
  const folders = trustedFolders(env?.['PATH'] ?? process.env['PATH']);
  const file = programIn(folders, name);
  if (file === undefined) return undefined;
  const path = folders.join(delimiter);
  const way = usesNetwork ? [] : await withoutNetwork(path);
  const home = await mkdtemp(join(tmpdir(), 'olm-guard-home-'));
  try {
    const command = [...way, ...limited([file, ...argv], maxMemory)];
    return await untilItEnds(command, {
      ...options,
      env: { ...environment(home, usesNetwork), ...env, PATH: path },
    });
  } finally {
    // Its children may still write there, as go counts its uses.
    const removal = { recursive: true, force: true, maxRetries: 5 };
    await rm(home, removal).catch(() => undefined);
  }
}

/** The file that {@link runProgram} starts for a name, and what changes when another one takes its place. */
export function programIdentity(name: string): string | undefined {
  const file = programIn(trustedFolders(process.env['PATH']), name);
  if (file === undefined) return undefined;
  const real = realpathSync(file);
  const { ino, size, mtimeNs, ctimeNs } = statSync(real, { bigint: true });
  return [file, real, ino, size, mtimeNs, ctimeNs].join('\n');
}

/** Variables that name no secret and no place of the user. */
const kept = ['LANG', 'SystemRoot'];
/** Only where the network is wanted: how it is reached. */
const keptForNetwork = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

function environment(home: string, usesNetwork: boolean): NodeJS.ProcessEnv {
  const names = usesNetwork ? [...kept, ...keptForNetwork] : kept;
  const own = ['HOME', 'TMPDIR', 'USERPROFILE', 'LOCALAPPDATA', 'TEMP', 'TMP'];
  return Object.fromEntries([
    ...names.map((name) => [name, process.env[name]] as const),
    ...own.map((name) => [name, home] as const),
  ]);
}

/** By PATH: whether there is such a way is found out once. */
const ways = new Map<string, Promise<readonly string[]>>();

/** A network namespace in which nothing can be reached; empty where this system allows none without rights. */
function withoutNetwork(path: string): Promise<readonly string[]> {
  const known = ways.get(path) ?? findWay(path);
  ways.set(path, known);
  return known;
}

async function findWay(path: string): Promise<readonly string[]> {
  const unshare = programIn(path.split(delimiter), 'unshare');
  const readlink = programIn(path.split(delimiter), 'readlink');
  if (process.platform !== 'linux' || unshare === undefined || readlink === undefined) return [];
  const ours = readlinkSync(namespace);
  const asUser = ['--user', '--map-current-user', '--net', '--'];
  // With a namespace of users, root could not read the files of others any more.
  for (const flags of process.getuid?.() === 0 ? [['--net', '--'], asUser] : [asUser]) {
    const bounds = { maxBytes: 1000, milliseconds: 10_000, env: { PATH: path } };
    const { code, output } = await untilItEnds([unshare, ...flags, readlink, namespace], bounds);
    const theirs = output.toString('utf8').trim();
    if (code === 0 && theirs.startsWith('net:') && theirs !== ours) return [unshare, ...flags];
  }
  return [];
}

const namespace = '/proc/self/ns/net';

/** Whether programs that are started have no network, whatever they try. */
export async function isCutOff(): Promise<boolean> {
  const path = trustedFolders(process.env['PATH']).join(delimiter);
  return (await withoutNetwork(path)).length > 0;
}

async function untilItEnds(
  [started = '', ...args]: readonly string[],
  { cwd, env, input, maxBytes, milliseconds, maxMemory }: Omit<ProgramOptions, 'usesNetwork'>,
): Promise<ProgramAnswer> {
  const child = spawn(started, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
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

/** Go's runtime prints this before it ends a program. */
const noMemory = /^(?:fatal error|runtime): .*(?:out of|allocate) memory/m;

/** Only a shell sets limits, where no lower one is set. It reads nothing of the program's name and arguments. */
function limited(program: readonly string[], maxMemory: number | undefined): readonly string[] {
  if (maxMemory === undefined || process.platform !== 'linux') return program;
  const kilobytes = String(Math.floor(maxMemory / 1024));
  return ['/bin/sh', '-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"', kilobytes, ...program];
}

/** By PATH and repository: folders of programs stay where they are. */
const trusted = new Map<string, readonly string[]>();

function trustedFolders(path = ''): readonly string[] {
  const checked = checkedRepository();
  const key = `${checked}\n${path}`;
  const known = trusted.get(key);
  if (known !== undefined) return known;
  // A relative one, and the empty one, is wherever a command happens to run.
  const folders = path
    .split(delimiter)
    .filter((each) => isAbsolute(each) && existsSync(each) && !isReallyWithin(checked, each));
  trusted.set(key, folders);
  return folders;
}

function programIn(folders: readonly string[], name: string): string | undefined {
  const checked = checkedRepository();
  return folders
    .map((folder) => join(folder, process.platform === 'win32' ? `${name}.exe` : name))
    .find((file) => isProgram(file) && !isReallyWithin(checked, file));
}

/** Its real path. */
function checkedRepository(): string | undefined {
  const top = topOfRepository(process.cwd());
  return top === undefined ? undefined : realpathSync(top);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Without links on its way; one that is not there yet is made where its name says. */
export function realPlace(named: string): string {
  const path = resolve(named);
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
}

function isReallyWithin(folder: string | undefined, path: string): boolean {
  return folder !== undefined && isWithin(folder, realpathSync(path));
}

/** By their texts alone: pass real paths, where links are not to lead out. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

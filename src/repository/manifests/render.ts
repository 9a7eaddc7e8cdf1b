/** Programs that make manifests of what a repository holds: `kubectl`, `kustomize`, `helm`. */
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';
import { programIdentity, runProgram } from '../../text/documents/program.js';
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../text/documents/cache-folder.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import { version } from '../../text/package.js';

/** How long a program may take, which may fetch what a kustomization refers to. */
const longestMs = 120_000;
/** In bytes: one line of a template can ask for any amount. */
const maxMemory = 4 * 1024 ** 3;

const limits = { maxBytes: defaultLimits.maxBytes, milliseconds: longestMs, maxMemory };

const bounds = {
  memory: `it takes more than ${maxMemory} bytes of memory`,
  size: `it prints more than ${defaultLimits.maxBytes} bytes`,
  time: `it takes more than ${longestMs / 1000} seconds`,
};

/** Helm's last line, below the reason. */
const hintOfHelm = /\s*\nUse --debug flag to render out invalid YAML$/;
/** Helm's error for a chart whose dependencies were not fetched, and its hint in fewer words. */
const missingCharts =
  /An error occurred while checking for chart dependencies\. .*, but missing in charts\/ directory: (.*)/;
/** Log messages of several lines are between `<` and `>`, and may quote a configuration. */
const endOfLog = /\s*\n\s*>$/;
const endOfQuote = /^\s*`:\s*/;
/** As Kubernetes' programs log an error, with the time and the number of their process. */
const loggedError = /^E\d{4} [\d:.]+ +\d+ \S+\] "command failed" err="(.*)"$/;

export interface Rendering {
  readonly file: string;
  readonly cwd: string;
  readonly usesNetwork: boolean;
}

/** The arguments of each program that render, and that print its version. */
const commands = {
  kustomize: { render: ['build'], version: ['version'] },
  kubectl: { render: ['kustomize'], version: ['version', '--client'] },
  helm: { render: ['template', '--include-crds'], version: ['version'] },
} as const;

export type RenderProgram = keyof typeof commands;

export interface InstalledProgram {
  readonly name: RenderProgram;
  /** Changes with each version of the program. */
  readonly identity: string;
}

const versions = new Map<string, Promise<string>>();

/** @param asksVersion for an identity that holds in later runs: the file may only start the program */
export async function installedProgram(
  names: readonly RenderProgram[],
  asksVersion: boolean,
): Promise<InstalledProgram | undefined> {
  for (const name of names) {
    const file = programIdentity(name);
    if (file === undefined) continue;
    if (!asksVersion) return { name, identity: file };
    const version = versions.get(file) ?? versionOf(name);
    versions.set(file, version);
    return { name, identity: `${file}\n${await version}` };
  }
  return undefined;
}

async function versionOf(name: RenderProgram): Promise<string> {
  const answer = await runProgram(name, commands[name].version, { ...limits, env: offlineOnly });
  return `${String(answer?.code)} ${answer?.output.toString('utf8') ?? ''}`;
}

/**
 * @param argv a repository's names behind `--`: else an option such as `--post-renderer=./x` @throws `E_INPUT`,
 * `E_LIMIT`
 */
export async function render(
  { name }: InstalledProgram,
  argv: readonly string[],
  { file, cwd, usesNetwork }: Rendering,
): Promise<Buffer> {
  const env = usesNetwork ? { ...environment, ...online } : offlineOnly;
  const options = { ...limits, cwd, env, usesNetwork };
  const answer = await runProgram(name, [...commands[name].render, ...argv], options);
  if (answer?.code === 0) return answer.output;
  const said =
    (answer?.said ?? 'it is gone')
      .trim()
      .replace(hintOfHelm, '')
      .replace(endOfLog, '')
      .split('\n')
      .at(-1)
      ?.replace(/^error: /i, '')
      .replace(endOfQuote, '')
      .replace(
        missingCharts,
        'its dependencies ($1) are not in charts/: helm dependency build fetches them',
      )
      .replace(loggedError, (_, message: string) => message.replaceAll('\\"', '"')) ?? '';
  const reason = answer?.past === undefined ? said : bounds[answer.past];
  throw new InvalidInputError(
    answer?.past === undefined ? 'E_INPUT' : 'E_LIMIT',
    `${name} cannot render it: ${reason === '' ? 'it gave no reason' : reason}; mend it, or render it yourself and name the result`,
    { file },
  );
}

/** They are written in Go and end soon: to collect garbage takes two fifths of their time, and few ever need that much memory. */
const environment = {
  GOGC: 'off',
  GOMEMLIMIT: '512MiB',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** For Go's programs and the git that they call. */
const offline = {
  GIT_ALLOW_PROTOCOL: 'none',
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [
      name,
      // The discard port: nothing answers there. Go asks no proxy for what is on this machine.
      'http://127.0.0.1:9',
    ]),
  ),
};

const offlineOnly = { ...environment, ...offline };

/** Neither files of this machine nor keys of its user. */
const online = { GIT_ALLOW_PROTOCOL: 'git:http:https' };

const mostEntryBytes = 16 * 1024 * 1024;
const mostBytesHere = 64 * 1024 * 1024;
/** All entries in the folder together. */
const mostBytes = 256 * 1024 * 1024;
const mostEntries = 10_000;

/** @param parts texts of any content: where one ends and the next begins is part of the digest */
export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const each = parts.map((part) => createHash('sha256').update(part).digest());
  return createHash('sha256').update(Buffer.concat(each)).digest('hex');
}

/**
 * Output of programs for the same bytes: in this process, and in the user's own cache folder. An entry is named by
 * the digest of all that a rendering reads, of its arguments and of the program, so that a repository finds only
 * what it holds itself. An entry that is not whole counts as none.
 */
export class RenderingCache {
  readonly #here = new Map<string, Buffer>();
  #bytesHere = 0;
  /** Entries and bytes of the folder, counted before the first is added. */
  #kept: { entries: number; bytes: number } | undefined;
  #folder: string | undefined;
  /** On what the folder depends, asked for once. */
  #asked: string | undefined;

  /** None on CI: a pull request may run programs as the user whose later runs would read the folder. */
  get folder(): string | undefined {
    const { CI: isOnCi = '', OLM_GUARD_CACHE: chosen, XDG_CACHE_HOME: xdg = '' } = process.env;
    if (isOnCi !== '' && chosen === undefined) return undefined;
    const asked = [process.cwd(), xdg, chosen].join('\n');
    if (this.#asked !== asked) [this.#asked, this.#folder] = [asked, cacheFolder('rendered')];
    return this.#folder;
  }

  async find(key: string): Promise<Buffer | undefined> {
    const { folder } = this;
    const here = this.#here.get(key);
    if (here !== undefined || folder === undefined) return here;
    try {
      const content = await readRegularFile(join(folder, name(key)), mostEntryBytes, folder);
      const bytes = content.subarray(key.length);
      if (content.subarray(0, key.length).toString('latin1') !== digestOf(key, bytes)) return;
      this.#keepHere(key, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }

  async add(key: string, bytes: Buffer): Promise<void> {
    const { folder } = this;
    this.#keepHere(key, bytes);
    const size = key.length + bytes.length;
    if (folder === undefined || size > mostEntryBytes) return;
    const part = join(folder, `${randomUUID()}.part`);
    try {
      await this.#makeRoom(folder, size);
      const content = Buffer.concat([Buffer.from(digestOf(key, bytes)), bytes]);
      await writeFile(part, content, { flag: 'wx', mode: 0o600 });
      await rename(part, join(folder, name(key)));
    } catch {
      // For example, the disk is full: the next run renders again.
      await rm(part, { force: true }).catch(() => undefined);
    }
  }

  #keepHere(key: string, bytes: Buffer): void {
    this.#bytesHere += bytes.length;
    if (this.#bytesHere > mostBytesHere) {
      this.#here.clear();
      this.#bytesHere = bytes.length;
    }
    this.#here.set(key, bytes);
  }

  /** Removes the oldest half of what is there when it is full. */
  async #makeRoom(folder: string, size: number): Promise<void> {
    const kept = (this.#kept ??= await countIn(folder));
    kept.entries++;
    kept.bytes += size;
    if (kept.entries <= mostEntries && kept.bytes <= mostBytes) return;
    const files = (await readdir(folder)).map((each) => join(folder, each));
    const found = await Promise.all(
      files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })),
    );
    found.sort((one, other) => one.time - other.time);
    for (const { file } of found.slice(0, Math.ceil(found.length / 2))) await rm(file);
    this.#kept = undefined;
  }
}

async function countIn(folder: string): Promise<{ entries: number; bytes: number }> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (each) => (await stat(join(folder, each))).size),
  );
  return { entries: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Another version of olm-guard may render differently or write other entries. */
function name(key: string): string {
  return digestOf(version, key);
}

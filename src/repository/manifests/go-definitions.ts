/**
 * Definitions that controller-gen makes of Go types.
 *
 * Nothing of a repository runs: controller-gen and `go list` parse and check types. What could run
 * programs, fetch or write is switched off: cgo, other toolchains, proxies and version control, flags
 * and settings of the user's Go, workspaces and drivers of packages.
 */
import { realpath, stat } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, posix, sep } from 'node:path';
import { GoTypes, type GoFile } from './go-types.js';
import { InvalidInputError, type InputErrorCode } from '../../text/documents/index.js';
import { partsOf } from '../../text/documents/git-revision.js';
import {
  isWithin,
  realPlace,
  runProgram,
  type ProgramAnswer,
} from '../../text/documents/program.js';
import { statOf } from '../../text/documents/regular-file.js';
import { topOfRepository } from '../../text/documents/top-of-repository.js';
import { foldersAround, repositoryOf, type Repository } from './repository.js';

/** The prefix of a source of definitions that is a folder of Go types. */
export const goPrefix = 'go:';

export interface GoDefinitions {
  /** YAML documents. */
  readonly bytes: Buffer;
  readonly types: GoTypes;
  readonly textOf: (file: string) => string | undefined;
}

/** The most that controller-gen may print, and the most that all Go files may have together. */
const maxBytes = 64 * 1024 * 1024;
const longestMs = 120_000;
/** A few nested types can ask for any amount: each field has the whole schema of its type. */
const maxMemory = 4 * 1024 ** 3;

/** `go:FOLDER`, `go:FOLDER/...`, or either in a commit: `go:git:REF:FOLDER`. @throws InvalidInputError */
export async function goDefinitions(source: string): Promise<GoDefinitions> {
  const named = source.slice(goPrefix.length);
  const isRecursive = /(?:^|\/)\.\.\.$/.test(named);
  const folder = named.replace(/\/?\.\.\.$/, '') || '.';
  const isCommit = folder.startsWith('git:');
  const place = isCommit && partsOf(folder).path === undefined ? `${folder}:` : folder;
  if (!isCommit && !(await statOf(folder)).isDirectory()) throw notFolder(folder);
  const repository = await repositoryOf(place, { isPart: true });
  const shown = isCommit ? repository.sourceOf(repository.path) : folder;
  if ((await repository.kindOf(repository.path)) !== 'folder') throw notFolder(shown);
  try {
    return await generate({ source, shown, isRecursive, isCommit, repository });
  } finally {
    await repository.copy.remove();
  }
}

function notFolder(folder: string): InvalidInputError {
  return refused(folder, 'is no folder of a Go package; name its folder');
}

const needed =
  'needs go and controller-gen on the PATH, outside of the repository; go install sigs.k8s.io/controller-tools/cmd/controller-gen@VERSION';

interface Request {
  readonly source: string;
  /** The folder as messages name it. */
  readonly shown: string;
  readonly isRecursive: boolean;
  readonly isCommit: boolean;
  /** Around the folder. */
  readonly repository: Repository;
}

async function generate(request: Request): Promise<GoDefinitions> {
  const { source, isRecursive, repository } = request;
  const files = await goFiles(request);
  const isVendored = await copyModule(request);
  const folder = await realpath(await repository.copy.place(repository.path));
  const answer = await runProgram(
    'controller-gen',
    // Dangerous types are floats; definitions that have some were generated with this option too.
    ['crd:allowDangerousTypes=true', `paths=${isRecursive ? './...' : '.'}`, 'output:stdout'],
    { cwd: folder, env: environmentOf(isVendored), maxBytes, maxMemory, milliseconds: longestMs },
  );
  if (answer === undefined) throw refused(source, needed);
  if (answer.code !== 0) {
    throw refused(source, `controller-gen ${reasonOf(answer, folder, request)}`);
  }
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  const types = new GoTypes(files);
  return { bytes: answer.output, types, textOf: (file) => texts.get(file) };
}

async function goFiles({ shown, isRecursive, repository }: Request): Promise<GoFile[]> {
  const files: GoFile[] = [];
  let size = 0;
  for (const each of await repository.filesIn(repository.path)) {
    if (!each.endsWith('.go') || each.endsWith('_test.go')) continue;
    const path = posix.relative(repository.path, each);
    if (!isRecursive && path.includes('/')) continue;
    if (/(?:^|\/)(?:vendor|testdata)\//.test(path)) continue;
    const named = posix.join(shown.replaceAll(sep, '/'), path);
    const bytes = await repository.read(each);
    size += bytes.length;
    if (size > maxBytes)
      throw refused(shown, `has more than ${maxBytes} bytes of Go files`, 'E_LIMIT');
    files.push({ file: named, path, text: bytes.toString('utf8') });
  }
  return files;
}

/**
 * Modules in the repository that `go.mod` takes are copied too. @returns whether it is vendored @throws InvalidInputError
 */
async function copyModule({ source, isCommit, repository }: Request): Promise<boolean> {
  const { kindOf, withoutLinks, copy } = repository;
  const here = isCommit ? process.cwd() : realPlace(repository.sourceOf(repository.path));
  const tops = [topOfRepository(here) ?? here, topOfRepository(process.cwd())];
  for (const name of caches) {
    for (const folder of (process.env[name] ?? '').split(delimiter)) {
      const real = folder === '' ? undefined : realPlace(folder);
      if (real === undefined || !tops.some((top) => top !== undefined && isWithin(top, real))) {
        continue;
      }
      const message = `cannot be read while ${name} is ${folder}, a folder in the repository: Go takes programs and packages from there; unset it, or name a folder elsewhere`;
      throw refused(source, message);
    }
  }
  const start = (await withoutLinks(repository.path)) ?? repository.path;
  const around = foldersAround(posix.join(start, 'go.mod')).toReversed();
  for (const module of around) {
    const file = posix.join(module, 'go.mod');
    if ((await kindOf(file)) !== 'file') continue;
    await copyFilesOfGo(module, repository);
    for (const target of await replacements(await copy.place(file), source)) {
      const path = posix.join(module, target.replaceAll('\\', '/'));
      const isOutside = isAbsolute(target) || path === '..' || path.startsWith('../');
      const real = isOutside ? undefined : await withoutLinks(path.replace(/^\.$/, ''));
      if (isOutside || (real === undefined && (await isThere(repository.sourceOf(path))))) {
        const message = `go.mod replaces a module by ${target}, outside of the repository`;
        throw refused(source, message);
      }
      if (real === undefined || foldersAround(posix.join(real, 'x')).includes(module)) continue;
      await copyFilesOfGo(real, repository);
      await copy.place(path);
    }
    return (await kindOf(posix.join(module, 'vendor', 'modules.txt'))) === 'file';
  }
  throw refused(source, 'is in no Go module: there is no go.mod above it');
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

const readByGo = /\.go$|^go\.(?:mod|sum)$|^modules\.txt$/;

/** Of other files the names: Go embeds them. Links out of the repository are left out, as those of Bazel are. */
async function copyFilesOfGo(folder: string, repository: Repository): Promise<void> {
  const { everythingIn, withoutLinks, copy, sourceOf } = repository;
  await copy.eachOf(await everythingIn(folder), async ({ path, isRegular }) => {
    const isRead = readByGo.test(posix.basename(path));
    if (isRegular && !isRead) return copy.placeName(path);
    if (isRegular || (await withoutLinks(path)) !== undefined) await copy.place(path);
    else if (isRead) {
      throw refused(sourceOf(path), 'is a symbolic link that leads out of the repository');
    }
  });
}

/** Where Go takes programs, packages and what it has built before from. */
const caches = [
  ...['GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE'],
  ...['HOME', 'XDG_CACHE_HOME', 'USERPROFILE', 'LOCALAPPDATA'],
];

/** Folders in place of modules, as Go reads them: names may be quoted, with anything in them. */
async function replacements(file: string, source: string): Promise<string[]> {
  const bounds = { maxBytes: maxModuleBytes, milliseconds: longestMs, maxMemory };
  const answer = await runProgram('go', ['mod', 'edit', '-json', file], {
    ...{ cwd: dirname(file), env: environmentOf(false), ...bounds },
  });
  if (answer === undefined) throw refused(source, needed);
  if (answer.code !== 0) throw refused(source, 'is in a Go module whose go.mod Go cannot read');
  const { Replace } = JSON.parse(answer.output.toString('utf8')) as GoModule;
  return (Replace ?? []).flatMap(({ New }) => (New.Version === undefined ? [New.Path] : []));
}

const maxModuleBytes = 4 * 1024 * 1024;

/** The output of `go mod edit -json`. */
interface GoModule {
  readonly Replace?:
    readonly { readonly New: { readonly Path: string; readonly Version?: string } }[] | null;
}

/** Variables that Go gets: others, such as GOFLAGS, can make it run programs. Its caches are those of the user. */
function environmentOf(isVendored: boolean): NodeJS.ProcessEnv {
  const { env, platform } = process;
  const { GOROOT, GOPATH = join(homedir(), 'go') } = env;
  const [first = ''] = GOPATH.split(delimiter);
  const byDefault =
    platform === 'win32'
      ? env['LOCALAPPDATA']
      : platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : env['XDG_CACHE_HOME'];
  return {
    ...{ GOROOT, GOPATH },
    GOMODCACHE: env['GOMODCACHE'] ?? join(first, 'pkg', 'mod'),
    GOCACHE: env['GOCACHE'] ?? join(byDefault ?? join(homedir(), '.cache'), 'go-build'),
    GOFLAGS: `-mod=${isVendored ? 'vendor' : 'readonly'} -buildvcs=false`,
    ...{ CGO_ENABLED: '0', GO111MODULE: 'on', GOENV: 'off', GOWORK: 'off', GOTOOLCHAIN: 'local' },
    ...{ GOPROXY: 'off', GOSUMDB: 'off', GOVCS: '*:off', GOPACKAGESDRIVER: 'off' },
    // Where go counts its uses, by a process that outlives it.
    XDG_CONFIG_HOME: devNull,
  };
}

/** The first line of controller-gen's error output, with the names of files as messages have them. */
function reasonOf(answer: ProgramAnswer, folder: string, { shown, isCommit }: Request): string {
  if (answer.past === 'time') return `took longer than ${longestMs / 1000} s`;
  if (answer.past === 'size') return `prints more than ${maxBytes} bytes`;
  if (answer.past === 'memory') return `takes more than ${maxMemory} bytes of memory`;
  const [line = 'gave no reason'] = answer.said
    .replaceAll(`${folder}${sep}`, `${shown}/`)
    .split('\n')
    .map((each) => each.replace(/^(?:Error|-): |; to add:$/g, '').trim())
    .filter((each) => each !== '');
  const isOffline = /GOPROXY=off|no required module|cannot find module|missing go\.sum/i;
  const module = isCommit ? 'a checkout of that commit' : 'the module';
  // "go mod download" adds no missing line to go.sum.
  const command = answer.said.includes('missing go.sum') ? 'go mod tidy' : 'go mod download';
  const download = `; nothing is fetched: run "${command}" in ${module} first`;
  return `makes no definition of it: ${line}${isOffline.test(answer.said) ? download : ''}`;
}

function refused(
  file: string,
  message: string,
  code: InputErrorCode = 'E_INPUT',
): InvalidInputError {
  return new InvalidInputError(code, message, { file });
}

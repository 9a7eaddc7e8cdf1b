/**
 * Definitions that controller-gen makes of Go types.
 *
 * Nothing of a repository runs: controller-gen and `go list` parse and check types. What could run
 * programs, fetch or write is switched off: cgo, other toolchains, proxies and version control, flags
 * and settings of the user's Go, workspaces and drivers of packages.
 */
import { existsSync, realpathSync, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { GoTypes, type GoFile } from '../../../upgrade/index.js';
import { InvalidInputError, type InputErrorCode } from '../../../text/documents/index.js';
import { walkFolder } from '../../../text/documents/folder-walk.js';
import { openCommit } from '../../../text/documents/git.js';
import { partsOf } from '../../../text/documents/git-revision.js';
import {
  isWithin,
  runProgram,
  topOfRepository,
  type ProgramAnswer,
} from '../../../text/documents/program.js';
import { readRegularFile, unreadable } from '../../../text/documents/regular-file.js';
import { withCommitFolder } from './commit-folder.js';

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

/**
 * @param source `go:FOLDER`, `go:FOLDER/...` with all folders in it, or either in a commit: `go:git:REF:FOLDER`
 * @throws InvalidInputError where there are no types, or no definitions can be made of them
 */
export async function goDefinitions(source: string): Promise<GoDefinitions> {
  const named = source.slice(goPrefix.length);
  const isRecursive = /(?:^|\/)\.\.\.$/.test(named);
  const folder = named.replace(/\/?\.\.\.$/, '') || '.';
  if (!folder.startsWith('git:')) return generate({ source, folder, shown: folder, isRecursive });
  const { path, reference } = await openCommit(
    partsOf(folder).path === undefined ? `${folder}:` : folder,
  );
  return withCommitFolder(`git:${reference}:`, (top) => {
    const shown = `git:${reference}:${path}`;
    return generate({ source, folder: join(top, path), shown, isRecursive, top });
  });
}

const needed =
  'needs go and controller-gen on the PATH, outside of the repository; go install sigs.k8s.io/controller-tools/cmd/controller-gen@VERSION';

interface Request {
  readonly source: string;
  readonly folder: string;
  /** The folder as messages name it. */
  readonly shown: string;
  readonly isRecursive: boolean;
  /** The top folder of the repository, if `folder` is a copy outside of a repository. */
  readonly top?: string;
}

async function generate(request: Request): Promise<GoDefinitions> {
  const { source, folder, isRecursive } = request;
  const files = await goFiles(request);
  const module = await moduleAround(request);
  const answer = await runProgram(
    'controller-gen',
    // Dangerous types are floats; definitions that have some were generated with this option too.
    ['crd:allowDangerousTypes=true', `paths=${isRecursive ? './...' : '.'}`, 'output:stdout'],
    { cwd: folder, env: environmentFor(module), maxBytes, maxMemory, milliseconds: longestMs },
  );
  if (answer === undefined) throw refused(source, needed);
  if (answer.code !== 0) throw refused(source, `controller-gen ${await reasonOf(answer, request)}`);
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  const types = new GoTypes(files);
  return { bytes: answer.output, types, textOf: (file) => texts.get(file) };
}

async function goFiles({ folder, shown, isRecursive }: Request): Promise<GoFile[]> {
  if (!(await statsOf(folder, shown)).isDirectory()) {
    throw refused(shown, 'is no folder of a Go package; name its folder');
  }
  const wants = (name: string): boolean => name.endsWith('.go') && !name.endsWith('_test.go');
  const files: GoFile[] = [];
  let size = 0;
  for await (const { file, path, refusal } of walkFolder(folder, { wants })) {
    if (!isRecursive && path.includes('/')) continue;
    if (/(?:^|\/)(?:vendor|testdata)\//.test(path)) continue;
    const named = posix.join(shown.replaceAll(sep, '/'), path);
    if (refusal !== undefined) throw refused(named, refusal);
    const bytes = await readRegularFile(file, maxBytes);
    size += bytes.length;
    if (size > maxBytes)
      throw refused(shown, `has more than ${maxBytes} bytes of Go files`, 'E_LIMIT');
    files.push({ file: named, path, text: bytes.toString('utf8') });
  }
  return files;
}

async function statsOf(folder: string, shown: string): Promise<Stats> {
  try {
    return await stat(folder);
  } catch (error) {
    throw unreadable(shown, error);
  }
}

/**
 * The folder with the `go.mod` above the types.
 *
 * @throws InvalidInputError where there is none, and where it takes files from outside of the repository
 */
async function moduleAround({ source, folder, ...request }: Request): Promise<string> {
  const start = await realpath(folder);
  const top = request.top === undefined ? topOfRepository(start) : await realpath(request.top);
  demandCachesOutside(source, [top ?? start, topOfRepository(process.cwd())]);
  for (let module = start; ; module = dirname(module)) {
    if (existsSync(join(module, 'go.mod'))) {
      const folders = [module];
      for (const target of await replacements(module, source)) {
        const replacement = resolve(module, target);
        if (!isWithin(top ?? module, await realpath(replacement).catch(() => replacement))) {
          const message = `go.mod replaces a module by ${target}, outside of the repository`;
          throw refused(source, message);
        }
        if (!isWithin(module, replacement) && existsSync(replacement)) {
          folders.push(replacement);
        }
      }
      await demandNoLinksOut(folders);
      return module;
    }
    if (module === top || dirname(module) === module) {
      throw refused(source, 'is in no Go module: there is no go.mod above it');
    }
  }
}

/** Where Go takes programs, packages and what it has built before from. */
const caches = ['GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE', 'HOME', 'USERPROFILE', 'LOCALAPPDATA'];

/** @throws InvalidInputError where the author of a repository would choose what Go takes from there */
function demandCachesOutside(source: string, tops: readonly (string | undefined)[]): void {
  for (const name of caches) {
    for (const folder of (process.env[name] ?? '').split(delimiter)) {
      const real = folder === '' ? undefined : realFolder(folder);
      if (real === undefined || !tops.some((top) => top !== undefined && isWithin(top, real))) {
        continue;
      }
      const message = `cannot be read while ${name} is ${folder}, a folder in the repository: Go takes programs and packages from there; unset it, or name a folder elsewhere`;
      throw refused(source, message);
    }
  }
}

/** One that is not there yet is made where its name says. */
function realFolder(folder: string): string {
  const path = resolve(folder);
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realFolder(parent), basename(path));
  }
}

const readByGo = /\.go$|^go\.(?:mod|sum)$|^modules\.txt$/;

/**
 * Go follows links, and says of a file that is no Go how it begins. A link to a folder, such as those
 * of Bazel, is followed only where a package is imported by its name.
 */
async function demandNoLinksOut(folders: readonly string[]): Promise<void> {
  const refuse = (file: string, message: string): InvalidInputError =>
    refused(relative(process.cwd(), file), message);
  const links: string[] = [];
  const files: string[] = [];
  for (const folder of folders) {
    for await (const { file, refusal } of walkFolder(folder, {
      wants: (name) => readByGo.test(name),
      includesHidden: true,
      onSkipped: (link) => links.push(link.file),
    })) {
      if (refusal !== undefined) throw refuse(file, refusal);
      if (file.endsWith('.go')) files.push(file);
    }
  }
  const [first] = links;
  if (first === undefined) return;
  const followed =
    links.find((link) => /(?:^|[\\/])vendor[\\/]/.test(link)) ?? (await importedLink(links, files));
  if (followed === undefined) return;
  const instead = 'remove it, or name a commit, whose links are not followed: go:git:HEAD:FOLDER';
  throw refuse(
    followed,
    `is a symbolic link to a folder outside of the Go module, and may be imported; ${instead}`,
  );
}

/** Of more links than these each counts as imported. */
const maxLinks = 100;

/** The first link whose name stands in a Go file where an import may have it. */
async function importedLink(
  links: readonly string[],
  files: readonly string[],
): Promise<string | undefined> {
  if (links.length > maxLinks) return links[0];
  let size = 0;
  for (const file of files) {
    const bytes = await readRegularFile(file, maxBytes);
    size += bytes.length;
    if (size > maxBytes) return links[0];
    const text = unescaped(bytes.toString('utf8'));
    const found = links.find((link) => text.includes(`/${basename(link)}`));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A string in Go may write any of its characters by number. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{3}))/gi,
    (whole, ...[x, u, long, octal]: (string | undefined)[]) => {
      const code = octal === undefined ? parseInt(x ?? u ?? long ?? '', 16) : parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Folders in place of modules, as Go reads them: names may be quoted, with anything in them. */
async function replacements(module: string, source: string): Promise<string[]> {
  const answer = await runProgram('go', ['mod', 'edit', '-json', join(module, 'go.mod')], {
    ...{
      cwd: module,
      env: environmentFor(module),
      maxBytes: maxModuleBytes,
      milliseconds: longestMs,
    },
  });
  if (answer === undefined) throw refused(source, needed);
  if (answer.code !== 0) throw refused(source, 'is in a Go module whose go.mod Go cannot read');
  const { Replace } = JSON.parse(answer.output.toString('utf8')) as GoModule;
  return (Replace ?? []).flatMap(({ New }) => (New.Version === undefined ? [New.Path] : []));
}

const maxModuleBytes = 4 * 1024 * 1024;

/** As `go mod edit -json` prints it. */
interface GoModule {
  readonly Replace?:
    readonly { readonly New: { readonly Path: string; readonly Version?: string } }[] | null;
}

/** The only variables of the environment that Go gets: others, such as GOFLAGS, can make it run programs. */
const kept = [
  ...['PATH', 'HOME', 'TMPDIR', 'GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE'],
  ...['USERPROFILE', 'LOCALAPPDATA', 'SystemRoot', 'TEMP'],
];

function environmentFor(module: string): NodeJS.ProcessEnv {
  const isVendored = existsSync(join(module, 'vendor', 'modules.txt'));
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    GOFLAGS: `-mod=${isVendored ? 'vendor' : 'readonly'} -buildvcs=false`,
    ...{ CGO_ENABLED: '0', GO111MODULE: 'on', GOENV: 'off', GOWORK: 'off', GOTOOLCHAIN: 'local' },
    ...{ GOPROXY: 'off', GOSUMDB: 'off', GOVCS: '*:off', GOPACKAGESDRIVER: 'off' },
    GOTELEMETRY: 'off',
  };
}

/** The first line of controller-gen's error output, with the names of files as messages have them. */
async function reasonOf(answer: ProgramAnswer, { folder, shown, top }: Request): Promise<string> {
  if (answer.past === 'time') return `took longer than ${longestMs / 1000} s`;
  if (answer.past === 'size') return `prints more than ${maxBytes} bytes`;
  if (answer.past === 'memory') return `takes more than ${maxMemory} bytes of memory`;
  const [line = 'gave no reason'] = answer.said
    .replaceAll(`${await realpath(folder)}${sep}`, `${shown}/`)
    .split('\n')
    .map((each) => each.replace(/^(?:Error|-): |; to add:$/g, '').trim())
    .filter((each) => each !== '');
  const isOffline = /GOPROXY=off|no required module|cannot find module|missing go\.sum/i;
  const module = top === undefined ? 'the module' : 'a checkout of that commit';
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

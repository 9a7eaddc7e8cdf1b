/** Files as they stand in a commit of the repository around the working directory. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { InvalidInputError } from './error.js';
import { defaultLimits } from './limits.js';
import type { SourceFile } from './sources.js';

const run = promisify(execFile);

/**
 * Reads `git:REF:path`; `path` as git reads it: from the top of the repository, or from the
 * working directory when it begins with `./`.
 *
 * @throws InvalidInputError `E_INPUT` when git has no such commit or path
 */
export async function readFromGit(source: string, wanted: RegExp): Promise<SourceFile[]> {
  const [, reference, path] = /^git:([^:]+):(.*)$/s.exec(source) ?? [];
  if (reference === undefined || path === undefined || reference.startsWith('-')) {
    throw new InvalidInputError('E_INPUT', 'write git:REF:path, e.g. git:v1.2.0:config/crd', {
      file: source,
    });
  }
  const object = `${reference}:${path}`;
  const type = (await git(source, ['cat-file', '-t', object])).toString('utf8').trim();
  if (type !== 'tree')
    return [{ file: source, bytes: await git(source, ['cat-file', 'blob', object]) }];

  const names = (await git(source, ['ls-tree', '-r', '-z', '--name-only', object]))
    .toString('utf8')
    .split('\0')
    .filter((name) => wanted.test(name));
  const files: SourceFile[] = [];
  for (const name of names) {
    const file = `${source}${source.endsWith('/') || source.endsWith(':') ? '' : '/'}${name}`;
    const blob = `${reference}:${path === '' ? '' : `${path.replace(/\/$/, '')}/`}${name}`;
    files.push({ file, bytes: await git(file, ['cat-file', 'blob', blob]) });
  }
  return files;
}

async function git(file: string, argv: string[]): Promise<Buffer> {
  try {
    const { stdout } = await run('git', argv, {
      encoding: 'buffer',
      maxBuffer: defaultLimits.maxBytes,
    });
    return stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const line = said.split('\n').find((text) => text.trim() !== '') ?? 'git gave no answer';
    throw new InvalidInputError('E_INPUT', line.replace(/^(?:fatal|error): /, 'git: '), { file });
  }
}

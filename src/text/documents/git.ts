/** Files as they stand in a commit of the repository around the working directory. */
import { execFile } from 'node:child_process';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { InvalidInputError } from './error.js';
import { isHidden } from './folder-walk.js';
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

  const listed = (await git(source, ['ls-tree', '-r', '-z', object])).toString('utf8').split('\0');
  const entries = new Map(
    listed.map((line) => {
      const [, mode = '', blob = '', name = ''] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
      return [name, { isLink: mode === '120000', blob }];
    }),
  );
  const files: SourceFile[] = [];
  for (const [name, { isLink, blob }] of entries) {
    if (!wanted.test(name) || isHidden(name)) continue;
    const file = `${source}${source.endsWith('/') || source.endsWith(':') ? '' : '/'}${name}`;
    const bytes = await git(file, ['cat-file', 'blob', blob]);
    if (!isLink) {
      files.push({ file, bytes });
      continue;
    }
    const target = entries.get(posix.join(posix.dirname(name), bytes.toString('utf8')));
    if (target === undefined || target.isLink) {
      const message =
        'is a symbolic link to no file of the folder in that commit; name the file itself';
      throw new InvalidInputError('E_INPUT', message, { file });
    }
    files.push({ file, bytes: await git(file, ['cat-file', 'blob', target.blob]) });
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

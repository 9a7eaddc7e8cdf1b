/** Nothing in the repository leads to a place that a reader of the repository does not have. */
import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const elsewhere = new Set(['.git', '.cache', 'node_modules', 'dist', 'coverage']);

function* filesIn(folder: string, endings: RegExp): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!elsewhere.has(entry.name)) yield* filesIn(path, endings);
    } else if (endings.test(entry.name)) yield path;
  }
}

/** What `pattern` finds that `isWrong`, as `file: found`. */
function wrong(
  endings: RegExp,
  pattern: RegExp,
  isWrong: (found: string, file: string) => boolean,
): string[] {
  return [...filesIn(root, endings)].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)]
      .map((match) => match[1] ?? '')
      .filter((found) => isWrong(found, file))
      .map((found) => `${relative(root, file)}: ${found}`),
  );
}

describe('the repository stands alone', () => {
  it('every link of its pages leads to a file that is there', () => {
    const links = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
    const isMissing = (link: string, file: string) => !existsSync(resolve(dirname(file), link));
    expect(wrong(/\.md$/, links, isMissing)).to.deep.equal([]);
  });

  it('no path in its sources leaves it', () => {
    const paths = /['"`]((?:\.\.\/)+[^'"`$]*)/g;
    const leaves = (path: string, file: string) =>
      relative(root, resolve(dirname(file), path)).startsWith('..');
    // Where tests try paths that lead out, they are what is tested.
    const sources = wrong(/(?<!\.test)\.(ts|mjs)$/, paths, leaves);
    expect(sources).to.deep.equal([]);
  });

  it('an issue is named with its repository', () => {
    const bare = /(?<![\w/-])(issues? #?\d+)\b/gi;
    expect(wrong(/\.(ts|mjs|md|ya?ml|sh|go)$/, bare, () => true)).to.deep.equal([]);
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'decisions');

describe('docs/decisions', () => {
  for (const page of readdirSync(folder)) {
    const quoted = [...readFileSync(join(folder, page), 'utf8').matchAll(/`([^`\n]+)`/g)].map(
      ([, text = '']) => text,
    );

    it(`${page} names files that exist`, () => {
      const paths = quoted.filter((text) =>
        /^(?!dist\/)[\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|yaml|json)$/.test(text),
      );
      expect(paths.filter((path) => !existsSync(join(root, path)))).to.deep.equal([]);
    });

    it(`${page} uses names of the code that exist`, () => {
      const names = quoted.filter((text) => /^[a-z]+(?:[A-Z][a-z]+)+$/.test(text));
      expect(names.filter((name) => !isFound(name))).to.deep.equal([]);
    });
  }
});

/** Whether a word stands in a file beside these pages. */
function isFound(word: string): boolean {
  try {
    execFileSync('git', ['grep', '-qw', word, '--', ':!docs/decisions'], { cwd: root });
    return true;
  } catch {
    return false;
  }
}

/**
 * `npm test -- --changed`: the test files that may see what changed since the branch left main. A file
 * leads to the files that it imports, and to those whose paths it names: `join(root, 'docs', 'x.md')`,
 * `new URL('./x.mjs', import.meta.url)`, 'examples/upgrades'. What is in dist/ leads to the programs that are
 * built there, and these to the commands whose names a test mentions.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

/** Every test depends on these. */
const everywhere =
  /^(package(-lock)?\.json|tsconfig\.json|\.mocharc\.json|build\/bundle\.mjs|test\/(fixed-seed|reporter)\.ts)$/;
/** Tests that read all files of the repository. */
const readers = new Set(['test/docs/stands-alone.test.ts']);
const builder = 'build/bundle.mjs';
const commandTable = 'src/cli/commands.ts';

/**
 * Paths from the root: what is committed since the branch left main, what is not yet, and new files. What
 * was removed is among them.
 *
 * @throws Error where there is no branch main
 */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const main = ['main', 'origin/main'].find((branch) => {
    try {
      return git('rev-parse', '--verify', `${branch}^{commit}`) !== '';
    } catch {
      return false;
    }
  });
  if (main === undefined) throw new Error('--changed compares with the branch main: there is none');
  const listed =
    git('diff', '-z', '--name-only', '--no-renames', git('merge-base', main, 'HEAD').trim()) +
    git('ls-files', '-z', '--others', '--exclude-standard');
  return [...new Set(listed.split('\0').filter((file) => file !== ''))].sort();
}

/** Those of `tests` that may see one of these changes; all paths are from the root. */
export function testsSeeing(
  changed: readonly string[],
  tests: readonly string[],
  root: string,
): string[] {
  if (changed.some((file) => everywhere.test(file))) return [...tests];
  const references = new References(root);
  return tests.filter((test) => readers.has(test) || references.lead(test, changed));
}

/** What a file names: in source files the imports too. */
interface Names {
  /** Files and folders, from the root. */
  readonly paths: readonly string[];
  readonly words: readonly string[];
}

class References {
  private readonly names = new Map<string, Names>();

  constructor(private readonly root: string) {}

  lead(test: string, changed: readonly string[]): boolean {
    const support = [...this.reach([test], new Set())].filter((file) => !isProduct(file));
    const words = new Set(support.flatMap((file) => this.read(file).words));
    const reached = this.reach([test], words).add(join(dirname(test), 'testdata'));
    return changed.some((file) => {
      for (let path = file; path !== '.'; path = dirname(path)) if (reached.has(path)) return true;
      return false;
    });
  }

  /** These files and all that they lead to; of the commands those among the words, or all where none is. */
  private reach(files: readonly string[], words: ReadonlySet<string>): Set<string> {
    const reached = new Set(files);
    for (const file of reached) {
      const { paths } = this.read(file);
      const isNamed = (path: string): boolean =>
        words.has(basename(path, '.ts').replace(/-command$/, ''));
      const isTable = file === commandTable && paths.some(isNamed);
      for (const path of isTable ? paths.filter(isNamed) : paths) {
        reached.add(path);
        if (path.split('/')[0] !== 'dist') continue;
        for (const each of this.read(builder).paths) if (each.endsWith('.ts')) reached.add(each);
      }
    }
    return reached;
  }

  private read(file: string): Names {
    const isSource = /\.(ts|mjs)$/.test(file) && existsSync(join(this.root, file));
    const names = this.names.get(file) ?? (isSource ? this.parse(file) : { paths: [], words: [] });
    this.names.set(file, names);
    return names;
  }

  private parse(file: string): Names {
    const paths: string[] = [];
    const words: string[] = [];
    const name = (path: string): void => {
      const source = path.replace(/\/$/, '').replace(/\.js$/, '.ts');
      paths.push(existsSync(join(this.root, source)) ? source : path);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && node.getText().startsWith('import type ')) return;
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) {
        words.push(node.text, ...(/^olm-guard (\w+)/.exec(node.text)?.slice(1) ?? []));
        for (const word of node.text.split(/\s+/)) {
          if (/^\.\.?\/./.test(word)) name(join(dirname(file), word));
          else if (!isProduct(file) && /^[\w.-]+(\/[\w.@-]+)+|^\w+\.md$/.test(word)) name(word);
        }
      } else if (ts.isCallExpression(node)) {
        const [base, ...others] = node.arguments;
        const isOther = others.findIndex((part) => !ts.isStringLiteralLike(part));
        const parts = others
          .slice(0, isOther < 0 ? undefined : isOther)
          .map((part) => (part as ts.StringLiteralLike).text);
        const from = { root: '.', 'import.meta.dirname': dirname(file) }[base?.getText() ?? ''];
        const isWhole = parts.every((part) => part === '..');
        if (from !== undefined && !isWhole) name(join(from, ...parts));
      }
      ts.forEachChild(node, visit);
    };
    const text = readFileSync(join(this.root, file), 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    return { paths, words };
  }
}

const isProduct = (file: string): boolean => file.startsWith('src/') && !file.endsWith('.test.ts');

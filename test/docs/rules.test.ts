/** Where findings say they are explained, they are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { rulePages } from '../../build/rules-document.js';
import { docsFor, pageFile } from '../../src/rule/finding.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import { printPage } from '../../src/policy/rules/page.js';
import { ruleNamed } from '../../src/policy/rules/registry.js';
import { explainedIn } from '../golden/golden.js';

const root = join(import.meta.dirname, '..', '..');

describe('docs/rules', () => {
  const pages = readdirSync(join(root, 'docs', 'rules')).map((file) => file.replace(/\.md$/, ''));

  it('has a page for every rule that a policy can name, and no other', () => {
    expect(pages.sort()).to.deep.equal([...ruleNames].sort());
    expect(rulePages.map(({ file }) => file).sort()).to.deep.equal(pages.map(pageFile).sort());
  });

  it('has pages whose names differ on file systems that ignore case', () => {
    expect(new Set(pages.map((name) => name.toLowerCase())).size).to.equal(pages.length);
  });

  it('has no rule that explain does not answer for', () => {
    const silent = pages.filter((name) => {
      const rule = ruleNamed(name);
      return rule === undefined || !printPage(rule).includes(rule.why);
    });
    expect(silent).to.deep.equal([]);
  });

  it('is listed in docs/rules.md', () => {
    const list = readFileSync(join(root, 'docs', 'rules.md'), 'utf8');
    expect(pages.filter((name) => !list.includes(`(rules/${name}.md)`))).to.deep.equal([]);
  });

  it('is linked to by the registered rules and by nobody else', () => {
    const source = join(root, 'src');
    const linking = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /\bdocsFor\(/.test(readFileSync(join(source, file), 'utf8')))
      .sort();
    // All but `rule` write names that the golden rows hold against the registry.
    expect(linking).to.deep.equal([
      'rule/finding.ts',
      'rule/rule.ts',
      'upgrade/rules/crd/report.ts',
    ]);
  });

  it('is where the findings of golden rows lead, each of which is looked up', () => {
    expect(pages.every((name) => explainedIn(docsFor(name)))).to.equal(true);
    expect(explainedIn(docsFor('NoSuchRule'))).to.equal(false);
    expect(explainedIn('docs/rules.md')).to.equal(false);
  });

  it('keeps every page of docs under 600 lines', () => {
    const long = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && existsSync(join(root, 'docs', file)))
      .filter((file) => readFileSync(join(root, 'docs', file), 'utf8').split('\n').length > 600);
    expect(long).to.deep.equal([]);
  });
});

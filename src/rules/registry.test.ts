import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding } from '../finding.js';
import { findingsOfExample } from './testing/example.js';
import { pageOf } from './page.js';
import { rules } from './registry.js';
import { namesOf, type Rule } from './rule.js';

/** `NoScopeChange` → `no-scope-change` */
const fileNameOf = (id: string): string =>
  id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();

describe('the registry of rules', () => {
  it('has no name twice', () => {
    const names = rules.flatMap(namesOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });

  for (const rule of rules) {
    describe(rule.id, () => {
      it('stands in a file of its own', () => {
        const folders = [
          'crd',
          'contract',
          'stored',
          'switch-off',
          'olm',
          'bundle',
          'catalog',
          'catalog-diff',
          'resolution',
          'cluster',
        ];
        const files = folders
          .map((folder) => join(import.meta.dirname, folder, `${fileNameOf(rule.id)}.ts`))
          .filter((file) => existsSync(file));
        expect(files).to.have.lengthOf(1);
      });

      it('says what, why, what instead, and where it comes from', () => {
        for (const text of [rule.checks, rule.why, rule.instead])
          expect(text).to.match(/^\S.*[.:]?$/s);
        expect(pageOf(rule).map(({ label }) => label)).to.include.members(
          ['checks', 'why', 'instead', 'after'].filter(
            (label) => label !== 'after' || rule.example.after !== '',
          ),
        );
      });

      it('finds its own example, and not what is to be done instead', async () => {
        const { says, accepted } = rule.example;
        const found = await messages(rule, rule.example.after);
        if (says === '') expect(found).to.deep.equal([]);
        else expect(found.join('\n')).to.include(says);
        if (accepted !== undefined) expect(await messages(rule, accepted)).to.deep.equal([]);
      });
    });
  }
});

async function messages(rule: Rule, proposed: string): Promise<string[]> {
  const findings: readonly Finding[] = await findingsOfExample(rule, proposed);
  const names = namesOf(rule);
  return findings.filter((finding) => names.includes(finding.rule)).map(({ message }) => message);
}

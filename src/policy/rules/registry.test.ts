import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding, Severity } from '../../rule/finding.js';
import { findingsOfExample } from './testing/example.js';
import { severities } from './testing/severities.js';
import { pageOf } from './page.js';
import { rules } from './registry.js';
import { namesOf, type Rule } from '../../rule/rule.js';

/** What ships in the folders of rules. */
const source = join(import.meta.dirname, '..', '..');
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\/rules\/(?!.*(?:\.test|testing\/|testdata\/)).*\.ts$/.test(file))
  .map((file) => readFileSync(join(source, file), 'utf8'));

describe('the registry of rules', () => {
  it('has unique names', () => {
    const names = rules.flatMap(namesOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('has exactly the rules that have a stated severity', () => {
    const ids = rules.map(({ id }) => id).sort();
    expect(Object.values(severities).flat().sort()).to.deep.equal(ids);
  });

  for (const rule of rules) {
    describe(rule.id, () => {
      it('has the severity that is stated for it', () => {
        expect(severities[rule.severity]).to.include(rule.id);
      });

      it('gives it to what its example finds', async () => {
        const names = namesOf(rule);
        const found = await findingsOfExample(rule, rule.example.after);
        const itsOwn = found.filter((finding) => names.includes(finding.rule));
        if (rule.example.says !== '')
          expect(itsOwn.map(({ severity }) => severity)).to.include(rule.severity);
      });

      it('is defined once, in a folder of rules', () => {
        const definition = new RegExp(`^ +(?:id|\\{ keyword|keyword): '${rule.id}',`, 'm');
        expect(texts.filter((text) => definition.test(text))).to.have.lengthOf(1);
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
  // A note beside a warning or an error of the same rule is nothing that has to change.
  const isNote = (severity: Severity): boolean => severity === 'info' && rule.severity !== 'info';
  return findings
    .filter((finding) => names.includes(finding.rule) && !isNote(finding.severity))
    .map(({ message }) => message);
}

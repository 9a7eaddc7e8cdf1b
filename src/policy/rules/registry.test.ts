import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { Finding, Severity } from '../../rule/finding.js';
import { findingsOfExample } from './testing/example.js';
import { fileNameOf } from './file-name.js';
import { severities } from './testing/severities.js';
import { pageOf } from './page.js';
import { rules } from './registry.js';
import { namesOf, type Rule, type Subject } from '../../rule/rule.js';

/** What one pass over the whole finds; the rules beside it only say what they are. */
const byPass: ReadonlySet<Subject> = new Set(['bundle', 'catalog', 'catalog update', 'resolution']);

/** Every file of the folders of rules. */
const files = readdirSync(join(import.meta.dirname, '..', '..'), {
  recursive: true,
  encoding: 'utf8',
}).filter((file) => file.includes('/rules/'));

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

      it('stands in a file of its own, or in the rules of the pass that finds it', () => {
        const own = files.filter((file) => basename(file) === `${fileNameOf(rule.id)}.ts`);
        if (!byPass.has(rule.subject)) expect(own).to.have.lengthOf(1);
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

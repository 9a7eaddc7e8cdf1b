/** Where findings say they are explained, they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { storedRules } from '../../src/upgrade/crd/stored/findings.js';
import { docsFor } from '../../src/rule/finding.js';
import { ruleNames } from '../../src/app/operations/rules.js';
import { proofRule } from '../../src/upgrade/proof/proof-findings.js';
import { printPage } from '../../src/app/rules/page.js';
import { ruleNamed } from '../../src/app/rules/registry.js';
import { explainedIn } from '../golden/golden.js';

describe('docs/rules.md', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'rules.md'), 'utf8');
  const headings = [...text.matchAll(/^###? (.+)$/gm)].map(([, heading = '']) => heading);

  /** Another name of a rule has an anchor in the rule's own section. */
  const anchors = [
    ...headings.map(docsFor),
    ...[...text.matchAll(/^<a id="(.+)"><\/a>$/gm)].map(([, id = '']) => `docs/rules.md#${id}`),
  ];

  it('has a place for every rule that a policy can name', () => {
    expect([...ruleNames].filter((name) => !anchors.includes(docsFor(name)))).to.deep.equal([]);
  });

  it('has no rule that explain does not answer for', () => {
    const rules = [...text.matchAll(/^### (.+)$/gm)].map(([, name = '']) => name);
    expect(rules).not.to.be.empty;
    const silent = rules.filter((name) => {
      const rule = ruleNamed(name);
      return rule === undefined || !printPage(rule).includes(rule.why);
    });
    expect(silent).to.deep.equal([]);
  });

  it('has a place for every name that a finding can carry without being made by its rule', () => {
    for (const name of [...Object.values(storedRules), proofRule]) {
      expect(ruleNames, name).to.include(name);
    }
  });

  it('is linked to by the registered rules and by nobody else', () => {
    const source = join(import.meta.dirname, '..', '..', 'src');
    const linking = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /\bdocsFor\(/.test(readFileSync(join(source, file), 'utf8')))
      .sort();
    // All but `rule` write the names that the test before and the golden rows hold against the registry.
    expect(linking).to.deep.equal([
      'rule/finding.ts',
      'rule/rule.ts',
      'upgrade/crd/stored/findings.ts',
      'upgrade/proof/proof-findings.ts',
      'upgrade/rules/crd/report.ts',
    ]);
  });

  it('explains what the golden rows’ findings link to: they are all held against its anchors', () => {
    expect(anchors.every((anchor) => explainedIn(anchor))).to.equal(true);
    expect(explainedIn('docs/rules.md#no-such-rule')).to.equal(false);
  });

  it('has no two places with one anchor', () => {
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).to.deep.equal([]);
  });
});

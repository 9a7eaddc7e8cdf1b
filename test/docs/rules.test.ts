/** Where findings say they are explained, they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { docsFor } from '../../src/finding.js';
import { ruleNames } from '../../src/operations/rules.js';

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

  it('has no two places with one anchor', () => {
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).to.deep.equal([]);
  });
});

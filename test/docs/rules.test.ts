/** Where findings say they are explained, they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { docsFor } from '../../src/finding.js';
import { ruleNames } from '../../src/operations/rules.js';

describe('docs/rules.md', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'rules.md'), 'utf8');
  const headings = [...text.matchAll(/^###? (.+)$/gm)].map(([, heading = '']) => heading);

  it('has a heading for every rule that a policy can name', () => {
    expect([...ruleNames].filter((name) => !headings.includes(name))).to.deep.equal([]);
  });

  it('has no two headings with one anchor', () => {
    const anchors = headings.map(docsFor);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { upgradeRuleNames } from '../rules/crd/index.js';
import { explainRule } from './rule-pages.js';

describe('rule pages', () => {
  for (const name of upgradeRuleNames) {
    it(`explains ${name}`, () => {
      expect(explainRule(name)).to.match(new RegExp(`(^|, )${name}(,|\\n)[^]*\\n {2}why: +\\S`));
    });
  }

  for (const name of upgradeRuleNames) {
    it(`shows a pair for ${name}, and what to do instead`, () => {
      expect(explainRule(name)).to.match(
        /\n {2}old:\n {4}\S[^]*\n {2}new:\n {4}\S[^]*\n {2}instead: +\S/,
      );
    });
  }

  for (const name of ['existingFieldRemoval', 'enum', 'required', 'maximum', 'type', 'pattern']) {
    it(`shows an object that ${name} is about`, () => {
      expect(explainRule(name)).to.match(
        /\n {2}proof: +(?:breaking|data-loss): [^]*\n {2}witness:\n {4}apiVersion: example.com\/v1\n/,
      );
    });
  }

  it('has no page for what is no rule', () => expect(explainRule('nobody')).to.equal(undefined));
});

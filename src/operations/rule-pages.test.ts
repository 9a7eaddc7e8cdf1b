import { expect } from 'chai';
import { upgradeRuleNames } from '../crd/index.js';
import { explainRule } from './rule-pages.js';

describe('rule pages', () => {
  for (const name of upgradeRuleNames) {
    it(`explains ${name}`, () => {
      expect(explainRule(name)).to.match(new RegExp(`(^|, )${name}(,|\\n)[^]*\\n {2}why: +\\S`));
    });
  }

  it('has no page for what is no rule', () => expect(explainRule('nobody')).to.equal(undefined));
});

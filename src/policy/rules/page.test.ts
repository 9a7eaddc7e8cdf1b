import { expect } from 'chai';
import { printPage } from './page.js';
import { ruleNamed, rules } from './registry.js';
import { namesOf } from '../../rule/rule.js';

const explainRule = (name: string): string | undefined => {
  const rule = ruleNamed(name);
  return rule && printPage(rule);
};

describe('rule pages', () => {
  for (const name of rules.flatMap(namesOf)) {
    it(`explains ${name}`, () => {
      expect(explainRule(name)).to.match(new RegExp(`(^|, )${name}(?=,|\\n)[^]*\\n {2}why: +\\S`));
    });
  }

  for (const name of ['existingFieldRemoval', 'enum', 'required', 'maximum', 'type', 'pattern']) {
    it(`shows an object that ${name} is about`, () => {
      expect(explainRule(name)).to.match(
        /\n {2}proof: +(?:breaks objects|loses data): [^]*\n {2}witness:\n {4}apiVersion: example.com\/v1\n/,
      );
    });
  }

  it('has no page for what is no rule', () => expect(explainRule('nobody')).to.equal(undefined));
});

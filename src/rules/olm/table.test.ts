import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { families } from '../../finding.js';
import { olmRules, runOlmRules } from './table.js';
import './catalog-source-rules.test.js';
import './cluster-version-rules.test.js';
import './csv-membership.test.js';
import './csv-others.test.js';
import './extension-rules.test.js';
import './group-intersection.test.js';
import './group-others.test.js';
import './group-targets.test.js';
import { aGroup, contextOf, testedRules } from './testing/harness.js';
import './install-plan-rules.test.js';
import './subscription-catalog-rules.test.js';
import './subscription-rules.test.js';

describe('olmRules', () => {
  it('has a table test for every row', () => {
    expect(
      olmRules.map((rule) => rule.name).filter((name) => !testedRules.has(name)),
    ).to.deep.equal([]);
  });

  it('names every rule once, with all that docs/rules.md says of it', () => {
    expect(new Set(olmRules.map((rule) => rule.name)).size).to.equal(olmRules.length);
    for (const rule of olmRules) {
      expect(rule.family).to.be.oneOf([...families]);
      for (const text of [rule.prevents, rule.source, rule.explain])
        expect(text.trim()).to.not.equal('');
    }
  });

  it('asks only rules of the kind and request', () => {
    const context = contextOf({ object: aGroup({ spec: { targetNamespaces: [''] } }) });
    expect(runOlmRules('OperatorGroup', context).map((finding) => finding.rule)).to.deep.equal([
      'OperatorGroupTargets',
    ]);
    expect(runOlmRules('OperatorGroup', { ...context, request: 'DELETE' })).to.deep.equal([]);
  });

  it('survives objects of any shape', () => {
    const odd: JsonObject[] = [
      {},
      { metadata: null, spec: [], status: 'x' },
      {
        metadata: { name: 1 },
        spec: { installModes: [null, 1], targetNamespaces: {}, selector: [] },
      },
    ];
    for (const object of odd) {
      for (const rule of olmRules) {
        expect(() => rule.check(contextOf({ object, old: object }))).to.not.throw();
      }
    }
  });

  it('says the same of the same object twice, so that a policy can tell what a request makes worse', () => {
    const object = aGroup({
      spec: { targetNamespaces: ['a', ''], selector: { matchLabels: { a: 'b' } } },
    });
    const context = contextOf({ object });
    expect(runOlmRules('OperatorGroup', context)).to.deep.equal(
      runOlmRules('OperatorGroup', context),
    );
  });
});

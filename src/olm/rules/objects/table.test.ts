import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { olmRules } from './table.js';
import { runOlmRules } from './testing/run-rules.js';
import { RuleContext } from './rule.js';
import { makeGroup, contextOf } from './testing/harness.js';

describe('olmRules', () => {
  it('asks only rules of the kind and request', () => {
    const object = makeGroup({ spec: { targetNamespaces: [''] } });
    const context = contextOf({ object });
    expect(runOlmRules('OperatorGroup', context).map((finding) => finding.rule)).to.deep.equal([
      'OperatorGroupTargets',
    ]);
    const { view, crdSafety } = context;
    const deletion = new RuleContext({
      request: 'DELETE',
      object,
      oldObject: object,
      view,
      crdSafety,
    });
    expect(runOlmRules('OperatorGroup', deletion)).to.deep.equal([]);
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
        expect(() => rule.judge(contextOf({ object, old: object }))).to.not.throw();
      }
    }
  });

  it('says the same of the same object twice, so that a policy can tell what a request makes worse', () => {
    const object = makeGroup({
      spec: { targetNamespaces: ['a', ''], selector: { matchLabels: { a: 'b' } } },
    });
    const context = contextOf({ object });
    expect(runOlmRules('OperatorGroup', context)).to.deep.equal(
      runOlmRules('OperatorGroup', context),
    );
  });
});

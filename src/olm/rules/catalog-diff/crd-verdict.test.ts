import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { crdVerdict } from './crd-verdict.js';
import { exampleOfSpec } from '../../../upgrade/rules/crd/example-definition.js';

const definition = (size: JsonObject, extra: JsonObject = {}): JsonObject =>
  exampleOfSpec({ type: 'object', properties: { size, ...extra } });

describe('what an update does to a definition', () => {
  it('is shown by an object that breaks', () => {
    const verdict = crdVerdict(
      definition({ type: 'integer' }),
      definition({ type: 'integer', maximum: 5 }),
    );
    expect(verdict.effect).to.equal('breaking');
    expect(verdict.reason).to.match(/^v1 .*size: /);
    expect(verdict.witness).to.have.nested.property('spec.size');
    expect(verdict.refusals).to.have.length(1);
  });
  it('is safe for a new field, and OLM v1 lets it pass', () => {
    const verdict = crdVerdict(
      definition({ type: 'integer' }),
      definition({ type: 'integer' }, { colour: { type: 'string' } }),
    );
    expect([verdict.effect, verdict.refusals]).to.deep.equal(['safe', []]);
  });
  it('names the kind of harm that a policy only warns of, unless a graver one is there', () => {
    const scaled = (made: JsonObject): JsonObject => {
      const copy = structuredClone(made) as unknown as { spec: { versions: JsonObject[] } };
      const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
      Object.assign(copy.spec.versions[0] as object, { subresources: { scale } });
      return copy;
    };
    const integer = { type: 'integer' };
    const old = definition(integer, { gone: { type: 'string' } });
    const mild = crdVerdict(old, scaled(old));
    expect([mild.effect, mild.harm]).to.deep.equal(['breaking', 'AbsurdValue']);
    const grave = crdVerdict(old, scaled(definition(integer)));
    expect([grave.effect, grave.harm]).to.deep.equal(['data-loss', undefined]);
  });
  it('is undecided for what is no definition', () => {
    const verdict = crdVerdict(
      { kind: 'CustomResourceDefinition' },
      definition({ type: 'integer' }),
    );
    expect(verdict.effect).to.equal('undecided');
    expect(verdict.reason).to.match(/^cannot be judged: /);
  });
});

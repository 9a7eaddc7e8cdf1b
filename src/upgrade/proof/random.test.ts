/** Proofs about random pairs of schemas: what is called safe is attacked, what is called breaking is checked. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isObject, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { compileValidator } from '../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import { Budget } from './budget.js';
import { proveDocuments } from './testing/prove-documents.js';
import type { ProofResult } from './result.js';
import { schemaPairs, valuesFor, type SchemaPair } from './testing/random-pairs.js';
import { harmless, Trial } from './search/trial.js';
import { samples } from '../../rule/testing/samples.js';

const apiVersion = 'test.example.com/v1';
const definition = (spec: JsonObject): JsonObject => withSchema(object({ spec }));

function trialOf({ old, new: next }: SchemaPair): Trial {
  const [before, after] = [old, next].map((spec) => compileValidator(definition(spec), 'v1'));
  if (before === undefined || after === undefined) throw new Error('two schemas');
  return new Trial(before, after, apiVersion, new Budget(Infinity));
}

const resource = (spec: JsonValue): JsonObject => ({
  apiVersion,
  kind: 'Sample',
  metadata: { name: 'example', namespace: 'default' },
  spec,
});

const prove = ({ old, new: next }: SchemaPair): readonly ProofResult[] =>
  proveDocuments(definition(old), definition(next)).results;

/** How many of forty objects the old schema accepts; the new one must do them no harm. */
function survives(pair: SchemaPair): number {
  const trial = trialOf(pair);
  for (const spec of fc.sample(valuesFor(pair.old), { numRuns: 40, seed: 11 })) {
    const damage = trial.damage(resource(spec));
    expect(damage, JSON.stringify({ pair, spec, damage })).to.equal(harmless);
  }
  return trial.accepted;
}

const runs = { numRuns: samples(5), seed: 7 };

describe('proofs of random pairs', () => {
  it('what is safe survives random and boundary objects, and the rest has witnesses that hold', () => {
    let [accepted, witnesses] = [0, 0];
    fc.assert(
      fc.property(schemaPairs, (pair) => {
        const results = prove(pair);
        if (results.every(({ effect }) => effect === 'safe' || effect === 'behavior')) {
          accepted += survives(pair);
        }
        for (const { effect, witness } of results) {
          if (effect !== 'breaking' && effect !== 'data-loss') continue;
          expect(isObject(witness ?? null)).to.equal(true);
          const damage = trialOf(pair).damage(witness as JsonObject);
          const shown = effect === 'breaking' ? damage.errors : damage.lost;
          expect(shown, JSON.stringify({ pair, witness })).not.to.deep.equal([]);
          witnesses++;
        }
      }),
      runs,
    );
    expect(accepted).to.be.greaterThan(samples(10));
    expect(witnesses).to.be.greaterThan(samples(5));
  });

  it('a schema and itself differ in nothing', () => {
    fc.assert(
      fc.property(schemaPairs, ({ old }) => {
        expect(prove({ old, new: old })).to.deep.equal([]);
      }),
      runs,
    );
  });
});

import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { compileValidator, type ObjectValidator } from '../../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import { Budget } from '../budget.js';
import { Isolation } from './isolation.js';
import { Search } from './search.js';
import { harmless, Trial, type Accepted, type Harm } from './trial.js';
import { SchemaWalk } from '../differences/walk.js';
import { proveDocuments } from '../testing/prove-documents.js';
import type { Outcome } from './witness.js';

const definition = (size: JsonObject): JsonObject =>
  withSchema(object({ spec: object({ size, other: { type: 'string' } }) }));
const old = definition({ type: 'integer' });
const next = definition({ type: 'integer', maximum: 5 });

/** Says what it said before only so many times. */
class Forgetful extends Trial {
  left = Infinity;

  override harm(object: Accepted, schema?: ObjectValidator): Harm {
    const harm = super.harm(object, schema);
    return harm !== harmless && this.left-- > 0 ? harm : harmless;
  }
}

function decide(left: number, isSpent = false): Outcome | undefined {
  const [before, after] = [compileValidator(old, 'v1'), compileValidator(next, 'v1')];
  const budget = new Budget(100_000);
  const walk = new SchemaWalk(budget, budget.left / 2);
  walk.compare({ before: before.schema, after: after.schema, place: undefined, mode: 'structure' });
  if (isSpent) budget.spend(budget.left);
  const trial = new Forgetful(before, after, 'test.example.com/v1', budget);
  trial.left = left;
  const limits = { perDifference: 100, inAll: 100, atRandom: 600 };
  const isolation = new Isolation(trial, walk.differences, budget);
  const search = new Search(trial, isolation, before.definition, after.definition, limits, budget);
  return walk.differences.map((difference) => search.decide(difference))[0];
}

describe('search for a witness', () => {
  it('finds candidates of a branch though more than the walk may take is spent by then', () => {
    const compiled = (anyOf?: JsonObject[]): ObjectValidator =>
      compileValidator(definition({ type: 'integer', ...(anyOf && { anyOf }) }), 'v1');
    const [before, after] = [compiled(), compiled([{ maximum: 5 }])];
    const budget = new Budget(10_000);
    const walk = new SchemaWalk(budget, budget.left / 2);
    walk.compare({
      before: before.schema,
      after: after.schema,
      place: undefined,
      mode: 'structure',
    });
    const first = (): unknown => [...(walk.differences[0]?.candidates?.() ?? [])][0];
    const early = first();
    budget.spend(6000);
    expect(first()).to.deep.equal(early);
  });

  it('has budget for each of many places under rules that refuse plain surroundings', () => {
    const nested = (pattern: string): JsonObject => {
      const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
      const fields = names.map((name): [string, JsonObject] => [name, { type: 'string', pattern }]);
      return object(Object.fromEntries(fields));
    };
    const targets = Array.from({ length: 40 }, (_, index) => `target${index}`);
    const isOne = `[${targets.map((name) => `has(self.${name})`).join(', ')}].exists_one(x, x)`;
    const kinds = targets.map((name) => `!has(self.${name}) || self.${name}.kind == '${name}'`);
    const blocks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const version = (pattern: string): JsonObject =>
      withSchema(
        object({
          spec: {
            ...object({
              ...Object.fromEntries(blocks.map((name) => [name, nested(pattern)])),
              ...Object.fromEntries(
                targets.map((name) => [
                  name,
                  object({ kind: { type: 'string' } }, { required: ['kind'] }),
                ]),
              ),
            }),
            'x-kubernetes-validations': [isOne, ...kinds].map((rule) => ({ rule })),
          },
        }),
      );
    const { results } = proveDocuments(version('^[a-z]*$'), version('^[a-y]*$'));
    const effects = results.filter(({ path }) => path !== '').map(({ effect }) => effect);
    expect(effects).to.deep.equal(Array<string>(72).fill('breaking'));
  });

  it('shows what holds when it is checked again', () => {
    const outcome = decide(Infinity);
    expect(outcome?.effect).to.equal('breaking');
    expect(outcome?.isWitnessFailed).to.equal(undefined);
    expect((outcome?.witness as JsonObject)['spec']).to.deep.equal({ size: 6 });
  });

  it('leaves undecided what a witness shows once and not again', () => {
    const outcome = decide(1);
    expect(outcome).to.include({ effect: 'undecided', isWitnessFailed: true });
    expect(outcome?.reason).to.include('did not hold when it was checked again');
    expect(outcome).not.to.have.property('witness');
  });

  it('says when the budget is used up', () => {
    const outcome = decide(Infinity, true);
    expect(outcome?.effect).to.equal('undecided');
    expect(outcome?.reason).to.include('the budget is used up');
  });
});

import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { readDefinition } from '../../../kubernetes/apiserver/definition.js';
import {
  compileDefinition,
  compileValidator,
  type ObjectValidator,
} from '../../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import type { StoredWrites } from '../../../rule/index.js';
import { Budget } from '../budget.js';
import { harmless, kindOf, Trial } from './trial.js';

describe('a trial of an object', () => {
  it('pays for each branch that each value is put to', () => {
    const spent = (branches: number): number => {
      const anyOf = Array.from({ length: branches }, (_, index) => ({ maximum: -index }));
      const schema = object({ spec: { type: 'array', items: { type: 'integer', anyOf } } });
      const validator = compileValidator(withSchema(schema), 'v1');
      const budget = new Budget(1e9);
      const trial = new Trial(validator, validator, 'test.example.com/v1', budget);
      trial.accept({
        ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
        ...{ metadata: { name: 'a', namespace: 'b' }, spec: Array<number>(100).fill(1) },
      } satisfies JsonObject);
      return budget.spent;
    };
    expect(spent(160) - spent(80)).to.equal(100 * 80);
  });

  it('pays for each value that a default of the new schema adds', () => {
    const spent = (fields: number): number => {
      const names = Array.from({ length: fields }, (_, index) => `f${index}`);
      const properties = (more: JsonObject): JsonObject =>
        Object.fromEntries(names.map((name) => [name, { type: 'integer', ...more }]));
      const schema = (more: JsonObject): JsonObject =>
        object({ spec: { type: 'object', properties: properties(more) } });
      const [before, after] = ([{}, { default: 1 }] as JsonObject[]).map((more) =>
        compileValidator(withSchema(schema(more)), 'v1'),
      );
      if (before === undefined || after === undefined) throw new Error('there are two');
      const budget = new Budget(1e9);
      const trial = new Trial(before, after, 'test.example.com/v1', budget);
      const written: JsonObject = {
        ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
        ...{ metadata: { name: 'a', namespace: 'b' }, spec: {} },
      };
      trial.damage(written);
      trial.refusesUpdate(written, written);
      return budget.spent;
    };
    // The harm of a create, and both objects of the update.
    expect(spent(200) - spent(100)).to.equal(3 * 100);
  });

  const ruled = (rules: readonly string[], budget: Budget): ObjectValidator => {
    const schema = object({
      spec: {
        ...{ type: 'array', items: { type: 'integer' } },
        'x-kubernetes-validations': rules.map((rule) => ({ rule })),
      },
    });
    return compileDefinition(readDefinition(withSchema(schema), 'v1'), budget);
  };
  const ones = (count: number): JsonObject => ({
    ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
    ...{ metadata: { name: 'a', namespace: 'b', resourceVersion: '1', uid: 'c' } },
    spec: Array<number>(count).fill(1),
  });

  it('does not begin what its rules cannot pay for, and calls it neither accepted nor harmless', () => {
    const values = 20_000;
    const budget = new Budget(values);
    const many = Array.from({ length: 5_000 }, (_, index) => `self.all(x, x < ${index + 2})`);
    const [plain, full] = [ruled([], budget), ruled(many, budget)];
    expect(new Trial(full, full, 'test.example.com/v1', budget).accept(ones(1))).to.equal(
      undefined,
    );
    expect(budget.spent).to.be.at.most(2 * values);
    const trial = new Trial(plain, full, 'test.example.com/v1', budget);
    const accepted = trial.accept(ones(1));
    if (accepted === undefined) throw new Error('it has no rules');
    const harm = trial.harm(accepted);
    expect([harm, kindOf(harm), trial.unjudged]).to.deep.equal([
      { errors: [], lost: [] },
      undefined,
      1,
    ]);
    expect(harm).not.to.equal(harmless);
  });

  it('pays for rules that only an update asks', () => {
    const spent = (count: number): number => {
      const budget = new Budget(1e9);
      const validator = ruled(['self.all(x, oldSelf.all(y, x == y))'], budget);
      const trial = new Trial(validator, validator, 'test.example.com/v1', budget);
      expect(trial.refusesUpdate(ones(count), ones(count))).to.equal(undefined);
      return budget.spent;
    };
    expect(spent(200)).to.be.greaterThan(3 * spent(100));
  });

  it('calls no object stuck that the old schema refuses every update of too', () => {
    const [spec] = [{ type: 'object', properties: { a: { type: 'string' } } }] as const;
    const validator = (rules: readonly string[], more: JsonObject = {}): ObjectValidator => {
      const { a } = spec.properties;
      const schema = object({ spec: { ...spec, properties: { a: { ...a, ...more } } } });
      const ruledSchema = {
        ...schema,
        'x-kubernetes-validations': rules.map((rule) => ({ rule })),
      };
      return compileValidator(withSchema(ruledSchema), 'v1');
    };
    const written: JsonObject = {
      ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
      ...{ metadata: { name: 'a', namespace: 'b' }, spec: { a: 'long' } },
    };
    const [fails, holds] = ['oldSelf.spec.a == "other"', 'oldSelf.spec.a == self.spec.a'];
    const writes = (old: string, next: string): StoredWrites => {
      const [before, after] = [validator([old]), validator([next], { maxLength: 3 })];
      return new Trial(before, after, 'test.example.com/v1', new Budget(1e9)).writes(written);
    };
    expect(writes(fails, fails)).to.deep.equal({});
    expect(writes(holds, fails).stored).to.include({ update: 'refused' });
    expect(writes(holds, holds).stored).to.include({ update: 'ratcheted' });
  });
});

import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import { Budget } from '../budget.js';
import { Trial } from './trial.js';

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
});

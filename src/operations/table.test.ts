import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { operations } from './table.js';

describe('operations', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { name, input } of operations) {
    it(`${name} has a JSON Schema for its input`, () => {
      const isSchema = ajv.validateSchema(input);
      expect(isSchema, ajv.errorsText()).to.equal(true);
    });
  }

  it('have names of their own', () => {
    expect(new Set(operations.map(({ name }) => name)).size).to.equal(operations.length);
  });
});

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { operations } from '../operations/table.js';
import { openApiDocument, preflightPath } from './openapi.js';

describe('preflight: OpenAPI', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openApiDocument()));
    expect(errors ?? [], JSON.stringify(errors)).to.deep.equal([]);
    expect(valid).to.equal(true);
  });

  it('has a path for every operation of the table', () => {
    const paths = Object.keys(openApiDocument()['paths'] as object);
    expect(paths).to.have.members([
      preflightPath,
      ...operations.map(({ name }) => `${preflightPath}/${name}`),
    ]);
  });
});

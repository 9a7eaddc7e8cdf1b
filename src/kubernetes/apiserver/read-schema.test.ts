import { expect } from 'chai';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import { readSchema } from './read-schema.js';

function refusal(schema: JsonObject): string {
  try {
    readSchema(schema, '$');
    return 'read';
  } catch (error) {
    if (error instanceof InvalidInputError) return error.describe();
    throw error;
  }
}

describe('a schema that cannot be read is named', () => {
  const circular: JsonObject = { type: 'object' };
  circular['allOf'] = [circular, circular];
  let deep: JsonObject = {};
  for (let level = 0; level < 600; level++) deep = { items: deep };
  const rows: readonly (readonly [string, JsonObject, string])[] = [
    ['one that contains itself', circular, '$.allOf[0]: the schema contains itself'],
    ['one with a reference', { $ref: '#/x' }, "$.$ref: '$ref' is not supported in a CRD's schema"],
    ['a keyword of another type', { maxLength: 'x' }, '$.maxLength: must be a number'],
    [
      'a property that is no schema',
      { properties: { a: [] } },
      '$.properties.a: must be an object',
    ],
  ];
  for (const [name, schema, expected] of rows) {
    it(name, () => {
      expect(refusal(schema)).to.equal(expected);
    });
  }

  it('when it is nested too deep', () => {
    expect(refusal(deep)).to.match(/more than 500 levels/);
  });
});

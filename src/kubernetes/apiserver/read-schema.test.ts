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

describe('fields that are judged by their type alone', () => {
  it('are one schema, whatever is said of them, and no other field is', () => {
    const text = { type: 'string' };
    const { properties } = readSchema(
      {
        properties: {
          ...{ a: text, b: { description: 'd', type: 'string' }, number: { type: 'integer' } },
          ...{ titled: { ...text, title: 't' }, short: { ...text, maxLength: 1 } },
        },
      },
      '$',
    );
    const [a, b, ...others] = [...(properties?.values() ?? [])];
    expect(a).to.include({ type: 'string' }).and.to.equal(b);
    expect(new Set([a, ...others])).to.have.property('size', 4);
    expect(properties?.get('short')).to.include({ type: 'string', maxLength: 1 });
    expect(properties?.get('number')).to.include({ type: 'integer' });
  });
});

import { expect } from 'chai';
import { compileValidator } from '../index.js';
import { valueAt } from '../../text/documents/fields.js';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { definitionOfJsonSchema } from './json-schema.js';

const widget = { group: 'example.com', kind: 'Widget', version: 'v1' };

const made = (spec: JsonValue): ReturnType<typeof definitionOfJsonSchema> =>
  definitionOfJsonSchema({ type: 'object', properties: { spec } }, widget);

const keys = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'];
const open = { 'x-kubernetes-preserve-unknown-fields': true };

describe('definitions of JSON schemas', () => {
  const rows: [name: string, spec: JsonValue, node: JsonValue, unjudged?: string[]][] = [
    [
      'fields without others beside them',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'string', title: 'a' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'a number or text',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'a number or text as newer drafts write it',
      { type: ['integer', 'string', 'null'] },
      { 'x-kubernetes-int-or-string': true, nullable: true },
    ],
    ['null beside a type', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'restrictions',
      { type: 'object', anyOf: [{ required: ['a'] }] },
      { type: 'object', anyOf: [{ required: ['a'] }] },
    ],
    ['what says nothing', { description: 'any' }, open],
    ['what keeps unknown fields', { type: 'object', ...open }, { type: 'object', ...open }],
    [
      'rules in CEL that were kept',
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] },
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] },
    ],
    ['a reference', { $ref: '_definitions.json#/a' }, open, ['$ref']],
    ['a type of several', { type: ['string', 'object'] }, open, ['type']],
    [
      'a bound of a newer draft',
      { type: 'integer', exclusiveMinimum: 1 },
      { type: 'integer', ...open },
      ['exclusiveMinimum'],
    ],
    [
      'keywords that no server has',
      { type: 'string', const: 'a', if: {} },
      { type: 'string', ...open },
      ['const', 'if'],
    ],
    ['the schema that nothing fits', false, open, ['false']],
    // With less to fit, more of them fit: an object would be refused that the schema takes.
    [
      'no choice of one among what is judged in part',
      { type: 'object', oneOf: [{ $ref: '#/a' }, { $ref: '#/b' }] },
      { type: 'object', ...open },
      ['$ref', 'oneOf'],
    ],
    [
      'no choice of one among closed objects',
      { type: 'object', oneOf: [{ properties: { a: {} }, additionalProperties: false }, {}] },
      { type: 'object', ...open },
      ['additionalProperties', 'oneOf'],
    ],
    [
      'no negation of what is judged in part',
      { type: 'object', not: { anyOf: [{ required: ['a'], const: {} }] } },
      { type: 'object', ...open },
      ['const', 'not'],
    ],
    [
      'any of what is judged in part',
      { type: 'object', anyOf: [{ $ref: '#/a' }] },
      { type: 'object', anyOf: [{}] },
      ['$ref'],
    ],
  ];
  for (const [name, spec, node, unjudged = []] of rows) {
    it(`have ${name}`, () => {
      const definition = made(spec);
      expect(valueAt(definition.crd, ...keys)).to.deep.equal(node);
      expect(definition.unjudged).to.deep.equal(unjudged);
      expect(() => compileValidator(definition.crd, 'v1')).not.to.throw();
    });
  }

  it('refuse what is no schema of an object, and what is nested too deep', () => {
    let deep: JsonObject = { type: 'object' };
    for (let level = 0; level < 9000; level++) deep = { type: 'object', properties: { a: deep } };
    expect(() => made(deep)).to.throw('nested deeper than 500 levels');
    expect(() => definitionOfJsonSchema([], widget)).to.throw('no JSON schema of an object');
  });
});

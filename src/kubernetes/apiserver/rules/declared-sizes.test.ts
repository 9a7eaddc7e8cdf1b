import { expect } from 'chai';
import { parseJson } from '../../../text/documents/index.js';
import { readSchema } from '../read-schema.js';
import { maxCardinality, sizesOfSchema, type SchemaSizes } from './declared-types.js';

const sizes = (schema: string, isResource = false): SchemaSizes => {
  const found = sizesOfSchema(readSchema(parseJson(schema), '$'), isResource);
  if (found === undefined) throw new Error('rules cannot see it');
  return found;
};

const request = 3_145_728n;

describe('sizesOfSchema', () => {
  const rows: readonly (readonly [schema: string, elements: bigint, bytes: bigint])[] = [
    ['{"type": "string"}', request - 2n, 2n],
    ['{"type": "string", "maxLength": 5}', 20n, 2n],
    ['{"type": "string", "maxLength": -5}', 0n, 2n],
    ['{"type": "string", "enum": ["a", "é€"]}', 5n, 2n],
    ['{"type": "string", "enum": ["a"], "maxLength": 5}', 20n, 2n],
    ['{"type": "string", "format": "byte", "maxLength": 5}', 5n, 2n],
    ['{"type": "string", "format": "byte"}', request - 2n, 2n],
    ['{"type": "string", "format": "date", "maxLength": 5}', 12n, 12n],
    ['{"type": "string", "format": "date-time"}', 32n, 21n],
    ['{"type": "string", "format": "duration"}', 32n, 3n],
    ['{"x-kubernetes-int-or-string": true}', request - 2n, 1n],
    ['{"x-kubernetes-int-or-string": true, "maxLength": 2}', 8n, 1n],
    ['{"type": "boolean"}', 0n, 4n],
    ['{"type": "integer"}', 0n, 1n],
    ['{"type": "array", "items": {"type": "boolean"}}', (request - 2n) / 5n, 2n],
    ['{"type": "array", "items": {"type": "boolean"}, "maxItems": 7}', 7n, 2n],
    ['{"type": "object", "additionalProperties": {"type": "integer"}}', (request - 2n) / 7n, 2n],
    ['{"type": "object"}', 0n, 2n],
  ];
  for (const [schema, elements, bytes] of rows) {
    it(schema, () => {
      const { maxElements, minSerializedSize } = sizes(schema);
      expect([maxElements, minSerializedSize]).to.deep.equal([elements, bytes]);
    });
  }

  it('counts required fields without a default into the smallest object', () => {
    const schema =
      '{"type": "object", "required": ["a", "é", "d"], "properties": {"a": {"type": "integer"}, "é": {"type": "boolean"}, "b": {"type": "integer"}, "d": {"type": "integer", "default": 1}}}';
    expect(sizes(schema).minSerializedSize).to.equal(2n + (1n + 1n + 4n) + (2n + 4n + 4n));
    expect(maxCardinality(sizes(schema))).to.equal(request / 19n);
  });

  it('knows the fields by their escaped names, and those that every resource has', () => {
    const { fields } = sizes(
      '{"type": "object", "properties": {"a-b": {"type": "integer"}}}',
      true,
    );
    expect([...(fields?.keys() ?? [])].sort()).to.deep.equal([
      'a__dash__b',
      'apiVersion',
      'kind',
      'metadata',
    ]);
  });

  it('does not see what has no type', () => {
    const node = readSchema(parseJson('{"x-kubernetes-preserve-unknown-fields": true}'), '$');
    expect(sizesOfSchema(node, false)).to.equal(undefined);
  });
});

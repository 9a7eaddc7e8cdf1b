import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { judgeByReference } from './profiles.js';
import { definition, object, withSchema } from './testing/definition.js';
import { lines, spec } from './testing/upgrade-rows.js';
import { UpgradePair } from '../../pair.js';

const enums = (...values: string[]): JsonObject[] => values.map((value) => ({ enum: [value] }));
const field = (oneOf: JsonValue, more: JsonObject = {}): JsonObject =>
  spec({ type: 'string', oneOf, ...more });
const later = (old: JsonObject, next: JsonObject): string[] =>
  lines(old, next, 'olm-v1.10').filter((line) => line.startsWith('v1: ^.spec: '));

describe('rule oneOf', () => {
  it('has no words for other words, or another order', () => {
    const [a, b] = enums('a', 'b') as [JsonObject, JsonObject];
    const described = {
      ...a,
      description: 'd',
      title: 't',
      example: 1,
      externalDocs: { url: 'u' },
    };
    expect(later(field([a, b]), field([described, b]))).to.deep.equal([]);
    expect(later(field([a, b]), field([b, a]))).to.deep.equal([]);
    expect(lines(field([a, b]), field([described, b]), 'crdify')).to.match(/\^\.spec: unhandled/);
  });

  it('lists removals before additions', () => {
    const [line = '', ...others] = later(field(enums('a', 'b')), field(enums('b', 'c')));
    expect(others).to.deep.equal([]);
    expect(line).to.match(
      /^v1: \^\.spec: oneOf: allowed oneOf schemas removed: \[&JSONSchemaProps\{/,
    );
    // "a" in bytes.
    expect(line).to.include('Enum:[]JSON{JSON{Raw:*[34 97 34],},}').and.not.include('34 99 34');
  });

  it('takes an alternative that is printed with an address for the same as no other', () => {
    const bounded = [{ properties: { size: { minimum: 1 } } }];
    expect(later(field(bounded), field(bounded))).to.deep.equal([]);
    const [line] = later(field(bounded), field(bounded, { title: 't' }));
    expect(line).to.match(/allowed oneOf schemas removed: .*size: \{ {2}<nil> .* 0x… /);
    const required = [{ properties: { size: { enum: [1] } }, required: ['size'] }];
    expect(later(field(required), field(required, { description: 't' }))).to.deep.equal([]);
  });

  it('holds a disagreement of served versions that was there against nobody, without address', () => {
    const served = (oneOf: JsonObject[], title: string): JsonObject =>
      definition({
        versions: [
          { name: 'v1beta1', schema: object({ a: { type: 'object' } }) },
          { name: 'v1', storage: false, schema: object({ a: { type: 'object', oneOf, title } }) },
        ],
      });
    const found = (oneOf: JsonObject[]): string[] =>
      lines(served(oneOf, 'x'), served(oneOf, 'x'), 'olm-v1.10');
    expect(found([{ required: ['x'] }])).to.deep.equal([]);
    expect(found([{ properties: { x: { maxLength: 1 } } }])).to.match(
      /v1beta1 -> v1: \^\.a: oneOf/,
    );
  });

  it('prints no more than there is room for, however deep alternatives nest', () => {
    const nested = (depth: number, leaf: JsonObject): JsonObject => {
      let schema = leaf;
      for (let level = 0; level < depth; level++) schema = { oneOf: [schema] };
      return schema;
    };
    const { findings } = judgeByReference(
      UpgradePair.read(spec(nested(4000, { pattern: 'a' })), spec(nested(4000, { pattern: 'b' }))),
      'olm-v1.10',
    );
    expect(findings.map(({ rule }) => rule)).to.include('oneOf');
    const length = findings.reduce((sum, { message }) => sum + message.length, 0);
    expect(length).to.be.below(9 * 1024 * 1024);
  });

  it('prints alternatives that nest deep no longer than there is room for', () => {
    const nested = (minimum: number): JsonObject => {
      let schema: JsonObject = { minimum };
      for (let level = 0; level < 400; level++) schema = { oneOf: [schema] };
      return withSchema(object({ spec: schema }));
    };
    const { allowed, findings } = judgeByReference(
      UpgradePair.read(nested(1), nested(2)),
      'olm-v1.10',
    );
    expect(allowed).to.equal(false);
    const size = findings.reduce((sum, { message }) => sum + message.length, 0);
    expect(size).to.be.lessThan(3 * 1024 * 1024);
  });
});

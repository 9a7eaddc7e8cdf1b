import { expect } from 'chai';
import { formatPath, InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import { docsFor, foundAt } from '../../../rule/index.js';
import { judgeByReference } from './profiles.js';
import { definition, json, object, withSchema } from './testing/definition.js';
import { lines, spec } from './testing/upgrade-rows.js';
import { UpgradePair } from '../../pair.js';

describe('judging an upgrade', () => {
  it('tells a property named ^p from the root', () => {
    const named = (type: string): JsonObject => withSchema(object({ '^p': { type } }));
    expect(lines(named('string'), named('object'), 'crdify')).to.deep.equal([
      'v1: ^.^p: type: type changed : "string" -> "object"',
    ]);
  });

  it('refuses two definitions with different names', () => {
    expect(() =>
      judgeByReference(
        UpgradePair.read(withSchema({}), definition({ name: 'b', versions: [] })),
        'olm-v1',
      ),
    )
      .to.throw(InvalidInputError, 'is named b, but the old definition is samples.test.example.com')
      .with.deep.property('where', { path: '$.new.metadata.name' });
  });

  it('names field and keyword of a value that a keyword cannot have', () => {
    expect(() =>
      judgeByReference(
        UpgradePair.read(spec({ minLength: 1 }), spec({ minLength: '1' })),
        'crdify',
      ),
    ).to.throw(
      InvalidInputError,
      'in the field ^.spec, minLength: must be an integer of at most 64 bits',
    );
  });

  for (const [side, old, next] of [
    ['$.old', 7, {}],
    ['$.new', {}, 7],
  ] as const) {
    it(`says on which side a schema cannot be read: ${side}`, () => {
      const judge = () =>
        judgeByReference(
          UpgradePair.read(withSchema({ properties: old }), withSchema({ properties: next })),
          'olm-v1',
        );
      expect(judge)
        .to.throw(InvalidInputError, 'in the field ^, properties: must be an object')
        .with.deep.property('where', { path: side });
    });
  }

  it('judges names of Object.prototype as any other', () => {
    const old = withSchema(
      json('{"properties": {"__proto__": {"type": "string"}, "toString": {}, "constructor": {}}}'),
    );
    const next = withSchema(
      json('{"properties": {"__proto__": {"type": "object"}, "toString": {}}}'),
    );
    expect(lines(old, old, 'crdify')).to.deep.equal([]);
    expect(lines(old, next, 'crdify')).to.deep.equal([
      'existingFieldRemoval: removed field : v1.^.constructor',
      'v1: ^.__proto__: type: type changed : "string" -> "object"',
    ]);
  });

  it('judges 100,000 fields', () => {
    const wide = (last: string): JsonObject => {
      const names = Array.from({ length: 100_000 }, (_, at) => `f${at}`);
      const fields = names.map((name) => [name, { type: 'string' }] as const);
      return withSchema(object({ ...Object.fromEntries(fields), last: { type: last } }));
    };
    expect(lines(wide('string'), wide('object'), 'olm-v1')).to.deep.equal([
      'version "v1", field "^.last": type changed from "string" to "object"',
    ]);
  });

  it('stays linear in alternatives inside alternatives', () => {
    let schema: JsonObject = { type: 'string' };
    let other: JsonObject = { type: 'integer' };
    for (let level = 0; level < 600; level++) {
      schema = { additionalProperties: schema, description: 'd'.repeat(500) };
      other = { additionalProperties: other, description: 'd'.repeat(500) };
    }
    expect(
      judgeByReference(UpgradePair.read(withSchema(schema), withSchema(other)), 'olm-v1').findings,
    ).to.have.length(601);
  });
});

describe('what a finding carries', () => {
  const old = withSchema(
    object({ spec: object({ 'a.b': { items: { type: 'string' } }, gone: {} }) }),
  );
  const next = withSchema(object({ spec: object({ 'a.b': { items: { type: 'integer' } } }) }));

  it('has object, version, path, cause and docs', () => {
    const [finding] = judgeByReference(UpgradePair.read(old, next), 'crdify').findings.slice(-1);
    expect(finding).to.deep.include({
      rule: 'type',
      severity: 'error',
      version: 'v1',
      path: '^.spec.a.b.items',
      cause: 'type v1 ^.spec.a.b.items type changed : "string" -> "integer"',
      docs: docsFor('type'),
    });
    expect(finding?.object?.name).to.equal('samples.test.example.com');
  });

  it('can be located in the new document, also where something is gone from it', () => {
    const judgement = judgeByReference(UpgradePair.read(old, next), 'crdify');
    expect(
      judgement.findings
        .map((each) => each[foundAt])
        .map((at) => `${at?.side} ${formatPath(at?.keys ?? [])}`),
    ).to.deep.equal([
      'new $.spec.versions[0].schema.openAPIV3Schema.properties.spec',
      'new $.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties["a.b"].items.type',
    ]);
    const olm = judgeByReference(
      UpgradePair.read(old, definition({ scope: 'Cluster', versions: [] })),
      'olm-v1',
    );
    expect(olm.findings.map((each) => formatPath(each[foundAt]?.keys ?? []))).to.deep.equal([
      '$.spec.scope',
    ]);
  });
});

import { expect } from 'chai';
import { InvalidInputError, type JsonObject, type JsonValue } from '../documents/index.js';
import { judgeUpgrade } from './profiles.js';
import { definition, json, object, withSchema } from './testing.test.js';

type Rows = [row: string, old: JsonObject, next: JsonObject, lines: string[]][];

const lines = (old: JsonObject, next: JsonObject, profile: 'olm-v1' | 'crdify'): string[] =>
  judgeUpgrade(old, next, profile).findings.map(({ message }) => message);

function describeRows(profile: 'olm-v1' | 'crdify', rows: Rows): void {
  for (const [row, old, next, expected] of rows) {
    it(row, () => {
      expect(lines(old, next, profile)).to.deep.equal(expected);
    });
  }
}

const spec = (schema: JsonValue): JsonObject => withSchema(object({ spec: schema }));
const unknown = (path: string, version = 'v1'): string =>
  `version "${version}", field "${path}" has unknown change, refusing to determine that change is safe`;

describe('the texts of the documents', () => {
  const field = { type: 'string' };
  const schema = object({ spec: object({ pollInterval: field }), pollInterval: field });
  const name = 'test.example.com';
  const version = (schema: JsonObject) => ({ name: 'v1alpha1', schema });
  const old = definition({ name, stored: ['v1alpha1'], versions: [version(schema)] });
  const rows: [row: string, next: JsonObject, first: string][] = [
    [
      'scope change, the values as they stand in the objects',
      definition({ name, scope: 'cluster', versions: [version(schema)] }),
      '"NoScopeChange" validation failed: scope changed from "Namespaced" to "cluster"',
    ],
    [
      'removal of a stored version',
      definition({ name, versions: [{ name: 'v1alpha2', schema }] }),
      '"NoStoredVersionRemoved" validation failed: stored version "v1alpha1" removed',
    ],
    [
      'removal of an existing field',
      definition({ name, versions: [version(object({ spec: object({}), pollInterval: field }))] }),
      '"NoExistingFieldRemoved" validation failed: crd/test.example.com version/v1alpha1 field/^.spec.pollInterval may not be removed',
    ],
    [
      'addition of a required field',
      definition({ name, versions: [version({ ...schema, required: ['pollInterval'] })] }),
      '"ChangeValidator" validation failed: version "v1alpha1", field "^": new required fields added: [pollInterval]',
    ],
  ];
  for (const [row, next, first] of rows) {
    it(row, () => {
      const { allowed, message } = judgeUpgrade(old, next, 'olm-v1');
      expect(allowed).to.equal(false);
      expect(message.split('\n')[0]).to.equal(
        `validating upgrade for CRD "test.example.com" failed: CustomResourceDefinition test.example.com failed upgrade safety validation. ${first}`,
      );
    });
  }
});

describe('profile olm-v1', () => {
  describeRows('olm-v1', [
    ['nothing changed', spec({ type: 'string' }), spec({ type: 'string' }), []],
    ['an optional field added', spec(object({})), spec(object({ a: {} })), []],
    [
      'a version added',
      withSchema({}),
      definition({ versions: [{ schema: {} }, { name: 'v2', served: false }] }),
      [],
    ],
    [
      'every rule that has something to say, until the rest is explained',
      spec({ enum: ['a', 'b'], maximum: 3, type: 'string' }),
      spec({ enum: ['b'], maximum: 2, type: 'string' }),
      [
        'version "v1", field "^.spec": enums ["a"] removed from the set of previously allowed values',
        'version "v1", field "^.spec": maximum: constraint decreased from 3 to 2',
      ],
    ],
    [
      'a known and an unknown change',
      spec({ type: 'string', maxLength: 2 }),
      spec({ type: 'string', maxLength: 1, format: 'date' }),
      [
        'version "v1", field "^.spec": maxLength: constraint decreased from 2 to 1',
        unknown('^.spec'),
      ],
    ],
    ['a description', spec({ description: 'a' }), spec({ description: 'b' }), [unknown('^.spec')]],
    ['$ref', spec({}), spec({ $ref: '#/a' }), [unknown('^.spec')]],
    ['a key that is no keyword', spec({}), spec({ 'x-other': 1 }), []],
    [
      'beneath additionalProperties, the parent too',
      spec({ additionalProperties: { type: 'string' } }),
      spec({ additionalProperties: { type: 'string', maxLength: 1 } }),
      [
        unknown('^.spec'),
        'version "v1", field "^.spec[*]": maxLength: constraint 1 added when there were no restrictions previously',
      ],
    ],
    [
      'a parent with alternatives is masked by the last of them',
      spec({ type: 'string', oneOf: [{ minLength: 1 }] }),
      spec({ type: 'integer', oneOf: [{ minLength: 1 }] }),
      [],
    ],
    [
      'an empty list where none is kept is an unknown change of itself',
      spec({ 'x-kubernetes-validations': [] }),
      spec({ 'x-kubernetes-validations': [] }),
      [unknown('^.spec')],
    ],
    ['an empty list that a rule explains is none', spec({}), spec({ enum: [], required: [] }), []],
    [
      'numbers by value',
      json(
        '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"samples.test.example.com"},"spec":{"scope":"Namespaced","versions":[{"name":"v1","served":true,"schema":{"openAPIV3Schema":{"multipleOf":2.0,"default":1e0}}}]}}',
      ),
      withSchema({ multipleOf: 2, default: 1 }),
      [],
    ],
    [
      'names with quotes',
      withSchema(object({ 'a"b': { type: 'string' } })),
      withSchema(object({ 'a"b': { type: 'integer' } })),
      [String.raw`version "v1", field "^.a\"b": type changed from "string" to "integer"`],
    ],
    [
      'no served version',
      withSchema({}),
      definition({ versions: [{ served: false, schema: {} }] }),
      [],
    ],
    ['no schema on both sides', definition({ versions: [{}] }), definition({ versions: [{}] }), []],
    [
      'a schema where there was none',
      definition({ versions: [{}] }),
      withSchema({ type: 'object' }),
      [],
    ],
  ]);

  describe('served versions', () => {
    const beta = { name: 'v1beta1', schema: object({ a: { type: 'string', maxLength: 2 } }) };
    const stable = {
      name: 'v1',
      storage: false,
      schema: object({ a: { type: 'string', maxLength: 1 } }),
    };
    const old = definition({ versions: [beta] });
    const line =
      'version upgrade "v1beta1" to "v1", field "^.a": maxLength: constraint decreased from 2 to 1';
    const removed = { name: 'v1', schema: object({}) };
    describeRows('olm-v1', [
      [
        'lower to higher, whatever their order',
        old,
        definition({ versions: [stable, beta] }),
        [line],
      ],
      [
        'a version that is not served',
        old,
        definition({ versions: [beta, { ...stable, served: false }] }),
        [],
      ],
      [
        'a conversion webhook',
        old,
        definition({ strategy: 'Webhook', versions: [beta, stable] }),
        [],
      ],
      ['no conversion', old, definition({ strategy: 'None', versions: [beta, stable] }), [line]],
      [
        'a field that the higher has not',
        old,
        definition({ versions: [beta, removed] }),
        ['calculating schema diff between CRD versions "v1beta1" and "v1"'],
      ],
      [
        'an unknown change names the lower version only',
        old,
        definition({
          versions: [beta, { name: 'v1', schema: object({ a: { ...beta.schema, maxLength: 2 } }) }],
        }),
        ['version upgrade "v1beta1" to "v1", field "^.a": type changed from "string" to "object"'],
      ],
    ]);
  });

  it('skips what else is in a version with a removed field', () => {
    const old = withSchema(object({ a: { type: 'string' }, b: {} }));
    const next = withSchema(object({ a: { type: 'integer' } }));
    expect(judgeUpgrade(old, next, 'olm-v1').errors).to.deep.equal([
      {
        validator: 'NoExistingFieldRemoved',
        message: 'crd/samples.test.example.com version/v1 field/^.b may not be removed',
      },
      { validator: 'ChangeValidator', message: 'calculating schema diff for CRD version "v1"' },
    ]);
  });

  it('joins validators as blocks and differences as lines', () => {
    const old = spec(object({ a: { type: 'string' }, b: { type: 'string' } }));
    const next = spec(object({ a: { type: 'integer' }, b: { type: 'integer' } }));
    expect(
      judgeUpgrade(
        old,
        { ...next, spec: { ...(next['spec'] as JsonObject), scope: 'Cluster' } },
        'olm-v1',
      ).message,
    ).to.equal(
      [
        'validating upgrade for CRD "samples.test.example.com" failed: CustomResourceDefinition samples.test.example.com failed upgrade safety validation. "NoScopeChange" validation failed: scope changed from "Namespaced" to "Cluster"',
        'CustomResourceDefinition samples.test.example.com failed upgrade safety validation. "ChangeValidator" validation failed: version "v1", field "^.spec.a": type changed from "string" to "integer"',
        'version "v1", field "^.spec.b": type changed from "string" to "integer"',
      ].join('\n'),
    );
  });
});

describe('profile crdify', () => {
  describeRows('crdify', [
    ['nothing changed', spec({ type: 'string' }), spec({ type: 'string' }), []],
    ['a description', spec({ description: 'a' }), spec({ description: 'b' }), []],
    ['an enum value added', spec({ enum: ['a'] }), spec({ enum: ['a', 'b'] }), []],
    ['an empty list is none', spec({ oneOf: [] }), spec({ 'x-kubernetes-validations': [] }), []],
    [
      'a change that no validation explains',
      spec({ format: 'a' }),
      spec({ format: 'b', type: 'string' }),
      [
        'v1: ^.spec: type: type changed : "" -> "string"',
        'v1: ^.spec: unhandled: unhandled changes found (format "a" -> "b")',
      ],
    ],
    [
      'alternatives have paths of their own',
      spec({ oneOf: [{ maxLength: 2 }] }),
      spec({ oneOf: [{ maxLength: 1 }] }),
      [
        'v1: ^.spec: unhandled: unhandled changes found (oneOf [{"maxLength":2}] -> [{"maxLength":1}])',
        'v1: ^.spec.oneOf[0]: maxLength: maximum decreased : 2 -> 1',
      ],
    ],
    [
      'a removed field is compared with an empty schema',
      spec(object({ a: { type: 'string', description: 'd' } })),
      spec(object({})),
      [
        'existingFieldRemoval: removed field : v1.^.spec.a',
        'v1: ^.spec.a: type: type changed : "string" -> ""',
      ],
    ],
    [
      'no served version',
      withSchema({}),
      definition({ versions: [{ served: false, schema: {} }] }),
      [],
    ],
    ['no schema', definition({ versions: [{}] }), definition({ versions: [{}] }), []],
  ]);

  describe('served versions', () => {
    const beta = { name: 'v1beta1', schema: object({ a: { maxLength: 2 } }) };
    const tighter = (more: JsonObject = {}) => ({
      name: 'v1',
      storage: false,
      schema: object({ a: { maxLength: 1, ...more } }),
    });
    const line = 'v1beta1 -> v1: ^.a: maxLength: maximum decreased : 2 -> 1';
    describeRows('crdify', [
      [
        'a difference that is new',
        definition({ versions: [beta] }),
        definition({ versions: [beta, tighter()] }),
        [line],
      ],
      [
        'a difference that was there before',
        definition({ versions: [beta, tighter()] }),
        definition({ versions: [beta, tighter()] }),
        [],
      ],
      [
        'another difference of the same field',
        definition({ versions: [beta, tighter({ title: 'a' })] }),
        definition({ versions: [beta, tighter({ title: 'b' })] }),
        [
          'v1: ^.a: unhandled: unhandled changes found (title "a" -> "b")',
          'v1beta1 -> v1: ^.a: unhandled: unhandled changes found (title none -> "b")',
        ],
      ],
      [
        'a conversion webhook',
        definition({ versions: [beta] }),
        definition({ strategy: 'Webhook', versions: [beta, tighter()] }),
        [],
      ],
    ]);
  });

  it('sorts errors by phase, version, property and validation', () => {
    const old = definition({ scope: 'Cluster', versions: [{ schema: object({ b: {}, a: {} }) }] });
    const next = definition({
      versions: [
        { schema: object({ b: { type: 'string' }, a: { pattern: 'p', enum: ['x'] } }) },
        { name: 'v2', schema: object({ b: {}, a: {} }) },
      ],
    });
    expect(
      judgeUpgrade(old, next, 'crdify').errors.map((error) =>
        Object.values<unknown>({ ...error }).slice(0, -1),
      ),
    ).to.deep.equal([
      ['crd', 'scope'],
      ['same', 'v1', '^.a', 'enum'],
      ['same', 'v1', '^.a', 'pattern'],
      ['same', 'v1', '^.b', 'type'],
      ['served', 'v1 -> v2', '^.a', 'enum'],
      ['served', 'v1 -> v2', '^.a', 'pattern'],
      ['served', 'v1 -> v2', '^.b', 'type'],
    ]);
  });

  it('writes the whole text', () => {
    expect(judgeUpgrade(spec({}), spec({ nullable: true }), 'crdify').message).to.equal(
      'validating upgrade for CRD "samples.test.example.com": v1: ^.spec: nullable: nullable added : false -> true',
    );
  });
});

describe('judging an upgrade', () => {
  it('tells a property named ^p from the root', () => {
    const named = (type: string): JsonObject => withSchema(object({ '^p': { type } }));
    expect(lines(named('string'), named('object'), 'crdify')).to.deep.equal([
      'v1: ^.^p: type: type changed : "string" -> "object"',
    ]);
  });

  it('refuses two definitions with different names', () => {
    expect(() => judgeUpgrade(withSchema({}), definition({ name: 'b', versions: [] }), 'olm-v1'))
      .to.throw(InvalidInputError, 'is named b, but the old definition is samples.test.example.com')
      .with.deep.property('where', { path: '$.new.metadata.name' });
  });

  it('names field and keyword of a value that a keyword cannot have', () => {
    expect(() => judgeUpgrade(spec({ minLength: 1 }), spec({ minLength: '1' }), 'crdify')).to.throw(
      InvalidInputError,
      'in the field ^.spec, minLength: must be an integer of at most 64 bits',
    );
  });

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
    for (let level = 0; level < 900; level++) {
      schema = { additionalProperties: schema, description: 'd'.repeat(500) };
      other = { additionalProperties: other, description: 'd'.repeat(500) };
    }
    expect(judgeUpgrade(withSchema(schema), withSchema(other), 'olm-v1').findings).to.have.length(
      901,
    );
  });
});

describe('what a finding carries', () => {
  const old = withSchema(
    object({ spec: object({ 'a.b': { items: { type: 'string' } }, gone: {} }) }),
  );
  const next = withSchema(object({ spec: object({ 'a.b': { items: { type: 'integer' } } }) }));

  it('has object, version, path, cause and docs', () => {
    const [finding] = judgeUpgrade(old, next, 'crdify').findings.slice(-1);
    expect(finding).to.deep.include({
      rule: 'type',
      severity: 'error',
      version: 'v1',
      path: '^.spec.a.b.items',
      cause: 'type v1 ^.spec.a.b.items type changed : "string" -> "integer"',
      docs: 'docs/rules.md#type',
    });
    expect(finding?.object?.name).to.equal('samples.test.example.com');
  });

  it('can be located in the old or the new document', () => {
    const judgement = judgeUpgrade(old, next, 'crdify');
    expect(
      judgement.findings
        .map((finding) => judgement.locate(finding))
        .map((at) => `${at?.side} ${at?.path}`),
    ).to.deep.equal([
      'old $.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.gone',
      'new $.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties["a.b"].items.type',
    ]);
    const olm = judgeUpgrade(old, definition({ scope: 'Cluster', versions: [] }), 'olm-v1');
    expect(olm.findings.map((finding) => olm.locate(finding)?.path)).to.deep.equal([
      '$.spec.scope',
    ]);
  });
});

import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { judgeByReference, upgradeMessage } from './profiles.js';
import { definition, json, object, withSchema } from './testing/definition.js';
import { describeRows, spec } from './testing/upgrade-rows.js';
import { UpgradePair } from '../../pair.js';

const unknown = (path: string, version = 'v1'): string =>
  `version "${version}", field "${path}" has unknown change, refusing to determine that change is safe`;

describe('the documented texts', () => {
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
      const { allowed, message } = judgeByReference(UpgradePair.read(old, next), 'olm-v1');
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
        ['version upgrade "v1beta1" to "v1", field "^.a": missing from "v1"'],
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

  it('says of a version with a removed field what else the reference passes over, beside its text', () => {
    const old = withSchema(object({ a: { type: 'string' }, b: {} }));
    const next = withSchema(object({ a: { type: 'integer' } }));
    const { findings, message } = judgeByReference(UpgradePair.read(old, next), 'olm-v1');
    expect(findings.map(({ rule, path }) => [rule, path])).to.deep.equal([
      ['NoExistingFieldRemoved', '^.b'],
      ['ChangeValidator', '^.a'],
    ]);
    const name = 'samples.test.example.com';
    expect(upgradeMessage(name, 'olm-v1', findings, ['v1'])).to.equal(message);
    // Without the field that hides it, the reference would have said it.
    expect(upgradeMessage(name, 'olm-v1', findings.slice(1), ['v1'])).to.include(
      '"ChangeValidator" validation failed: version "v1", field "^.a": type changed',
    );
    expect(judgeByReference(UpgradePair.read(old, next), 'olm-v1').errors).to.deep.equal([
      {
        validator: 'NoExistingFieldRemoved',
        message: 'crd/samples.test.example.com version/v1 field/^.b may not be removed',
      },
      { validator: 'ChangeValidator', message: 'calculating schema diff for CRD version "v1"' },
    ]);
  });

  it('names each field that a served version lacks, and has one line of text for all', () => {
    const two = [
      { name: 'v1beta1', schema: object({ a: {}, b: {}, c: { type: 'string' } }), storage: false },
      { name: 'v1', schema: object({ c: { type: 'integer' } }) },
    ];
    const old = definition({ versions: two.slice(1) });
    const { findings, errors, message } = judgeByReference(
      UpgradePair.read(old, definition({ versions: two })),
      'olm-v1',
    );
    expect(findings.map(({ path }) => path)).to.deep.equal(['^.a', '^.b', '^.c']);
    const line = 'calculating schema diff between CRD versions "v1beta1" and "v1"';
    expect(errors).to.deep.equal([{ validator: 'ServedVersionValidator', message: line }]);
    expect(upgradeMessage('samples.test.example.com', 'olm-v1', findings, ['v1'])).to.equal(
      message,
    );
  });

  it('joins validators as blocks and differences as lines', () => {
    const old = spec(object({ a: { type: 'string' }, b: { type: 'string' } }));
    const next = spec(object({ a: { type: 'integer' }, b: { type: 'integer' } }));
    expect(
      judgeByReference(
        UpgradePair.read(old, {
          ...next,
          spec: { ...(next['spec'] as JsonObject), scope: 'Cluster' },
        }),
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

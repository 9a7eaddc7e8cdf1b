import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { judgeByReference } from './profiles.js';
import { definition, object, withSchema } from './testing/definition.js';
import { describeRows, spec } from './testing/upgrade-rows.js';
import { UpgradePair } from '../../pair.js';

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
        'v1: ^.spec: unhandled: unhandled changes found (Format "a" -> "b")',
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
          'v1: ^.a: unhandled: unhandled changes found (Title "a" -> "b")',
          'v1beta1 -> v1: ^.a: unhandled: unhandled changes found (Title "" -> "b")',
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
      judgeByReference(UpgradePair.read(old, next), 'crdify').errors.map((error) =>
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

  it('writes the complete text of crdify', () => {
    expect(
      judgeByReference(UpgradePair.read(spec({}), spec({ nullable: true })), 'crdify').message,
    ).to.equal(
      'validating upgrade for CRD "samples.test.example.com": v1: ^.spec: nullable: nullable added : false -> true',
    );
  });
});

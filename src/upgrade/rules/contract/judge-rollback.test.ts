import { expect } from 'chai';
import { definition, object, withSchema } from '../crd/testing/definition.js';
import { type JsonObject } from '../../../text/documents/index.js';
import { judgeRollback } from './judge-rollback.js';
import { UpgradePair } from '../../pair.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const ofSpec = (spec: JsonObject): JsonObject => withSchema(object({ spec }));
const mode = (...values: string[]): JsonObject =>
  ofSpec(object({ mode: { ...string, enum: values } }));

const schema = object({ spec: object({ size: integer }) });
const versions = (...names: string[]): JsonObject =>
  definition({
    versions: names.map((name, index) => ({ name, storage: index === names.length - 1, schema })),
  });

describe('rollback', () => {
  const rows: [
    title: string,
    old: JsonObject,
    next: JsonObject,
    words: { id: string; data?: object },
    effect: string,
  ][] = [
    ['nothing changed', mode('a'), mode('a'), { id: 'possible' }, 'safe'],
    [
      'a bound is tightened',
      ofSpec(object({ size: integer })),
      ofSpec(object({ size: { ...integer, maximum: 9 } })),
      { id: 'possible' },
      'safe',
    ],
    [
      'a value is added',
      mode('a'),
      mode('a', 'c'),
      { id: 'until', data: { conditions: 'uses spec.mode=c' } },
      'breaking',
    ],
    [
      'a field and a value are added',
      ofSpec(object({ mode: { ...string, enum: ['a'] } })),
      ofSpec(object({ mode: { ...string, enum: ['a', 'c'] }, extra: object({ deep: string }) })),
      { id: 'until', data: { conditions: 'uses spec.mode=c or spec.extra' } },
      'breaking',
    ],
    [
      'a required field may be missing',
      ofSpec(object({ size: integer }, { required: ['size'] })),
      ofSpec(object({ size: integer })),
      { id: 'until', data: { conditions: 'leaves out spec.size' } },
      'breaking',
    ],
    [
      'a field is dropped',
      ofSpec(object({ size: integer, old: string })),
      ofSpec(object({ size: integer })),
      {
        id: 'never',
        data: {
          reason:
            'the upgrade drops data that a rollback does not restore: the field is gone: its values are pruned; values lost: .spec.old',
        },
      },
      'data-loss',
    ],
    [
      'a default that the old definition refuses',
      ofSpec(object({ size: { ...integer, maximum: 5 } })),
      ofSpec(object({ size: { ...integer, maximum: 9, default: 7 } })),
      {
        id: 'never',
        data: {
          reason:
            'the new defaults make unmodified objects invalid under the old definition: spec.size: spec.size in body should be less than or equal to 5',
        },
      },
      'breaking',
    ],
    [
      'another storage version that is new',
      versions('v1'),
      versions('v1', 'v2'),
      {
        id: 'never',
        data: {
          reason:
            'the first write stores an object as "v2", and Kubernetes refuses a definition without that version from then on',
        },
      },
      'breaking',
    ],
    [
      'another storage version that was served',
      { ...versions('v2', 'v1') },
      versions('v1', 'v2'),
      { id: 'possible' },
      'safe',
    ],
    [
      'an upgrade that Kubernetes refuses',
      withSchema(schema),
      definition({ scope: 'Cluster', versions: [{ schema }] }),
      { id: 'refused' },
      'safe',
    ],
  ];

  for (const [title, old, next, words, effect] of rows) {
    it(title, () => {
      const back = judgeRollback(UpgradePair.read(old, next));
      expect(back.finding).to.deep.include(words);
      expect(back.effect).to.equal(effect);
      expect(back.finding.message).to.equal(back.message);
      const isHarm = effect === 'breaking' || effect === 'data-loss';
      expect(back.finding.witness !== undefined, 'an object shows it').to.equal(isHarm);
    });
  }
});

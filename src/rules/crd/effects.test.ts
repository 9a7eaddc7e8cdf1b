import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import type { Effect } from '../../finding.js';
import { judgeUpgrade, type ReferenceProfile } from './index.js';
import { proveUpgrade } from '../../proof/index.js';
import { withEffects } from './effects.js';
import { definition, object, withSchema } from './testing/definition.js';

interface Row {
  readonly name: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Of each finding: its rule, and its path where it has one. */
  readonly olm?: Readonly<Record<string, Effect>>;
  readonly crdify?: Readonly<Record<string, Effect>>;
}

const spec = (schema: JsonObject): JsonObject => withSchema(object({ spec: schema }));
const list = (items: JsonObject): JsonObject => spec(object({ list: { type: 'array', items } }));
const map = (additionalProperties: JsonObject): JsonObject =>
  spec(object({ map: { type: 'object', additionalProperties } }));

const rows: Row[] = [
  {
    name: 'a removed field loses data, and so does all that was in it',
    old: spec(object({ a: object({ b: { type: 'string' } }) })),
    new: spec(object({})),
    olm: {
      'NoExistingFieldRemoved ^.spec.a': 'data-loss',
      'NoExistingFieldRemoved ^.spec.a.b': 'data-loss',
    },
  },
  {
    name: 'a bound among items',
    old: list({ type: 'string' }),
    new: list({ type: 'string', maxLength: 3 }),
    olm: { 'ChangeValidator ^.spec.list[*]': 'breaking' },
    crdify: { 'maxLength ^.spec.list.items': 'breaking' },
  },
  {
    name: 'a bound among values of a map',
    old: map({ type: 'string' }),
    new: map({ type: 'string', maxLength: 3 }),
    olm: {
      'ChangeValidator ^.spec.map': 'breaking',
      'ChangeValidator ^.spec.map[*]': 'breaking',
    },
    crdify: {
      'unhandled ^.spec.map': 'breaking',
      'maxLength ^.spec.map.additionalProperties': 'breaking',
    },
  },
  {
    name: 'a new required field, not the bound of its neighbour',
    old: spec(object({ a: { type: 'string' }, b: { type: 'string' } })),
    new: spec(
      object({ a: { type: 'string', default: 'x' }, b: { type: 'string' } }, { required: ['a'] }),
    ),
    crdify: { 'required ^.spec': 'behavior', 'default ^.spec.a': 'behavior' },
  },
  {
    name: 'a maximum that says nothing beside a tighter one',
    old: spec(object({ a: { type: 'integer', enum: [1, 2] } })),
    new: spec(object({ a: { type: 'integer', enum: [1, 2], maximum: 5 } })),
    olm: { 'ChangeValidator ^.spec.a': 'safe' },
    crdify: { 'maximum ^.spec.a': 'safe' },
  },
  ...(
    [
      ['oneOf', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }],
      ['not', { not: { required: ['a', 'b'] } }],
      ['maxProperties', { maxProperties: 1 }],
      ['a rule', { 'x-kubernetes-validations': [{ rule: '!(has(self.a) && has(self.b))' }] }],
    ] as [string, JsonObject][]
  ).map(([what, around]): Row => ({
    name: `a default that ${what} around it, which stayed, refuses`,
    old: spec(object({ a: { type: 'string' }, b: { type: 'string' } }, around)),
    new: spec(object({ a: { type: 'string' }, b: { type: 'string', default: 'x' } }, around)),
    olm: { 'ChangeValidator ^.spec.b': 'breaking' },
    crdify: { 'default ^.spec.b': 'breaking' },
  })),
  {
    name: 'served versions that never agreed',
    old: served({ type: 'string' }, { type: 'integer' }),
    new: served({ type: 'string' }, { type: 'integer' }),
    olm: { 'ServedVersionValidator ^.a': 'safe' },
  },
  {
    name: 'a scope, which Kubernetes never changes',
    old: definition({ scope: 'Namespaced', versions: [{ schema: object({}) }] }),
    new: definition({ scope: 'Cluster', versions: [{ schema: object({}) }] }),
    olm: { NoScopeChange: 'safe' },
    crdify: { scope: 'safe' },
  },
];

function served(v1: JsonObject, v2: JsonObject): JsonObject {
  return definition({
    versions: [
      { name: 'v1', storage: true, schema: object({ a: v1 }) },
      { name: 'v2', storage: false, schema: object({ a: v2 }) },
    ],
  });
}

function effectsOf(row: Row, profile: ReferenceProfile): Record<string, Effect | undefined> {
  const judgement = judgeUpgrade(row.old, row.new, profile);
  const proven = withEffects(judgement, proveUpgrade(row.old, row.new));
  expect(proven.findings.map(({ message }) => message)).to.deep.equal(
    judgement.findings.map(({ message }) => message),
  );
  for (const finding of proven.findings) {
    expect(proven.locate(finding)).to.deep.equal(
      judgement.locate(
        judgement.findings[proven.findings.indexOf(finding)] ?? expect.fail('no finding'),
      ),
    );
    if (finding.effect === 'breaking') expect(finding.witness).to.be.an('object');
  }
  return Object.fromEntries(
    proven.findings.map(({ rule, path, effect }) => [
      path === undefined ? rule : `${rule} ${path}`,
      effect,
    ]),
  );
}

describe('effects of findings', () => {
  for (const row of rows) {
    if (row.olm !== undefined) {
      it(`olm-v1: ${row.name}`, () => expect(effectsOf(row, 'olm-v1')).to.deep.equal(row.olm));
    }
    if (row.crdify !== undefined) {
      it(`crdify: ${row.name}`, () => expect(effectsOf(row, 'crdify')).to.deep.equal(row.crdify));
    }
  }

  it('never calls safe what there was no room to tell', () => {
    const fields = Array.from({ length: 60_000 }, (_, index) => [`field${index}`, {}] as const);
    const judgement = judgeUpgrade(
      spec(object(Object.fromEntries(fields))),
      spec(object({})),
      'olm-v1',
    );
    const harm = {
      version: 'v1',
      path: '^.spec.field0',
      effect: 'data-loss',
      audience: 'objects',
      reason: '',
    } as const;
    const { findings } = withEffects(judgement, { results: [harm] });
    const removals = findings.filter(({ rule }) => rule === 'NoExistingFieldRemoved');
    const told = removals.filter(({ path }) => path !== undefined);
    const [summary] = removals.filter(({ path }) => path === undefined);
    expect(summary?.effect).to.equal('data-loss');
    expect(summary?.message).to.match(
      new RegExp(`^and ${fields.length - told.length} more, for which`),
    );
  });
});

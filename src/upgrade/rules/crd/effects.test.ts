import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { type Effect, foundAt, provenBy } from '../../../rule/index.js';
import { judgeByReference } from './profiles.js';
import { type ReferenceProfile } from './rule.js';
import { proveDocuments } from '../../proof/testing/prove-documents.js';
import { judgedResults, withEffects } from './effects.js';
import { definition, object, withSchema } from './testing/definition.js';
import { Judge } from '../../judge/judge.js';
import { UpgradePair } from '../../pair.js';

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
  const judgement = judgeByReference(UpgradePair.read(row.old, row.new), profile);
  const proven = withEffects(judgement, proveDocuments(row.old, row.new));
  expect(proven.findings.map(({ message }) => message)).to.deep.equal(
    judgement.findings.map(({ message }) => message),
  );
  expect(proven.findings.map((each) => each[foundAt])).to.deep.equal(
    judgement.findings.map((each) => each[foundAt]),
  );
  for (const finding of proven.findings) {
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

  describe('one finding each for changes that stand together', () => {
    const integer = { type: 'integer', description: 'a' } as const;
    const text = { type: 'string' } as const;
    const fields = spec(
      object({
        size: { ...integer, minimum: 1 },
        mode: { ...text, description: 'old', enum: ['a', 'b', 'c'] },
        wide: { ...text, maxLength: 9, pattern: '^a' },
      }),
    );
    const changed = spec(
      object(
        {
          size: { ...integer, minimum: 5 },
          mode: { ...text, description: 'new', enum: ['a', 'b'] },
          wide: { ...text, maxLength: 3, pattern: '^ab' },
        },
        { required: ['size'] },
      ),
    );
    const explains = (profile: ReferenceProfile): string[] => {
      const judgement = judgeByReference(UpgradePair.read(fields, changed), profile);
      const { findings } = withEffects(judgement, proveDocuments(fields, changed));
      return findings.map(
        ({ path, effect, cause, rule, [provenBy]: proof }) =>
          `${path} ${cause?.includes('description') === true ? 'description' : rule} ${effect}: ${proof?.path} ${proof?.reason.split('; ')[0]}`,
      );
    };

    it('olm-v1: each shows the proof of its own change', () =>
      expect(explains('olm-v1')).to.have.members([
        '^.spec ChangeValidator breaking: ^.spec.size the field is required from now on',
        '^.spec.size ChangeValidator breaking: ^.spec.size the minimum is tightened: 5',
        '^.spec.mode ChangeValidator breaking: ^.spec.mode values are no longer allowed: "c"',
        '^.spec.mode description safe: ^.spec.mode the description is another one, too',
        '^.spec.wide ChangeValidator breaking: ^.spec.wide maxLength is tightened: 3',
        '^.spec.wide ChangeValidator breaking: ^.spec.wide the pattern changes to ^ab',
      ]));

    it('crdify: each shows the proof of its own change', () =>
      expect(explains('crdify')).to.have.members([
        '^.spec required breaking: ^.spec.size the field is required from now on',
        '^.spec.size minimum breaking: ^.spec.size the minimum is tightened: 5',
        '^.spec.mode enum breaking: ^.spec.mode values are no longer allowed: "c"',
        '^.spec.wide maxLength breaking: ^.spec.wide maxLength is tightened: 3',
        '^.spec.wide pattern breaking: ^.spec.wide the pattern changes to ^ab',
      ]));

    it('harm that no finding tells for its own stays with those beside it', () => {
      const judgement = judgeByReference(UpgradePair.read(fields, changed), 'crdify');
      const { results } = proveDocuments(fields, changed);
      const rule = { reason: 'a validation rule is new: self > 5', effect: 'breaking' } as const;
      const harmless = results.map((each) =>
        each.path === '^.spec.size' ? { ...each, effect: 'safe' as const } : each,
      );
      const [size] = results.filter(({ path }) => path === '^.spec.size');
      const unnamed = { ...(size ?? expect.fail('no difference')), ...rule };
      const { findings } = withEffects(judgement, { results: [...harmless, unnamed] });
      const minimum = findings.find((each) => each.rule === 'minimum');
      expect(minimum?.effect).to.equal('breaking');
    });
  });

  describe('own evidence', () => {
    const told = (old: JsonObject, next: JsonObject): ReturnType<typeof withEffects> =>
      withEffects(
        judgeByReference(UpgradePair.read(old, next), 'olm-v1'),
        proveDocuments(old, next),
      );
    const scaled = (schema: JsonObject, subresources: JsonObject = {}): JsonObject =>
      definition({
        versions: [{ schema: object({ spec: object(schema), status: object({}) }), subresources }],
      });
    const replicas = { type: 'integer' };
    const list = { type: 'array', items: { type: 'string' } };
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

    it('a new scale subresource is harm of the whole version and of no field', () => {
      const { findings, otherHarm } = told(
        scaled({ replicas, list, gone: { type: 'string' } }),
        scaled({ replicas, list: { ...list, 'x-kubernetes-list-type': 'atomic' } }, { scale }),
      );
      const effects = findings.map(({ path, effect, witness }) => [path, effect, witness]);
      const metadata = { name: 'example', namespace: 'default' };
      const witness = { apiVersion: 'test.example.com/v1', kind: 'Sample', metadata };
      expect(effects).to.have.deep.members([
        ['^.spec.list', 'safe', undefined],
        ['^.spec.gone', 'data-loss', { ...witness, spec: { gone: 'example' } }],
      ]);
      expect(otherHarm.map(({ path, effect }) => [path, effect])).to.deep.equal([
        ['^', 'breaking'],
      ]);
    });

    it('names the kinds of harm of which a policy only warns', () => {
      const kinds = (
        old: JsonObject,
        next: JsonObject,
        more: JsonObject = { status: {} },
      ): unknown[] => {
        const { findings, otherHarm } = told(
          definition({ versions: [{ schema: object(old), subresources: { status: {} } }] }),
          definition({ versions: [{ schema: object(next), subresources: more }] }),
        );
        return [...findings, ...otherHarm].map(({ effect, harm }) => [effect, harm]);
      };
      const text = { type: 'string' };
      const phase = object({ phase: text });
      expect(kinds({ status: phase }, { status: object({}) })).to.deep.equal([
        ['data-loss', 'StatusHarmed'],
      ]);
      expect(kinds({ status: phase }, { status: object({}) }, {})).to.deep.equal([
        ['data-loss', undefined],
      ]);
      expect(kinds({ spec: phase }, { spec: object({}) })).to.deep.equal([
        ['data-loss', undefined],
      ]);
      const status = object({ replicas });
      const both = { status: {}, scale };
      const numbers = { spec: object({ replicas }), status };
      expect(kinds(numbers, numbers, both)).to.deep.equal([['breaking', 'AbsurdValue']]);
      const rule = 'self.replicas < 5 || self.replicas >= 5';
      const ruled = object(
        { replicas },
        { 'x-kubernetes-validations': [{ rule: `!has(self.replicas) || ${rule}` }] },
      );
      expect(kinds({ spec: object({ replicas }) }, { spec: ruled })).to.deep.equal([
        ['breaking', 'AbsurdValue'],
      ]);
      const texts = { spec: object({ replicas: text }), status };
      expect(kinds(texts, texts, both)).to.deep.equal([['breaking', undefined]]);
    });

    it('an undecided rule is not said of a bound elsewhere', () => {
      const rule = "self.a.matches('^[ab]{0,3}c?$') || self.a == 'd' || !has(self.b)";
      const fields = { a: { type: 'string', maxLength: 50 }, b: { type: 'string' } };
      const { findings } = told(
        spec(object({ x: object(fields), y: { type: 'string' } })),
        spec(
          object(
            { x: object(fields), y: { type: 'string', maxLength: 5 } },
            { 'x-kubernetes-validations': [{ rule: rule.replaceAll('self', 'self.x') }] },
          ),
        ),
      );
      const bound = findings.find(({ path }) => path === '^.spec.y');
      expect(bound?.[provenBy]?.reason).to.match(/^maxLength is new: 5/);
    });

    it('a rule that stayed is told of the change that it refuses, and of no other', () => {
      const around = { 'x-kubernetes-validations': [{ rule: '!(has(self.a) && has(self.b))' }] };
      const text = { type: 'string' };
      const { findings, otherHarm } = told(
        spec(object({ a: text, b: text, c: text }, around)),
        spec(
          object({ a: text, b: { ...text, default: 'x' }, c: { ...text, default: 'y' } }, around),
        ),
      );
      expect(findings.map(({ path, effect }) => [path, effect])).to.have.deep.members([
        ['^.spec.b', 'breaking'],
        ['^.spec.c', 'behavior'],
      ]);
      expect(otherHarm).to.deep.equal([]);
    });
  });

  it('shows a write through the own version of a finding, or says which other one comes to harm', () => {
    const versions = (v1: JsonObject, v2: JsonObject, storage: string): JsonObject =>
      definition({
        stored: ['v1'],
        versions: [
          { name: 'v1', storage: storage === 'v1', schema: object({ a: v1 }) },
          { name: 'v2', storage: storage === 'v2', schema: object({ a: v2 }) },
        ],
      });
    const listed = { type: 'integer', enum: [30] };
    const shown = (v1: JsonObject): (string | undefined)[] => {
      const old = versions(listed, { type: 'integer', maximum: 40 }, 'v1');
      const next = versions(v1, { type: 'integer', maximum: 5 }, 'v2');
      const judgement = judgeByReference(UpgradePair.read(old, next), 'olm-v1');
      const { findings } = withEffects(judgement, proveDocuments(old, next));
      return findings
        .filter(({ version }) => version === 'v1')
        .map(({ effect, proof, witness }) => {
          const { apiVersion = '' } = witness as { apiVersion?: string };
          return `${effect} ${apiVersion} ${proof}`;
        });
    };
    expect(shown({ ...listed, maximum: 35 })).to.deep.equal([
      'breaking test.example.com/v1 values are no longer allowed: 30; a: a in body should be less than or equal to 5; this comes to objects stored as v1, through v2',
    ]);
    expect(shown({ ...listed, maximum: 20 })).to.deep.equal([
      'breaking test.example.com/v1 values are no longer allowed: 30; a: a in body should be less than or equal to 20',
    ]);
  });

  it('never calls safe what there was no room to tell', () => {
    const long = 'x'.repeat(1_000);
    const fields = Array.from({ length: 5_000 }, (_, index) => [`${long}${index}`, {}] as const);
    const judgement = judgeByReference(
      UpgradePair.read(spec(object(Object.fromEntries(fields))), spec(object({}))),
      'olm-v1',
    );
    const harm = {
      version: 'v1',
      path: `^.spec.${long}0`,
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
      new RegExp(`^and ${fields.length - told.length} more \\(report limit reached\\)$`),
    );
    expect(told).to.have.lengthOf.within(500, 1_000);
  });

  it('is known to the search for fixes that follows a denial', () => {
    const [old, next] = [9, 3].map((maxLength) =>
      spec(object({ size: { type: 'string', maxLength } })),
    );
    const pair = UpgradePair.read(old ?? {}, next ?? {});
    const [denial, fixes] = (['review', 'fixes'] as const).map((at) =>
      Judge.for({ profile: 'olm-v1' }, at).upgrade(pair),
    );
    expect(denial?.findings).to.have.lengthOf(1);
    expect(fixes?.findings[0]).to.equal(denial?.findings[0]);
  });
});

describe('what a proof did not try', () => {
  const text = { type: 'string', maxLength: 50 };
  const proven = (old: JsonObject, next: JsonObject) =>
    withEffects(judgeByReference(UpgradePair.read(old, next), 'olm-v1'), proveDocuments(old, next))
      .findings;

  it('is decided by the rule: others have used up the budget', () => {
    const fields = Object.fromEntries(['b', 'c', 'd', 'e'].map((name) => [name, text]));
    const sizes = Object.keys(fields).map(
      (name) => `(has(self.${name}) ? self.${name} : '').split('-').size()`,
    );
    const rule = `${sizes.join(' + ')} < 10000`;
    const block = (more: JsonObject): JsonObject =>
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`a${index}`, object(fields, more)]),
      );
    const old = spec(object({ ...block({}), z: { type: 'integer', maximum: 100_000 } }));
    const next = spec(
      object({
        ...block({ 'x-kubernetes-validations': [{ rule }] }),
        z: { type: 'integer', maximum: 99_999 },
      }),
    );
    const bound = proven(old, next).find(({ path }) => path === '^.spec.z');
    expect(bound).to.deep.include({ effect: 'undecided', severity: 'error', unprovable: true });
  });

  it('is decided by the rule: no object was found that the old schema accepts', () => {
    const rule = "self.lowerAscii().split('-').map(p, p.size()) == [3, 4, 5]";
    const old = spec(object({ z: { ...text, 'x-kubernetes-validations': [{ rule }] } }));
    const [removed] = proven(old, spec(object({})));
    expect(removed).to.deep.include({ effect: 'undecided', unprovable: true });
  });

  it('is not said of what was tried and did not break', () => {
    const rule = (limit: number): JsonObject => ({
      'x-kubernetes-validations': [{ rule: `self.matches('^[ab]{0,${limit}}c?$') || self == 'd'` }],
    });
    const old = spec(object({ z: text }));
    const next = spec(object({ z: { ...text, ...rule(3) } }));
    const findings = proven(old, next);
    expect(findings).not.to.deep.equal([]);
    for (const finding of findings) expect(finding).not.to.have.property('unprovable');
  });
});

describe('findings of the proof', () => {
  const places: [keyword: string, before: JsonObject, after: JsonObject][] = [
    ['maximum', { type: 'integer' }, { type: 'integer', maximum: 3 }],
    ['maxLength', { type: 'string' }, { type: 'string', maxLength: 3 }],
    ['pattern', { type: 'string' }, { type: 'string', pattern: '^[a-z]$' }],
    ['enum', { type: 'string' }, { type: 'string', enum: ['a'] }],
    ['type', { type: 'integer' }, { type: 'string' }],
    ['format', { type: 'string' }, { type: 'string', format: 'uuid' }],
    ['multipleOf', { type: 'integer' }, { type: 'integer', multipleOf: 2 }],
    ['default', { type: 'string', default: 'a' }, { type: 'string', default: 'b' }],
    ['not', { type: 'integer' }, { type: 'integer', not: { enum: [3] } }],
    [
      'x-kubernetes-validations',
      { type: 'integer' },
      { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 3' }] },
    ],
    [
      'x-kubernetes-list-type',
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ],
  ];
  const keysOf = (before: JsonObject, after: JsonObject): readonly (string | number)[][] =>
    judgedResults(after, proveDocuments(before, after).results).map((each) => [
      ...(each[foundAt]?.keys ?? []),
    ]);
  const above = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'];

  for (const [keyword, before, after] of places) {
    it(`stand at the keyword that changed: ${keyword}`, () => {
      const keys = keysOf(spec(object({ a: before })), spec(object({ a: after })));
      expect(keys).to.deep.equal([[...above, 'properties', 'a', keyword]]);
    });
  }

  it('stand at required of the object, and at the field where its keyword is gone', () => {
    const fields = { a: { type: 'string', nullable: true } };
    expect(keysOf(spec(object(fields)), spec(object(fields, { required: ['a'] })))).to.deep.equal([
      [...above, 'required'],
    ]);
    expect(keysOf(spec(object(fields)), spec(object({ a: { type: 'string' } })))).to.deep.equal([
      [...above, 'properties', 'a'],
    ]);
  });

  it('show items of lists as a person writes them', () => {
    const items = object(
      { name: { type: 'string' }, size: { type: 'integer' } },
      { required: ['name'] },
    );
    const of = (more: JsonObject): JsonObject =>
      spec(object({ a: { type: 'array', items, ...more } }));
    const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    const [result] = proveDocuments(of({}), of(keys)).results;
    expect(result?.witness).to.deep.include({
      spec: { a: [{ name: 'example' }, { name: 'example' }] },
    });
  });
});

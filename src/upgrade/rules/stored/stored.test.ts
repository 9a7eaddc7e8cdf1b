import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../../text/documents/index.js';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { addTallies, StoredJudge, type StoredTally } from '../../crd/stored/judge.js';
import { planStored, storedResource } from '../../crd/stored/plan.js';
import { definition, object } from '../crd/testing/definition.js';
import { deletionFindings, storedFindings } from './findings.js';
import { migrationFindings } from './migration.js';

interface VersionShape {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly spec?: JsonObject;
}

function crd(versions: readonly VersionShape[], more: JsonObject = {}): JsonObject {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: versions.map(({ name = 'v1', served = true, storage = true, spec = {} }) => ({
        name,
        served,
        storage,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: spec } },
          },
        },
      })),
      ...more,
    },
    status: { storedVersions: ['v1'] },
  };
}

const one = (spec: JsonObject): JsonObject => crd([{ spec }]);
const integer = { type: 'integer' };
const webhook = { conversion: { strategy: 'Webhook' } };
const widget = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'ns1' },
  spec,
});

describe('stored objects that nest ten thousand levels', () => {
  const levels = 9_900;
  const nested = (inner: string): JsonObject =>
    parseJson('{"a":'.repeat(levels) + inner + '}'.repeat(levels)) as JsonObject;
  const listed = parseJson('['.repeat(levels) + '{"b":1}' + ']'.repeat(levels));
  const open = { 'x-kubernetes-preserve-unknown-fields': true };

  const rows: [rule: string, old: JsonObject, next: JsonObject, spec: JsonObject, lost: string][] =
    [
      ['nothing changed for them', open, { ...open, minProperties: 1 }, nested('1'), ''],
      ['a field that is gone', open, { type: 'object' }, nested('1'), 'spec.x.a: dropped'],
      [
        'what is deep within lists',
        open,
        { type: 'object', additionalProperties: true },
        { y: listed },
        `spec.x.y${'[0]'.repeat(levels)}.b: dropped`,
      ],
    ];
  for (const [rule, old, next, value, lost] of rows) {
    it(rule, () => {
      const judge = new StoredJudge({
        old: compileValidator(one({ x: old }), 'v1'),
        next: [compileValidator(one({ x: next }), 'v1')],
      });
      const harmed = judge.judge(widget('w', { x: value }));
      expect(harmed?.problems ?? []).to.deep.equal(lost === '' ? [] : [lost]);
    });
  }
});

describe('planStored', () => {
  const rows: [rule: string, old: JsonObject, next: JsonObject, expected: unknown][] = [
    ['nothing changed', one({ a: integer }), one({ a: integer }), undefined],
    [
      'only words changed',
      one({ a: integer }),
      one({ a: { description: 'x', title: 'y', type: 'integer' } }),
      undefined,
    ],
    [
      'a field named description is no word',
      one({ description: integer }),
      one({}),
      { reads: [{ version: 'v1', under: ['v1'] }], notJudged: [] },
    ],
    [
      'a bound changed',
      one({ a: integer }),
      one({ a: { ...integer, minimum: 1 } }),
      { reads: [{ version: 'v1', under: ['v1'] }], notJudged: [] },
    ],
    [
      'without a webhook one list serves every version',
      crd([{ spec: {} }, { name: 'v2', storage: false, spec: { a: integer } }]),
      crd([
        { storage: false, spec: {} },
        { name: 'v2', spec: { a: { type: 'string' } } },
      ]),
      { reads: [{ version: 'v1', under: ['v2'] }], notJudged: [] },
    ],
    [
      'a version that goes away is read as the one that stays',
      crd([{ spec: {} }, { name: 'v2', storage: false }]),
      crd([{ name: 'v2' }]),
      { reads: [{ version: 'v1', under: ['v2'] }], notJudged: [] },
    ],
    [
      'a version that was there and is served only now counts as new',
      crd([{ spec: {} }, { name: 'v2', storage: false, served: false }]),
      crd([{ spec: {} }, { name: 'v2', storage: false }]),
      { reads: [{ version: 'v1', under: ['v2'] }], notJudged: [] },
    ],
    [
      'what a known webhook makes in a version that is served again is not asked here',
      crd([{ spec: {} }, { name: 'v2', storage: false, served: false }], webhook),
      crd([{ spec: {} }, { name: 'v2', storage: false }], webhook),
      undefined,
    ],
    [
      'in a version that is stored from now on nothing must get lost',
      crd([{ spec: {} }, { name: 'v2', storage: false }]),
      crd([{ storage: false, spec: {} }, { name: 'v2' }]),
      { reads: [{ version: 'v1', under: [], storedAs: 'v2' }], notJudged: [] },
    ],
    [
      'a webhook fills the fields of another storage version',
      crd([{ spec: {} }, { name: 'v2', storage: false }], webhook),
      crd([{ storage: false, spec: {} }, { name: 'v2' }], webhook),
      undefined,
    ],
    [
      'with a webhook each version is listed as itself, the storage version first',
      crd(
        [
          { storage: false, spec: {} },
          { name: 'v2', spec: {} },
        ],
        webhook,
      ),
      crd(
        [
          { storage: false, spec: { a: integer } },
          { name: 'v2', spec: { a: integer } },
        ],
        webhook,
      ),
      {
        reads: [
          { version: 'v2', under: ['v2'] },
          { version: 'v1', under: ['v1'] },
        ],
        notJudged: [],
      },
    ],
    [
      'what a new webhook will make is not judged',
      crd([{ spec: {} }], webhook),
      crd([{ spec: {} }, { name: 'v2', storage: false }], webhook),
      { reads: [], notJudged: ['v2'] },
    ],
    ['no definition', {}, {}, undefined],
    ['no served version', crd([{ served: false }]), crd([{ spec: { a: integer } }]), undefined],
  ];

  it('knows a version that is only added from one that objects come to depend on', () => {
    const v1 = { spec: {} };
    const added = { name: 'v2', storage: false };
    const isOnlyAdded = (old: readonly object[], next: readonly object[]): unknown =>
      planStored(crd([...old], webhook), crd([...next], webhook))?.isOnlyAdded;
    expect(isOnlyAdded([v1], [v1, added])).to.equal(true);
    // Stored as the new version, read only as the new version, or there before and changed meanwhile.
    expect(isOnlyAdded([v1], [{ ...v1, storage: false }, { name: 'v2' }])).to.equal(undefined);
    expect(isOnlyAdded([v1], [{ ...v1, served: false }, added])).to.equal(undefined);
    const unserved = { ...added, served: false };
    expect(isOnlyAdded([v1, unserved], [v1, { ...added, spec: {} }])).to.equal(undefined);
    const hidden = { name: 'v2', served: false };
    const beside = { ...v1, storage: false };
    const narrowed = { ...hidden, spec: { a: integer } };
    expect(isOnlyAdded([beside, hidden], [beside, narrowed])).to.equal(undefined);
  });

  for (const [rule, old, next, expected] of rows) {
    it(rule, () => {
      const plan = planStored(old, next);
      if (expected === undefined) expect(plan).to.equal(undefined);
      else expect(plan).to.deep.include(expected);
    });
  }

  it('names the resource to read, and whether that is all of an object', () => {
    expect(storedResource(one({}))).to.deep.equal({
      group: 'example.com',
      resource: 'widgets',
      kind: 'Widget',
      version: 'v1',
      isStorage: true,
    });
    const elsewhere = crd([{ served: false }, { name: 'v2', storage: false }]);
    expect(storedResource(elsewhere)).to.deep.include({ version: 'v2', isStorage: false });
    expect(storedResource({ spec: 3 })).to.equal(undefined);
  });
});

function tallyOf(old: JsonObject, next: JsonObject, objects: readonly JsonObject[]): StoredTally {
  const read = planStored(old, next)?.reads[0];
  if (read === undefined) throw new Error('nothing to judge');
  const judge = new StoredJudge({
    old: compileValidator(old, read.version),
    next: read.under.map((version) => compileValidator(next, version)),
    storedAs: read.storedAs === undefined ? undefined : compileValidator(next, read.storedAs),
  });
  for (const object of objects) judge.judge(object);
  return judge.result;
}

describe('stored objects', () => {
  const ruled = (rule: JsonObject): JsonObject =>
    one({ size: integer, name: { type: 'string', 'x-kubernetes-validations': [rule] } });
  const old = one({ size: integer, name: { type: 'string' } });
  const rows: [
    rule: string,
    next: JsonObject,
    object: JsonObject,
    counts: Partial<StoredTally>,
    problems: string[],
  ][] = [
    [
      'fine',
      one({ size: { ...integer, minimum: 1 }, name: { type: 'string' } }),
      { size: 1 },
      { fine: 1 },
      [],
    ],
    [
      'refused, and updatable where the value stays',
      one({ size: { ...integer, minimum: 5 }, name: { type: 'string' } }),
      { size: 1 },
      { refused: 1, updatable: 1 },
      ['spec.size: Invalid value: spec.size in body should be greater than or equal to 5'],
    ],
    [
      'refused by the old schema already',
      one({ size: { ...integer, minimum: 5 }, name: { type: 'string' } }),
      { size: 'a' },
      { refusedBefore: 1 },
      [],
    ],
    [
      'loses data',
      one({ size: integer }),
      { name: 'secret' },
      { pruned: 1 },
      ['spec.name: dropped'],
    ],
    [
      'refused, and losing data with the next update that is not',
      one({ size: { ...integer, minimum: 5 } }),
      { size: 1, name: 'secret' },
      { refused: 1, updatable: 1, pruned: 1 },
      [
        'spec.size: Invalid value: spec.size in body should be greater than or equal to 5',
        'spec.name: dropped',
      ],
    ],
    [
      'an enum names the values that it lists, and no other',
      one({ size: integer, name: { type: 'string', enum: ['a'] } }),
      { name: 'secret' },
      { refused: 1, updatable: 1 },
      ['spec.name: Unsupported value: supported values: "a"'],
    ],
    [
      'a format, which the API server quotes the value beside',
      one({ size: integer, name: { type: 'string', format: 'date' } }),
      { name: 'secret' },
      { refused: 1, updatable: 1 },
      ['spec.name: Invalid value (type): spec.name in body must be of type date'],
    ],
    [
      'a CEL rule, by the message it has, on one line',
      ruled({ rule: 'self == "a"', message: 'name must be a,  \nas the\noperator has it' }),
      { name: 'secret' },
      { refused: 1, updatable: 1 },
      ['spec.name: Invalid value: name must be a, as the operator has it'],
    ],
    [
      'a CEL rule without a message, by itself',
      ruled({ rule: 'self == "a"', reason: 'FieldValueDuplicate' }),
      { name: 'secret' },
      { refused: 1, updatable: 1 },
      ['spec.name: Duplicate value: failed rule: self == "a"'],
    ],
    [
      'a CEL rule whose message is computed, never by what comes of it',
      ruled({ rule: 'self == "a"', messageExpression: '"not " + self', message: 'must be a' }),
      { name: 'secret' },
      { refused: 1, updatable: 1 },
      ['spec.name: Invalid value: must be a'],
    ],
    [
      'a CEL rule that fails by an error, without what the error quotes',
      ruled({ rule: 'int(self) > 1', message: 'must be a number' }),
      { name: 'secret' },
      { refused: 1 },
      ['spec.name: Invalid value'],
    ],
    [
      'a CEL rule of any length, by its beginning',
      ruled({ rule: 'self == "a"', message: 'a'.repeat(2048) }),
      { name: 'secret' },
      { refused: 1, updatable: 1 },
      [`spec.name: Invalid value: ${'a'.repeat(300)}… (2048 characters)`],
    ],
  ];
  for (const [rule, next, spec, counts, problems] of rows) {
    it(rule, () => {
      const tally = tallyOf(old, next, [widget('a', spec)]);
      const { examples, prunedExamples, ...numbers } = tally;
      const refusals = { refused: 0, updatable: 0, creatable: 0 };
      const none = { ...refusals, fine: 0, refusedBefore: 0, pruned: 0, undecided: 0 };
      expect(numbers).to.deep.equal({ ...none, checked: 1, ...counts });
      const told = [...examples, ...prunedExamples];
      expect(told.flatMap((each) => each.problems)).to.deep.equal(problems);
      expect(JSON.stringify(told)).not.to.include('secret');
    });
  }

  it('can be created and updated where only their status is refused, and that is said', () => {
    const version = (phase: string): JsonObject =>
      definition({
        versions: [
          {
            subresources: { status: {} },
            schema: { type: 'object', properties: { status: object({ phase: { type: phase } }) } },
          },
        ],
      });
    const [was, now] = [version('integer'), version('string')];
    const metadata = { name: 'a', namespace: 'b' };
    const sample = { apiVersion: 'test.example.com/v1', kind: 'Sample', metadata };
    const tally = tallyOf(was, now, [{ ...sample, status: { phase: 3 } }]);
    expect(tally).to.include({ refused: 1, updatable: 1, creatable: 1 });
    const [finding] = storedFindings({ name: 'samples.test.example.com', kind: 'Sample' }, tally);
    expect(finding).to.deep.include({
      harm: 'StatusHarmed',
      stored: { create: 'accepted', update: 'accepted', status: 'ratcheted' },
    });
    expect(finding?.message).to.include('creating or restoring such an object is accepted');
  });

  it('lose in another storage version what it does not have, and are refused there by nobody', () => {
    const moved = (isMoved: boolean, spec: JsonObject): JsonObject =>
      crd([
        { storage: !isMoved, spec: { a: integer, b: integer } },
        { name: 'v2', storage: isMoved, spec },
      ]);
    const objects = [widget('one', { a: 1, b: 1 }), widget('two', { a: 1 })];
    const narrow = tallyOf(moved(false, { a: integer }), moved(true, { a: integer }), objects);
    expect(narrow).to.include({ checked: 2, refused: 0, pruned: 1 });
    const strict = { a: { ...integer, minimum: 5 }, b: integer };
    const refusing = tallyOf(moved(false, strict), moved(true, strict), objects);
    expect(refusing).to.include({ checked: 2, refused: 0, pruned: 0 });
  });

  it('judges under another version as conversion strategy None would', () => {
    const both = crd([
      { spec: { a: integer } },
      { name: 'v2', storage: false, spec: { a: integer } },
    ]);
    const next = crd([
      { spec: { a: integer } },
      { name: 'v2', storage: false, spec: { a: { type: 'string' } } },
    ]);
    const tally = tallyOf(both, next, [widget('a', { a: 1 })]);
    expect(tally.examples.map(({ version, problems }) => [version, problems])).to.deep.equal([
      ['v2', ['spec.a: Invalid value (type): spec.a in body must be of type string: "integer"']],
    ]);
  });

  it('says how many, which, and what still works, in one bounded sentence', () => {
    const next = one({ size: { ...integer, minimum: 5 }, name: { type: 'string' } });
    const objects = Array.from({ length: 30 }, (_, index) => widget(`w${index}`, { size: index }));
    const subject = { name: 'widgets.example.com', kind: 'Widget' };
    const tally = addTallies(tallyOf(old, next, objects), tallyOf(old, next, objects));
    const [finding, ...others] = storedFindings(subject, { ...tally, checked: 1204 });
    expect(others).to.deep.equal([]);
    expect(finding).to.include({
      rule: 'StoredObjectsRefused',
      severity: 'error',
      effect: 'breaking',
      message:
        '10 of 1,204 stored Widgets would be refused: ns1/w0 spec.size: Invalid value: ' +
        'spec.size in body should be greater than or equal to 5; ' +
        'ns1/w1 spec.size: Invalid value; ns1/w2 spec.size: Invalid value; ' +
        'ns1/w3 spec.size: Invalid value; ns1/w4 spec.size: Invalid value; and 5 more. ' +
        'Creating such an object, or restoring it from a backup, fails; all of them can still be ' +
        'updated as long as the refused fields stay as they are (Kubernetes 1.30 and later)',
    });
  });

  it('counts what a deletion takes with it', () => {
    const subject = { name: 'proxies.example.com', kind: 'Proxy' };
    const [finding] = deletionFindings(subject, { objects: 1500, isDisclosed: true });
    expect(finding?.message).to.equal(
      'deleting proxies.example.com deletes 1,500 stored Proxies with it',
    );
  });
});

describe('a null that is the value of a key of a map', () => {
  const map = (values: JsonObject): JsonObject => ({
    type: 'object',
    additionalProperties: values,
  });
  const text = { type: 'string' };
  const rows: [
    title: string,
    old: JsonObject,
    next: JsonObject,
    spec: JsonObject,
    lost: string[],
  ][] = [
    [
      'goes with its key where null is not taken any more',
      { teams: map({ ...text, nullable: true }) },
      { teams: map(text) },
      { teams: { a: 'x', b: null } },
      ['spec.teams.b: dropped'],
    ],
    [
      'stays where it is taken',
      { teams: map({ ...text, nullable: true }) },
      { teams: map({ ...text, nullable: true, maxLength: 9 }) },
      { teams: { b: null } },
      [],
    ],
    [
      'is no loss as a field that is declared',
      { team: { ...text, nullable: true } },
      { team: text },
      { team: null },
      [],
    ],
    [
      'goes from inside lists and maps',
      { all: { type: 'array', items: map(map({ ...text, nullable: true })) } },
      { all: { type: 'array', items: map(map(text)) } },
      { all: [{}, { a: { b: null } }] },
      ['spec.all[1].a.b: dropped'],
    ],
  ];
  for (const [title, old, next, spec, lost] of rows) {
    it(title, () => {
      const judge = new StoredJudge({
        old: compileValidator(one(old), 'v1'),
        next: [compileValidator(one(next), 'v1')],
      });
      const harmed = judge.judge(widget('blue', spec));
      expect(harmed?.problems ?? []).to.deep.equal(lost);
      expect(harmed?.effect).to.equal(lost.length === 0 ? undefined : 'data-loss');
      expect(judge.result.pruned).to.equal(lost.length === 0 ? 0 : 1);
    });
  }
});

describe('migrationFindings', () => {
  it('says how to migrate from a stored version that is removed', () => {
    const [finding] = migrationFindings(one({}), crd([{ name: 'v2' }]));
    expect(finding?.severity).to.equal('warning');
    expect(finding?.version).to.equal('v1');
    expect(finding?.message)
      .to.include('v1 is still in status.storedVersions of widgets.example.com')
      .and.to.match(
        /so objects may be stored that way; first let an earlier release make v2 the storage version, then: olm-guard migrate run widgets\.example\.com, which/,
      );
  });
  it('says how many objects it may concern, and that an earlier release has done the first step', () => {
    const old = { ...one({}), status: { storedVersions: ['v0', 'v1'] } };
    const [finding] = migrationFindings(old, crd([{}]), 1204);
    expect(finding?.version).to.equal('v0');
    expect(finding?.message).to.include(
      'so up to 1,204 Widgets may be stored that way; first: olm-guard migrate run widgets.example.com, which',
    );
  });
  it('says nothing while every stored version stays', () => {
    expect(migrationFindings(one({}), crd([{ name: 'v2' }, { storage: false }]))).to.deep.equal([]);
  });
});

describe('stored versions that go', () => {
  it('are told for as many as a person reads, however many a made-up object names', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `v${index}`);
    const old = { ...one({}), status: { storedVersions: many } };
    const next = crd(many.slice(0, 10_000).map((name, index) => ({ name, storage: index === 0 })));
    const findings = migrationFindings(old, next);
    expect(findings).to.have.length(50);
    for (const { message } of findings) expect(message.length).to.be.lessThan(2000);
  });
});

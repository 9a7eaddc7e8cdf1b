import { expect } from 'chai';
import type { JsonObject } from '../text/documents/index.js';
import { evaluateBypasses, type BypassCandidates } from './bypass.js';
import { defaultPolicy, type BypassSource, type Policy } from './policy.js';

const now = new Date('2026-06-01T00:00:00Z');
const inFiles = { bypass: defaultPolicy.bypass, now, isAdmission: false };
const inReviews = { ...inFiles, isAdmission: true };

function object(kind: string, annotations: JsonObject = {}, rest: JsonObject = {}): JsonObject {
  return { kind, metadata: { name: 'x', annotations }, ...rest };
}
const crd = (annotations: JsonObject = {}): JsonObject =>
  object('CustomResourceDefinition', annotations);
const extension = (spec: JsonObject): JsonObject => object('ClusterExtension', {}, { spec });
const disable = { 'olm-guard.io/disable': 'crd-upgrade-safety' };
const v1 = (enforcement: string): JsonObject => ({
  install: { preflight: { crdUpgradeSafety: { enforcement } } },
});
const v1alpha1 = (disabled: boolean | string): JsonObject => ({
  preflight: { crdUpgradeSafety: { disabled } },
});

interface Row extends BypassCandidates {
  readonly name: string;
  readonly bypass?: Partial<Policy['bypass']>;
  /** Sources that count, with their families. */
  readonly counts?: readonly [BypassSource, string][];
  readonly problems?: RegExp;
  readonly requestOnly?: RegExp;
}

const off = 'crd-upgrade-safety';
const rows: Row[] = [
  { name: 'nothing anywhere', stored: crd() },
  { name: 'an object without metadata', stored: { kind: 'CustomResourceDefinition' } },
  { name: 'the stored CRD', stored: crd(disable), counts: [['crd', off]] },
  {
    name: 'several families, with blanks',
    stored: crd({ 'olm-guard.io/disable': ' crd-upgrade-safety , catalogs' }),
    counts: [['crd', 'crd-upgrade-safety,catalogs']],
  },
  { name: 'all', stored: crd({ 'olm-guard.io/disable': 'all' }), counts: [['crd', 'all']] },
  {
    name: 'an unknown family',
    stored: crd({ 'olm-guard.io/disable': 'crd-upgrade-saftey' }),
    problems: /does not count: .*not a check family \(did you mean "crd-upgrade-safety"\?\)/,
  },
  {
    name: 'a single rule',
    stored: crd({ 'olm-guard.io/disable': 'NoScopeChange' }),
    problems: /single rules are exempted in the policy/,
  },
  {
    name: 'a good family beside a bad one',
    stored: crd({ 'olm-guard.io/disable': 'crd-upgrade-safety, x' }),
    problems: /names "x", which is not a check family/,
  },
  {
    name: 'an empty value',
    stored: crd({ 'olm-guard.io/disable': '' }),
    problems: /names no check family/,
  },
  {
    name: 'until later',
    stored: crd({ ...disable, 'olm-guard.io/disable-until': '2026-06-01T01:00:00+00:30' }),
    counts: [['crd', off]],
  },
  {
    name: 'until the past',
    stored: crd({ ...disable, 'olm-guard.io/disable-until': '2026-06-01T00:00:00Z' }),
    problems:
      /disable-until: 2026-06-01T00:00:00Z" has passed; set a later time, or take the annotations away$/,
  },
  {
    name: 'until something else',
    stored: crd({ ...disable, 'olm-guard.io/disable-until': 'next week' }),
    problems:
      /"olm-guard.io\/disable-until: next week" is not an RFC 3339 time, such as 2030-01-01T00:00:00Z$/,
  },
  {
    name: 'the request alone',
    stored: crd(),
    requested: crd(disable),
    requestOnly: /does not count: only this request brings it/,
  },
  {
    name: 'the request widens what is stored',
    stored: crd(disable),
    requested: crd({ 'olm-guard.io/disable': 'all' }),
    counts: [['crd', off]],
    requestOnly: /only this request brings it/,
  },
  {
    name: 'the request takes away what is stored',
    stored: crd(disable),
    requested: crd(),
    counts: [['crd', off]],
  },
  {
    name: 'both have it',
    stored: crd(disable),
    requested: crd(disable),
    counts: [['crd', off]],
  },
  {
    name: 'a malformed value is named when it is set',
    stored: crd(),
    requested: crd({ 'olm-guard.io/disable': 'x' }),
    problems: /will not count/,
  },
  {
    name: "rukpak's annotation",
    stored: crd({ 'core.rukpak.io/safe-crd-upgrade-validation': 'false' }),
    counts: [['rukpak', 'crd-upgrade-safety,stored-objects']],
  },
  {
    name: "rukpak's annotation left on",
    stored: crd({ 'core.rukpak.io/safe-crd-upgrade-validation': 'true' }),
  },
  {
    name: "rukpak's annotation with another value",
    stored: crd({ 'core.rukpak.io/safe-crd-upgrade-validation': 'no' }),
    problems: /neither "true" nor "false"/,
  },
  {
    name: "v1alpha1's field on the owner",
    stored: crd(),
    owners: [extension(v1alpha1(true))],
    counts: [['clusterextension', off]],
  },
  { name: "v1alpha1's field left false", stored: crd(), owners: [extension(v1alpha1(false))] },
  {
    name: "v1alpha1's field as text",
    stored: crd(),
    owners: [extension(v1alpha1('true'))],
    problems: /disabled is neither true nor false/,
  },
  {
    name: "v1's field on the owner",
    stored: crd(),
    owners: [extension(v1('None'))],
    counts: [['clusterextension', off]],
  },
  { name: "v1's field Strict", stored: crd(), owners: [extension(v1('Strict'))] },
  {
    name: "v1's field misspelt",
    stored: crd(),
    owners: [extension(v1('none'))],
    problems: /neither None nor Strict/,
  },
  {
    name: 'the annotation on the owner',
    stored: crd(),
    owners: [object('ClusterExtension', disable)],
    counts: [['clusterextension', off]],
  },
  {
    name: 'a Subscription, which the policy does not list',
    stored: crd(),
    owners: [object('Subscription', disable)],
    problems: /Subscription "x" does not count: the policy does not allow it/,
  },
  {
    name: 'a Subscription that the policy lists',
    stored: crd(),
    owners: [object('Subscription', disable)],
    bypass: { sources: ['subscription'] },
    counts: [['subscription', off]],
  },
  {
    name: 'a ClusterServiceVersion that the policy lists',
    stored: crd(),
    owners: [object('ClusterServiceVersion', disable)],
    bypass: { sources: ['csv'] },
    counts: [['csv', off]],
  },
  {
    name: 'a policy that allows none',
    stored: crd(disable),
    bypass: { allowed: false },
    problems: /the policy does not allow it/,
  },
  { name: 'another kind', stored: object('ConfigMap', disable) },
];

describe('evaluateBypasses', () => {
  for (const row of rows) {
    it(row.name, () => {
      const bypass = { ...defaultPolicy.bypass, ...row.bypass };
      const rules = { bypass, now, isAdmission: false };
      const { bypasses, problems, requestOnly } = evaluateBypasses(row, rules);
      expect(bypasses.map(({ by, families }) => [by, String(families)])).to.deep.equal(
        row.counts ?? [],
      );
      expect(problems).to.have.length(row.problems === undefined ? 0 : 1);
      if (row.problems !== undefined) expect(problems[0]).to.match(row.problems);
      expect(requestOnly).to.have.length(row.requestOnly === undefined ? 0 : 1);
      if (row.requestOnly !== undefined) expect(requestOnly[0]).to.match(row.requestOnly);
    });
  }

  it('names place and reason', () => {
    const stored = crd({ ...disable, 'olm-guard.io/disable-reason': 'moving to v2' });
    const [bypass] = evaluateBypasses({ stored }, inFiles).bypasses;
    expect(bypass?.description).to.equal(
      'annotation "olm-guard.io/disable" on CustomResourceDefinition "x" (moving to v2)',
    );
  });

  describe('by who set it', () => {
    const annotations = (...names: string[]): JsonObject => ({
      'f:metadata': {
        'f:annotations': Object.fromEntries(
          ['.', ...names.map((name) => `f:${name}`)].map((key) => [key, {}]),
        ),
      },
    });
    const until = 'olm-guard.io/disable-until';
    const off = 'olm-guard.io/disable';
    const spec: JsonObject = { 'f:spec': { 'f:versions': {} } };
    const entry = (manager: string, fieldsV1: JsonObject, rest: JsonObject = {}): JsonObject => ({
      manager,
      operation: 'Update',
      apiVersion: 'apiextensions.k8s.io/v1',
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...rest,
    });
    const annotate = entry('kubectl-annotate', annotations(off));
    const rows: readonly (readonly [name: string, record: JsonObject[], problem?: RegExp])[] = [
      ['by kubectl annotate', [entry('helm', spec), annotate]],
      [
        'by kubectl annotate, beside other annotations of its own',
        [entry('helm', spec), entry('kubectl-annotate', annotations(off, 'note'))],
      ],
      [
        'by whoever applies nothing but annotations, and by the release too',
        [
          entry('helm', { ...annotations(off), ...spec }),
          entry('admin', annotations(off), { operation: 'Apply' }),
        ],
      ],
      [
        'by the release',
        [entry('helm', { ...annotations(off), ...spec })],
        /"helm" set it together with other fields; take it away and set it by itself/,
      ],
      [
        'with labels',
        [
          entry('kubectl-edit', {
            'f:metadata': { 'f:annotations': { [`f:${off}`]: {} }, 'f:labels': { 'f:a': {} } },
          }),
        ],
        /"kubectl-edit" set it together/,
      ],
      [
        'with the status',
        [entry('x', { ...annotations(off), 'f:status': {} })],
        /"x" set it together/,
      ],
      [
        'by a write of the status, from which no annotation is taken',
        [entry('helm', spec), entry('x', annotations(off), { subresource: 'status' })],
        /nobody is recorded as having/,
      ],
      [
        'by nobody',
        [entry('kubectl-annotate', annotations('note'))],
        /nobody is recorded as having/,
      ],
      ['by entries that are none', [{ manager: 'x' }, entry('y', {})], /nobody is recorded as/],
      ['without a record', [], /managedFields is empty, so nobody knows how it came there/],
    ];
    for (const [name, managedFields, problem] of rows) {
      it(`${problem === undefined ? 'counts' : 'does not count'} when it was set ${name}`, () => {
        const stored = object('CustomResourceDefinition', disable, {});
        const tracked = { ...stored, metadata: { name: 'x', annotations: disable, managedFields } };
        const { bypasses, problems } = evaluateBypasses({ stored: tracked }, inReviews);
        expect(bypasses).to.have.length(problem === undefined ? 1 : 0);
        expect(problems).to.have.length(problem === undefined ? 0 : 1);
        if (problem !== undefined) expect(problems[0]).to.match(problem);
      });
    }

    describe('by a field manager that the policy names', () => {
      const managers = [{ name: 'argocd-controller', users: ['argocd'] }];
      const fields = { ...annotations(off, until), ...spec };
      const helm = entry('helm', fields);
      const argoCd = entry('argocd-controller', fields, { operation: 'Apply' });
      const records: [name: string, managedFields: JsonObject[], problem?: RegExp][] = [
        ['', [argoCd]],
        [' and the release', [helm, argoCd]],
        [
          ', beside another',
          [entry('argocd-controller', spec), helm],
          /bypass\.managers .* "helm"/,
        ],
      ];
      for (const [name, managedFields, problem] of records) {
        for (const isAdmission of [true, false]) {
          it(`${problem === undefined ? 'counts' : 'does not count'}${name}, ${isAdmission ? 'in reviews' : 'in files'}`, () => {
            const metadata = { name: 'x', annotations: disable, managedFields };
            const stored = { kind: 'CustomResourceDefinition', metadata };
            const bypass = { ...defaultPolicy.bypass, managers };
            const rules = { bypass, now, isAdmission };
            const { bypasses, problems } = evaluateBypasses({ stored }, rules);
            expect(bypasses).to.have.length(problem === undefined ? 1 : 0);
            expect(problems.join()).to.match(problem ?? /^$/);
            const unnamed = evaluateBypasses(
              { stored },
              { ...rules, bypass: defaultPolicy.bypass },
            );
            expect(unnamed.bypasses).to.deep.equal([]);
          });
        }
      }
    });

    it('does not count when its end came with the release', () => {
      const ends = { ...disable, [until]: '2027-01-01T00:00:00Z' };
      const tracked = (managedFields: JsonObject[]): JsonObject => ({
        kind: 'CustomResourceDefinition',
        metadata: { name: 'x', annotations: ends, managedFields },
      });
      const moved = [annotate, entry('helm', { ...annotations(until), ...spec })];
      expect(evaluateBypasses({ stored: tracked(moved) }, inReviews).problems.join()).to.match(
        /"helm" set it together/,
      );
      const alone = [entry('kubectl-annotate', annotations(off, until))];
      expect(evaluateBypasses({ stored: tracked(alone) }, inReviews).bypasses).to.have.length(1);
    });

    it('matters for owners and for rukpak too, and not for fields of a ClusterExtension', () => {
      const stored = crd({ 'core.rukpak.io/safe-crd-upgrade-validation': 'false' });
      const all = { 'olm-guard.io/disable': 'all' };
      const owners = [object('ClusterExtension', all, { spec: v1('None') })];
      const { bypasses, problems } = evaluateBypasses({ stored, owners }, inReviews);
      expect(problems).to.have.length(2);
      expect(bypasses.map(({ description }) => description)).to.deep.equal([
        'field spec.install.preflight.crdUpgradeSafety.enforcement on ClusterExtension "x"',
      ]);
    });

    it('does not matter for an annotation of a ClusterExtension that does no more than its field', () => {
      const manager = { manager: 'argocd-controller', fieldsType: 'FieldsV1' };
      const fieldsV1 = {
        'f:metadata': { 'f:annotations': { 'f:olm-guard.io/disable': {} } },
        'f:spec': {},
      };
      const brought = (families: string): JsonObject => ({
        kind: 'ClusterExtension',
        metadata: {
          name: 'x',
          annotations: { 'olm-guard.io/disable': families },
          managedFields: [{ ...manager, fieldsV1 }],
        },
      });
      const counted = (families: string): number =>
        evaluateBypasses({ stored: crd(), owners: [brought(families)] }, inReviews).bypasses.length;
      expect(counted('crd-upgrade-safety')).to.equal(1);
      expect(counted('crd-upgrade-safety,stored-objects')).to.equal(0);
      expect(counted('all')).to.equal(0);
    });

    it('is not asked of files, which rarely say it', () => {
      expect(evaluateBypasses({ stored: crd(disable) }, inFiles).bypasses).to.have.length(1);
    });
  });
});

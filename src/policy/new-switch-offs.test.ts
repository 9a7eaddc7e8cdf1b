import { expect } from 'chai';
import type { JsonObject } from '../text/documents/index.js';
import type { GuardedRequest } from './guarantees.js';
import { annotated } from './testing/annotated.js';
import { newSwitchOffFinding, newSwitchOffs } from './new-switch-offs.js';
import { defaultPolicy, type Policy } from './policy.js';

const now = new Date('2026-06-01T00:00:00Z');
const off = 'olm-guard.io/disable';
const until = 'olm-guard.io/disable-until';
const safe = 'crd-upgrade-safety';

/** A definition as a release brings it: one manager sets all of it. */
function released(
  annotations: JsonObject,
  rest: JsonObject = {},
  spec: JsonObject = {},
): JsonObject {
  const names = Object.keys(annotations).map((name): [string, JsonObject] => [`f:${name}`, {}]);
  const fieldsV1 = {
    'f:metadata': { 'f:annotations': Object.fromEntries(names) },
    'f:spec': {},
  };
  return {
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'x',
      annotations,
      managedFields: [{ manager: 'helm', operation: 'Update', fieldsV1 }],
      ...rest,
    },
    spec,
  };
}

/** The same, whose annotations were each set by themselves. */
const alone = (...release: Parameters<typeof released>): JsonObject =>
  annotated(released(...release));

interface Row {
  readonly name: string;
  readonly request: GuardedRequest;
  readonly bypass?: Partial<Policy['bypass']>;
  readonly owners?: readonly JsonObject[];
  /** What is switched off and why it is refused; nothing is set without one. */
  readonly says?: RegExp;
  readonly outcome?: 'counts' | 'ignored' | 'refused';
}

/** The same, under the name of the field manager that Argo CD has. */
function byArgoCd(...release: Parameters<typeof released>): JsonObject {
  const text = JSON.stringify(released(...release));
  return JSON.parse(text.replace('"helm"', '"argocd-controller"')) as JsonObject;
}

const argoCd = 'system:serviceaccount:argocd:argocd-application-controller';
const managers = [
  { name: 'argocd-controller', users: [argoCd] },
  { name: 'kustomize-controller', groups: ['system:serviceaccounts:flux-system'] },
];

const plain = released({});
const extension = (spec: JsonObject): JsonObject => ({
  kind: 'ClusterExtension',
  metadata: { name: 'ext' },
  spec,
});
const none = { install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } } };

const rows: readonly Row[] = [
  { name: 'nothing', request: { oldObject: plain, object: plain } },
  {
    name: 'an annotation by itself',
    request: { oldObject: plain, object: alone({ [off]: safe }) },
    says: /^annotation "olm-guard.io\/disable" on CustomResourceDefinition "x" \(crd-upgrade-safety\)$/,
    outcome: 'counts',
  },
  {
    name: "a vendor's CREATE",
    request: { object: released({ [off]: 'all' }) },
    says: /\(every check\): "helm" set it together with other fields/,
    outcome: 'ignored',
  },
  {
    name: "a vendor's harmless update",
    request: { oldObject: plain, object: released({ [off]: 'all' }, {}, { description: 'more' }) },
    says: /: "helm" set it together/,
    outcome: 'ignored',
  },
  {
    name: 'a creation that forges the record',
    request: { object: alone({ [off]: 'all' }) },
    says: /: the request changes more than this; set it by itself/,
    outcome: 'refused',
  },
  {
    name: 'an update that forges the record, or has a new manager that only takes away',
    request: { oldObject: released({}, {}, { a: 1 }), object: alone({ [off]: 'all' }) },
    says: /: the request changes more than this/,
    outcome: 'refused',
  },
  {
    name: 'labels beside it',
    request: { oldObject: plain, object: alone({ [off]: 'all' }, { labels: { a: 'b' } }) },
    says: /changes more than this/,
    outcome: 'refused',
  },
  {
    name: 'owner references beside it',
    request: { oldObject: plain, object: alone({ [off]: 'all' }, { ownerReferences: [] }) },
    says: /changes more than this/,
    outcome: 'refused',
  },
  {
    name: 'a record that is rewritten for what is there already',
    request: { oldObject: released({ [off]: 'all' }), object: alone({ [off]: 'all' }) },
    says: /changes more than this/,
    outcome: 'refused',
  },
  {
    name: 'a rewritten record beside another annotation',
    request: { oldObject: released({ [off]: 'all' }), object: alone({ [off]: 'all', note: 'a' }) },
    says: /changes more than this/,
    outcome: 'refused',
  },
  {
    name: 'what is there already',
    request: { oldObject: alone({ [off]: 'all' }), object: alone({ [off]: 'all' }, {}, { a: 1 }) },
  },
  {
    name: 'less than is there already',
    request: { oldObject: alone({ [off]: 'all' }), object: alone({ [off]: safe }) },
  },
  {
    name: 'more than is there already',
    request: { oldObject: alone({ [off]: safe }), object: alone({ [off]: `${safe},catalogs` }) },
    says: /\(crd-upgrade-safety, catalogs\)$/,
    outcome: 'counts',
  },
  {
    name: 'a later end',
    request: {
      oldObject: alone({ [off]: safe, [until]: '2026-07-01T00:00:00Z' }),
      object: alone({ [off]: safe, [until]: '2026-08-01T00:00:00Z' }),
    },
    says: /\)$/,
    outcome: 'counts',
  },
  {
    name: 'an earlier end',
    request: {
      oldObject: alone({ [off]: safe, [until]: '2026-08-01T00:00:00Z' }),
      object: alone({ [off]: safe, [until]: '2026-07-01T00:00:00Z' }),
    },
  },
  {
    name: 'an end taken away by a release',
    request: {
      oldObject: alone({ [off]: safe, [until]: '2026-07-01T00:00:00Z' }),
      object: alone({ [off]: safe }, {}, { a: 1 }),
    },
    says: /changes more than this/,
    outcome: 'refused',
  },
  {
    name: 'one that has ended, set again',
    request: {
      oldObject: alone({ [off]: safe, [until]: '2026-05-01T00:00:00Z' }),
      object: alone({ [off]: safe }),
    },
    says: /\)$/,
    outcome: 'counts',
  },
  {
    name: 'one that has ended',
    request: { oldObject: plain, object: alone({ [off]: safe, [until]: '2026-05-01T00:00:00Z' }) },
  },
  {
    name: "rukpak's",
    request: {
      oldObject: plain,
      object: alone({ 'core.rukpak.io/safe-crd-upgrade-validation': 'false' }),
    },
    says: /safe-crd-upgrade-validation" on .*\)$/,
    outcome: 'counts',
  },
  {
    name: 'a policy without switch-offs',
    request: { oldObject: plain, object: alone({ [off]: safe }) },
    bypass: { allowed: false },
    says: /: the policy does not allow it/,
    outcome: 'ignored',
  },
  {
    name: 'somebody outside of the group that the policy demands',
    request: { oldObject: plain, object: alone({ [off]: safe }), groups: ['system:masters'] },
    bypass: { groups: ['admins', 'sre'] },
    says: /: only members of admins, sre may set it/,
    outcome: 'refused',
  },
  {
    name: 'nobody in particular, where the policy demands a group',
    request: { oldObject: plain, object: alone({ [off]: safe }) },
    bypass: { groups: ['admins'] },
    says: /only members of admins/,
    outcome: 'refused',
  },
  {
    name: 'a member of that group',
    request: { oldObject: plain, object: alone({ [off]: safe }), groups: ['users', 'sre'] },
    bypass: { groups: ['admins', 'sre'] },
    says: /\)$/,
    outcome: 'counts',
  },
  {
    name: 'a member of that group in a release',
    request: { oldObject: plain, object: released({ [off]: safe }, {}, { a: 1 }), groups: ['sre'] },
    bypass: { groups: ['sre'] },
    says: /: /,
    outcome: 'ignored',
  },
  {
    name: 'a manager that the policy names, by its user',
    request: { object: byArgoCd({ [off]: 'all' }), user: argoCd },
    bypass: { managers },
    says: /\)$/,
    outcome: 'counts',
  },
  {
    name: 'a manager that the policy names, by its user, whatever else changes and whoever else may',
    request: {
      oldObject: plain,
      object: byArgoCd({ [off]: safe }, { labels: { a: 'b' } }, { a: 1 }),
      user: argoCd,
    },
    bypass: { managers, groups: ['admins'] },
    says: /\)$/,
    outcome: 'counts',
  },
  {
    name: 'a manager that the policy names, by a member of its group',
    request: {
      object: JSON.parse(
        JSON.stringify(byArgoCd({ [off]: safe })).replace('argocd', 'kustomize'),
      ) as JsonObject,
      user: 'a',
      groups: ['system:serviceaccounts:flux-system'],
    },
    bypass: { managers },
    says: /\)$/,
    outcome: 'counts',
  },
  ...[
    { user: 'system:serviceaccount:widgets:operator', groups: ['admins'] },
    { user: 'somebody', groups: ['system:serviceaccounts:flux-system'] },
    { groups: ['admins'] },
  ].flatMap((stranger): Row[] => {
    const bypass = { managers, groups: ['admins'] };
    const says = /: field manager "argocd-controller" is not for this user/;
    const refused = { bypass, says, outcome: 'refused' } as const;
    const who = stranger.user ?? 'nobody in particular';
    const stored = byArgoCd({ [off]: safe, [until]: '2026-07-01T00:00:00Z' });
    return [
      {
        name: `the name of a manager, by ${who}`,
        request: { object: byArgoCd({ [off]: 'all' }), ...stranger },
        ...refused,
      },
      {
        name: `the name of a manager in a record that is rewritten, by ${who}`,
        request: {
          oldObject: released({ [off]: 'all' }),
          object: byArgoCd({ [off]: 'all' }),
          ...stranger,
        },
        ...refused,
      },
      {
        name: `more under the record of a manager, by ${who}`,
        request: { oldObject: stored, object: byArgoCd({ [off]: 'all' }), ...stranger },
        ...refused,
      },
      {
        name: `no end any more under the record of a manager, by ${who}`,
        request: { oldObject: stored, object: byArgoCd({ [off]: safe }), ...stranger },
        ...refused,
      },
      {
        name: `what a manager has set already, beside a change by ${who}`,
        request: {
          oldObject: stored,
          object: { ...stored, spec: { a: 1 } },
          ...stranger,
        },
        bypass,
      },
    ];
  }),
  {
    name: 'another manager, by the user of one that the policy names',
    request: { object: released({ [off]: safe }), user: argoCd },
    bypass: { managers },
    says: /: "helm" set it together/,
    outcome: 'ignored',
  },
  {
    name: 'the field of a ClusterExtension, with the rest of its spec',
    request: { object: extension(none) },
    says: /^field spec.install.preflight.crdUpgradeSafety.enforcement on ClusterExtension "ext" .*\)$/,
    outcome: 'counts',
  },
  {
    name: 'the field of a ClusterExtension, by somebody outside of the group',
    request: { object: extension(none), groups: ['users'] },
    bypass: { groups: ['admins'] },
    says: /only members of admins/,
    outcome: 'refused',
  },
  {
    name: 'an owner whose checks are switched off',
    request: { oldObject: plain, object: released({}, { labels: {} }) },
    owners: [extension(none)],
    says: /on ClusterExtension "ext", which it names as its owner .*\)$/,
    outcome: 'counts',
  },
  {
    name: 'an owner whose checks are switched off, by somebody outside of the group',
    request: { oldObject: plain, object: released({}, { labels: {} }), groups: ['users'] },
    bypass: { groups: ['admins'] },
    owners: [extension(none)],
    says: /which it names as its owner .*: only members of admins/,
    outcome: 'refused',
  },
  {
    name: 'an owner that is checked',
    request: { oldObject: plain, object: plain },
    owners: [extension({})],
  },
  { name: 'a deletion', request: { oldObject: alone({ [off]: 'all' }) } },
];

describe('switch-offs that a request sets', () => {
  for (const { name, request, bypass, owners, says, outcome } of rows) {
    it(`${outcome ?? 'nothing new'}: ${name}`, () => {
      const rules = { bypass: { ...defaultPolicy.bypass, ...bypass }, now, isAdmission: true };
      const found = newSwitchOffs(request, rules, owners);
      expect(found).to.have.length(says === undefined ? 0 : 1);
      const [first] = found;
      if (first === undefined || says === undefined) return;
      const { id, data = {}, severity } = newSwitchOffFinding(first);
      expect(id).to.equal(outcome);
      expect(`${String(data['switchOff'])}${String(data['why'])}`).to.match(says);
      expect(first.isRefused).to.equal(outcome === 'refused');
      expect(severity).to.equal(outcome === 'refused' ? 'error' : 'warning');
      expect(first.counts).to.equal(outcome === 'counts');
    });
  }
});

import { makeCrd, aCsv, makeGroup, makeObject, describeRule } from '../testing/harness.js';
import { requirementsNotMet } from './requirements-not-met.js';

const rule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

const needsRights = aCsv({
  owns: [],
  spec: { install: { spec: { permissions: [{ serviceAccountName: 'sa', rules: [rule] }] } } },
});

const account = makeObject('ServiceAccount', 'sa', 'ns');

const role = makeObject('Role', 'r', 'ns', {
  rules: [{ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] }],
});

const binding = makeObject('RoleBinding', 'b', 'ns', {
  roleRef: { kind: 'Role', name: 'r' },
  subjects: [{ kind: 'ServiceAccount', name: 'sa', namespace: 'ns' }],
});

describeRule(requirementsNotMet, [
  { when: 'a definition that is there', object: aCsv(), cluster: [makeCrd('cats.pets')], says: [] },
  {
    when: 'definitions not in view',
    object: aCsv(),
    unknown: ['CustomResourceDefinition'],
    says: [],
  },
  {
    when: 'metadata only',
    object: aCsv(),
    cluster: [makeObject('CustomResourceDefinition', 'cats.pets')],
    says: [],
  },
  { when: 'no definition', object: aCsv(), says: ['warning: CRD is not present: cats.pets'] },
  {
    when: 'version not served',
    object: aCsv(),
    cluster: [makeCrd('cats.pets', ['v2'])],
    says: ['warning: CRD version not served: cats.pets v1'],
  },
  {
    when: 'a required one too',
    object: aCsv({
      owns: [],
      spec: {
        customresourcedefinitions: {
          required: [{ name: 'owls.pets', version: 'v1', kind: 'Owl' }],
        },
      },
    }),
    says: ['warning: CRD is not present: owls.pets'],
  },
  {
    when: 'required and owned APIServices',
    object: aCsv({
      owns: [],
      spec: {
        apiservicedefinitions: {
          required: [{ name: 'a', group: 'g.io', version: 'v1', kind: 'A' }],
          owned: [{ name: 'b', group: 'h.io', version: 'v2', kind: 'B', deploymentName: 'server' }],
        },
      },
    }),
    says: [
      'warning: APIService is not present: v1.g.io',
      'warning: DeploymentNotFound: owned APIService v2.h.io',
    ],
  },
  {
    when: 'no service account',
    object: needsRights,
    says: ['warning: Service account does not exist: sa'],
  },
  { when: 'rights granted', object: needsRights, cluster: [account, role, binding], says: [] },
  {
    when: 'roles not in view',
    object: needsRights,
    cluster: [account],
    unknown: ['Role'],
    says: [],
  },
  {
    when: 'rights lacking',
    object: needsRights,
    cluster: [account],
    says: ['warning: Policy rule not satisfied for service account sa: get,list pods of core'],
  },
  {
    when: 'a global group needs them everywhere',
    object: needsRights,
    cluster: [account, role, binding, makeGroup({ spec: {} })],
    says: [/Policy rule not satisfied/],
  },
  {
    when: 'minKubeVersion met',
    object: aCsv({ owns: [], spec: { minKubeVersion: '1.30.2' } }),
    says: [],
  },
  {
    when: 'minKubeVersion unknown',
    object: aCsv({ owns: [], spec: { minKubeVersion: '1.99.0' } }),
    kubernetesVersion: null,
    says: [],
  },
  {
    when: 'minKubeVersion not met',
    object: aCsv({ owns: [], spec: { minKubeVersion: 'v1.31.0' } }),
    says: [
      'warning: CSV version requirement not met: minKubeVersion (v1.31.0) > server version (1.30.2)',
    ],
  },
  {
    when: 'minKubeVersion unreadable',
    object: aCsv({ owns: [], spec: { minKubeVersion: '1.31' } }),
    says: [/parsing error/],
  },
]);

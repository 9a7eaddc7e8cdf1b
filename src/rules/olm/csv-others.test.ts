import type { JsonObject } from '../../text/documents/index.js';
import { ownerConflict, sharedCrd } from './csv-ownership.js';
import { requirementsNotMet } from './csv-requirements.js';
import { operatorConditionNotUpgradeable } from './csv-upgrade.js';
import { conversionWebhook, invalidWebhookDescription } from './csv-webhooks.js';
import { aCrd, aCsv, aGroup, anObject, describeRule } from './testing/harness.js';

const v1 = aCsv({ name: 'cats.v1' });
const v2 = aCsv({ name: 'cats.v2', spec: { replaces: 'cats.v1' } });
const v3 = aCsv({ name: 'cats.v3', spec: { replaces: 'cats.v2' } });

describeRule(ownerConflict, [
  { when: 'alone', object: v1, says: [] },
  { when: 'replaces the owner', object: v2, cluster: [v1], says: [] },
  { when: 'further down the chain', object: v3, cluster: [v1, v2], says: [] },
  { when: 'is itself replaced', object: v1, cluster: [v2, v3], says: [] },
  {
    when: 'another namespace',
    object: v1,
    cluster: [aCsv({ name: 'other', namespace: 'b' })],
    says: [],
  },
  {
    when: 'a cycle ends',
    object: aCsv({ name: 'a', spec: { replaces: 'b' } }),
    cluster: [aCsv({ name: 'b', spec: { replaces: 'a' } })],
    says: [],
  },
  {
    when: 'a stranger owns it',
    object: v1,
    cluster: [aCsv({ name: 'stranger' })],
    says: [
      'error: conflicting CRD owner in namespace: ClusterServiceVersion stranger owns cats.pets',
    ],
  },
  {
    when: 'the chain is broken',
    object: v3,
    cluster: [v1],
    says: ['error: conflicting CRD owner in namespace: ClusterServiceVersion cats.v1'],
  },
]);

describeRule(sharedCrd, [
  {
    when: 'the same version',
    object: aCsv({ spec: { version: '1.0.0' } }),
    cluster: [aCsv({ namespace: 'b', spec: { version: '1.0.0' } })],
    says: [],
  },
  {
    when: 'another version elsewhere',
    object: aCsv({ spec: { version: '2.0.0' } }),
    cluster: [aCsv({ namespace: 'b', spec: { version: '1.0.0' } })],
    says: [
      'warning: cats.pets is also owned by another version of an operator: b/cats.v1; only identical CRDs can be shared',
    ],
  },
]);

function condition(spec: JsonObject, status: JsonObject = {}): JsonObject {
  return {
    kind: 'OperatorCondition',
    metadata: { name: 'cats.v1', namespace: 'ns', generation: 3 },
    spec,
    status,
  };
}
const no = { type: 'Upgradeable', status: 'False', message: 'migrating' };
const yes = { type: 'Upgradeable', status: 'True', message: '' };

describeRule(operatorConditionNotUpgradeable, [
  { when: 'no condition', object: v2, cluster: [v1], says: [] },
  { when: 'replaces nothing', object: v1, cluster: [condition({ conditions: [no] })], says: [] },
  {
    when: 'the replaced one is not there',
    object: v2,
    cluster: [condition({ overrides: [no] })],
    says: [],
  },
  {
    when: 'upgradeable',
    object: v2,
    cluster: [v1, condition({}, { conditions: [{ ...yes, observedGeneration: 3 }] })],
    says: [],
  },
  {
    when: 'not upgradeable',
    object: v2,
    cluster: [v1, condition({}, { conditions: [{ ...no, observedGeneration: 3 }] })],
    says: [
      'warning: operator is not upgradeable: the operator is not upgradeable: migrating (OperatorCondition cats.v1)',
    ],
  },
  {
    when: 'announced in the spec',
    object: v2,
    cluster: [v1, condition({ conditions: [no] })],
    says: [/migrating/],
  },
  {
    when: 'outdated',
    object: v2,
    cluster: [v1, condition({}, { conditions: [{ ...yes, observedGeneration: 2 }] })],
    says: [/the operatorcondition status "Upgradeable"="True" is outdated/],
  },
  {
    when: 'an override wins',
    object: v2,
    cluster: [v1, condition({ overrides: [yes] }, { conditions: [no] })],
    says: [],
  },
  {
    when: 'an override can hold back',
    object: v2,
    cluster: [v1, condition({ overrides: [no] }, { conditions: [yes] })],
    says: [/migrating/],
  },
]);

const rule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const needsRights = aCsv({
  owns: [],
  spec: { install: { spec: { permissions: [{ serviceAccountName: 'sa', rules: [rule] }] } } },
});
const account = anObject('ServiceAccount', 'sa', 'ns');
const role = anObject('Role', 'r', 'ns', {
  rules: [{ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] }],
});
const binding = anObject('RoleBinding', 'b', 'ns', {
  roleRef: { kind: 'Role', name: 'r' },
  subjects: [{ kind: 'ServiceAccount', name: 'sa', namespace: 'ns' }],
});

describeRule(requirementsNotMet, [
  { when: 'a definition that is there', object: aCsv(), cluster: [aCrd('cats.pets')], says: [] },
  {
    when: 'definitions not in view',
    object: aCsv(),
    unknown: ['CustomResourceDefinition'],
    says: [],
  },
  {
    when: 'metadata only',
    object: aCsv(),
    cluster: [anObject('CustomResourceDefinition', 'cats.pets')],
    says: [],
  },
  { when: 'no definition', object: aCsv(), says: ['warning: CRD is not present: cats.pets'] },
  {
    when: 'version not served',
    object: aCsv(),
    cluster: [aCrd('cats.pets', ['v2'])],
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
    cluster: [account, role, binding, aGroup({ spec: {} })],
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

function withWebhooks(...webhookdefinitions: JsonObject[]): JsonObject {
  return aCsv({ spec: { webhookdefinitions } });
}
const hook = (generateName: string, apiGroups: string[], resources: string[] = ['cats']) => ({
  generateName,
  type: 'ValidatingAdmissionWebhook',
  rules: [{ apiGroups, resources }],
});

describeRule(invalidWebhookDescription, [
  { when: 'fine', object: withWebhooks(hook('a', ['pets']), hook('b', ['pets'])), says: [] },
  {
    when: 'other objects of the admission group',
    object: withWebhooks(
      hook('a', ['admissionregistration.k8s.io'], ['ValidatingAdmissionPolicy']),
    ),
    says: [],
  },
  {
    when: 'one name twice',
    object: withWebhooks(hook('a', ['pets']), hook('a', ['pets'])),
    says: ['error: CSV contains repeated WebhookDescription name: a'],
  },
  {
    when: 'all groups',
    object: withWebhooks(hook('a', ['*'])),
    says: ['error: webhook rules cannot include all groups (a)'],
  },
  {
    when: 'OLM’s group',
    object: withWebhooks(hook('a', ['operators.coreos.com'])),
    says: ['error: webhook rules cannot include the OLM group (a)'],
  },
  {
    when: 'webhook configurations',
    object: withWebhooks(hook('a', ['admissionregistration.k8s.io'], ['*'])),
    says: [
      'error: webhook rules cannot include MutatingWebhookConfiguration or ValidatingWebhookConfiguration resources (a)',
    ],
  },
]);

const converts = (...conversionCRDs: string[]) => ({
  generateName: 'c',
  type: 'ConversionWebhook',
  conversionCRDs,
});
const global = (webhook: JsonObject) =>
  aCsv({ modes: ['AllNamespaces'], spec: { webhookdefinitions: [webhook] } });

describeRule(conversionWebhook, [
  { when: 'fine', object: global(converts('cats.pets')), cluster: [aCrd('cats.pets')], says: [] },
  { when: 'other webhooks', object: withWebhooks(hook('a', ['pets'])), says: [] },
  {
    when: 'other install modes',
    object: aCsv({ spec: { webhookdefinitions: [converts('cats.pets')] } }),
    says: [
      'error: unable to manage conversion webhook: CSVs with conversion webhooks must support only AllNamespaces',
    ],
  },
  {
    when: 'no definition',
    object: global(converts()),
    says: [
      'error: unable to manager conversion webhook: conversion webhook must have at least one CRD specified',
    ],
  },
  {
    when: 'a definition it does not own',
    object: global(converts('dogs.pets')),
    says: ['error: csv cats.v1 does not own CRD dogs.pets'],
  },
  {
    when: 'a definition that preserves unknown fields',
    object: global(converts('cats.pets')),
    cluster: [aCrd('cats.pets', ['v1'], { preserveUnknownFields: true })],
    says: ['warning: crd.Spec.PreserveUnknownFields must be false'],
  },
]);

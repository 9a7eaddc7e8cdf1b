import { expect } from 'chai';
import { askedMinors } from '../../../kubernetes/definition/minors.js';
import {
  InvalidInputError,
  parseDocuments,
  type JsonObject,
} from '../../../text/documents/index.js';
import { checkBundle, type BundleCheckOptions } from './index.js';
import { proofSentence } from './crd-checks.js';
import { readBundle, type Bundle } from './bundle.js';

type Files = Readonly<Record<string, JsonObject | string>>;

const prefix = 'operators.operatorframework.io.bundle.';
const annotations = (more: JsonObject = {}): JsonObject => ({
  annotations: {
    [`${prefix}mediatype.v1`]: 'registry+v1',
    [`${prefix}manifests.v1`]: 'manifests/',
    [`${prefix}metadata.v1`]: 'metadata/',
    [`${prefix}package.v1`]: 'cats',
    [`${prefix}channels.v1`]: 'stable,fast',
    [`${prefix}channel.default.v1`]: 'stable',
    ...more,
  },
});
const modes = (...supported: string[]): JsonObject[] =>
  ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
    type,
    supported: supported.includes(type),
  }));
const csv = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  kind: 'ClusterServiceVersion',
  metadata: { name: 'cats.v1', ...metadata },
  spec: {
    version: '1.0.0',
    installModes: modes('AllNamespaces'),
    customresourcedefinitions: { owned: [{ name: 'cats.pets.io', version: 'v1', kind: 'Cat' }] },
    ...spec,
  },
});
const crd = (properties: JsonObject = { name: { type: 'string' } }): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'cats.pets.io' },
  spec: {
    group: 'pets.io',
    scope: 'Namespaced',
    names: { kind: 'Cat', plural: 'cats' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties } },
      },
    ],
  },
});
/** `isIP` came with 1.31. */
const newerRule = { 'x-kubernetes-validations': [{ rule: 'isIP(self)' }] };
const whole: Files = { 'csv.yaml': csv(), 'crd.yaml': crd(), 'annotations.yaml': annotations() };
const install = { install: { spec: { deployments: [{ name: 'cats' }] } } };
const webhook = (rules: JsonObject[]): JsonObject => ({
  ...install,
  webhookdefinitions: [
    { type: 'ValidatingAdmissionWebhook', generateName: 'w', deploymentName: 'cats', rules },
  ],
});
const needs = (property: string): Said => [
  'warning UnsupportedByOlmV1 d.yaml',
  {
    id: 'refused',
    data: {
      refusal: `bundle "cats.v1" has a dependency declared via property "${property}" which is currently not supported`,
    },
  },
];
const depends = (...dependencies: JsonObject[]): Files => ({
  ...whole,
  'd.yaml': { dependencies },
});

function bundle(files: Files): Bundle {
  const documents = Object.entries(files).flatMap(([file, content]) =>
    parseDocuments(typeof content === 'string' ? content : JSON.stringify(content), { file }),
  );
  return readBundle(documents, 'bundle');
}

/** `severity rule file`, and a message of the rule or the beginning of the reference's text. */
type Said = readonly [what: string, words: string | { readonly id: string; readonly data: object }];

interface Row {
  readonly when: string;
  readonly files: Files;
  readonly against?: Files;
  readonly options?: Partial<BundleCheckOptions>;
  readonly says: readonly Said[];
}

const rows: readonly Row[] = [
  { when: 'all is well', files: whole, says: [] },
  {
    when: 'a folder without metadata',
    files: { 'csv.yaml': csv(), 'crd.yaml': crd() },
    says: [['error BundlePartMissing ', { id: 'annotations', data: {} }]],
  },
  {
    when: 'a single file, of which nothing is missing',
    files: { 'crd.yaml': crd() },
    options: { isWhole: false },
    says: [],
  },
  {
    when: 'annotations without a package, and a default that is no channel',
    files: {
      ...whole,
      'annotations.yaml': annotations({
        [`${prefix}package.v1`]: '',
        [`${prefix}channel.default.v1`]: 'slow',
      }),
    },
    says: [
      [
        'error BundlePartMissing annotations.yaml',
        {
          id: 'annotation',
          data: { annotation: 'operators.operatorframework.io.bundle.package.v1' },
        },
      ],
      [
        'warning BundleChannels annotations.yaml',
        { id: 'defaultElsewhere', data: { channel: 'slow', channels: 'stable, fast' } },
      ],
    ],
  },
  {
    when: 'a version that is none',
    files: { ...whole, 'csv.yaml': csv({ version: '1.0' }) },
    says: [['error BundleVersion csv.yaml', { id: 'invalid', data: { version: '1.0' } }]],
  },
  {
    when: 'a limit in metadata/properties.yaml that is a placeholder',
    files: {
      ...whole,
      'properties.yaml': {
        properties: [{ type: 'olm.maxOpenShiftVersion', value: '<cluster_version>' }],
      },
    },
    says: [
      [
        'warning UnreadableOpenShiftLimit properties.yaml',
        'OLM cannot read olm.maxOpenShiftVersion and will keep',
      ],
    ],
  },
  {
    when: 'a limit in metadata/properties.yaml that both can read',
    files: {
      ...whole,
      'properties.yaml': 'properties: [{ type: olm.maxOpenShiftVersion, value: "4.18" }]',
    },
    says: [],
  },
  {
    when: 'a limit in the annotation of the ClusterServiceVersion that is a placeholder',
    files: {
      ...whole,
      'csv.yaml': csv(
        {},
        {
          annotations: {
            'olm.properties': '[{"type":"olm.maxOpenShiftVersion","value":"<cluster_version>"}]',
          },
        },
      ),
    },
    says: [
      ['warning UnreadableOpenShiftLimit csv.yaml', 'OLM cannot read olm.maxOpenShiftVersion'],
    ],
  },
  {
    when: 'manifests of API versions that are gone, deprecated, and current',
    files: {
      ...whole,
      'pdb.yaml': {
        apiVersion: 'policy/v1beta1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'a' },
      },
      'csr.yaml': { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      'slice.yaml': { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'a' } },
    },
    says: [
      [
        'error RefusedByOlmV1 slice.yaml',
        { id: 'refused', data: { refusal: 'unsupported resource "a" with kind "Endpoints"' } },
      ],
      [
        'warning RemovedApi pdb.yaml',
        {
          id: 'removed',
          data: {
            kind: 'PodDisruptionBudget',
            apiVersion: 'policy/v1beta1',
            lifecycle: 'is gone since Kubernetes 1.25; use policy/v1 PodDisruptionBudget',
          },
        },
      ],
    ],
  },
  {
    when: 'no supported install mode',
    files: { ...whole, 'csv.yaml': csv({ installModes: modes() }) },
    says: [['error BundleInstallModes csv.yaml', { id: 'none', data: {} }]],
  },
  {
    when: 'install modes listed twice and left out',
    files: {
      ...whole,
      'csv.yaml': csv({ installModes: Array(2).fill({ type: 'AllNamespaces', supported: true }) }),
    },
    says: [
      [
        'error BundleInstallModes csv.yaml',
        {
          id: 'refused',
          data: {
            refusal:
              'InstallMode list contains duplicates, cannot make set: [{AllNamespaces true} {AllNamespaces true}]',
          },
        },
      ],
      [
        'warning InstallModeOmitted csv.yaml',
        { id: 'several', data: { modes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace'] } },
      ],
    ],
  },
  {
    when: 'an owned definition that does not come along',
    files: { 'csv.yaml': csv(), 'annotations.yaml': annotations() },
    says: [
      [
        'error OwnedCrdMissing csv.yaml',
        { id: 'definition', data: { csv: 'cats.v1', definition: 'cats.pets.io' } },
      ],
    ],
  },
  {
    when: 'an owned kind that the definition does not define',
    files: {
      ...whole,
      'csv.yaml': csv({
        customresourcedefinitions: {
          owned: [{ name: 'cats.pets.io', version: 'v1', kind: 'cat' }],
        },
      }),
    },
    says: [
      [
        'error OwnedCrdMissing csv.yaml',
        {
          id: 'kind',
          data: { csv: 'cats.v1', definition: 'cats.pets.io', kind: 'cat', defined: 'Cat' },
        },
      ],
    ],
  },
  {
    when: 'examples that are cut off',
    files: { ...whole, 'csv.yaml': csv({}, { annotations: { 'alm-examples': '[{' } }) },
    says: [
      [
        'error BundleExamples csv.yaml',
        {
          id: 'json',
          data: { annotation: 'alm-examples', problem: 'is not JSON: the input ends too early' },
        },
      ],
    ],
  },
  {
    when: 'one example without a list',
    files: { ...whole, 'csv.yaml': csv({}, { annotations: { 'olm.examples': '{}' } }) },
    says: [['error BundleExamples csv.yaml', { id: 'list', data: { annotation: 'olm.examples' } }]],
  },
  {
    when: 'an example of an API that is not owned, twice, beside one that is',
    files: {
      ...whole,
      'csv.yaml': csv(
        {},
        {
          annotations: {
            'alm-examples': JSON.stringify([
              { apiVersion: 'pets.io/v1', kind: 'Cat' },
              { apiVersion: 'pets.io/v2', kind: 'Cat' },
              { apiVersion: 'pets.io/v2', kind: 'Cat' },
            ]),
          },
        },
      ),
    },
    says: [
      [
        'error BundleExamples csv.yaml',
        {
          id: 'unowned',
          data: {
            annotation: 'alm-examples',
            apiVersion: 'pets.io/v2',
            kind: 'Cat',
            csv: 'cats.v1',
          },
        },
      ],
    ],
  },
  {
    when: 'a skipRange that cannot be read',
    files: { ...whole, 'csv.yaml': csv({}, { annotations: { 'olm.skipRange': '^1.0' } }) },
    says: [
      [
        'warning BundleSkipRange csv.yaml',
        {
          id: 'unreadable',
          data: {
            range: '^1.0',
            problem: 'Could not parse Range "^1.0": Could not parse comparator "^" in "^1.0"',
          },
        },
      ],
    ],
  },
  {
    when: 'a deployment with an account that no permission names',
    files: {
      ...whole,
      'csv.yaml': csv({
        install: {
          spec: {
            permissions: [{ serviceAccountName: 'other' }],
            deployments: ['cats', 'other', 'default'].map((name) => ({
              name,
              spec: { template: { spec: { serviceAccountName: name } } },
            })),
          },
        },
      }),
    },
    says: [
      [
        'warning DeploymentServiceAccount csv.yaml',
        { id: 'unmade', data: { deployment: 'cats', name: 'cats' } },
      ],
    ],
  },
  {
    when: 'an owned version that is not in the definition, and a definition without owner',
    files: {
      ...whole,
      'csv.yaml': csv({
        customresourcedefinitions: {
          owned: [{ name: 'cats.pets.io', version: 'v2', kind: 'Cat' }],
        },
      }),
      'other.yaml': {
        ...crd(),
        metadata: { name: 'dogs.pets.io' },
        spec: { ...(crd()['spec'] as JsonObject), names: { kind: 'Dog', plural: 'dogs' } },
      },
    },
    says: [
      [
        'error OwnedCrdMissing csv.yaml',
        {
          id: 'version',
          data: { csv: 'cats.v1', definition: 'cats.pets.io', version: 'v2', versions: 'v1' },
        },
      ],
      [
        'error CrdWithoutOwner other.yaml',
        { id: 'unowned', data: { definition: 'dogs.pets.io', csv: 'cats.v1' } },
      ],
    ],
  },
  {
    when: 'a webhook on everything',
    files: { ...whole, 'csv.yaml': csv(webhook([{ apiGroups: ['*'], resources: ['*'] }])) },
    says: [['error InvalidWebhookDescription csv.yaml', 'webhook rules cannot include all groups']],
  },
  {
    when: 'a webhook on OLM v1’s own objects',
    files: {
      ...whole,
      'csv.yaml': csv(
        webhook([{ apiGroups: ['olm.operatorframework.io'], resources: ['clusterextensions'] }]),
      ),
    },
    says: [
      [
        'error RefusedByOlmV1 csv.yaml',
        {
          id: 'refused',
          data: {
            refusal:
              'webhook "w" contains forbidden rule: admission webhook rules cannot reference API group "olm.operatorframework.io"',
          },
        },
      ],
    ],
  },
  {
    when: 'a definition twice, with another schema, and a kind that OLM does not install',
    files: {
      ...whole,
      'again.yaml': crd({}),
      'pod.yaml': { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
      'tests/pod.yaml': { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
    },
    says: [
      [
        'error RefusedByOlmV1 again.yaml',
        {
          id: 'refused',
          data: { refusal: "bundle contains duplicate custom resource definition 'cats.pets.io'" },
        },
      ],
      [
        'error RefusedByOlmV1 pod.yaml',
        { id: 'refused', data: { refusal: 'unsupported resource "a" with kind "Pod"' } },
      ],
    ],
  },
  {
    when: 'a definition of v1beta1, and the rest of the bundle',
    files: {
      ...whole,
      'csv.yaml': csv({ version: '1.0' }),
      'crd.yaml': { ...crd(), apiVersion: 'apiextensions.k8s.io/v1beta1' },
    },
    against: whole,
    says: [
      ['error BundleVersion csv.yaml', { id: 'invalid', data: { version: '1.0' } }],
      [
        'error UnservedDefinition crd.yaml',
        {
          id: 'unserved',
          data: { definition: 'cats.pets.io', apiVersion: 'apiextensions.k8s.io/v1beta1' },
        },
      ],
      ['warning DoesNotReplace csv.yaml', { id: 'sameName', data: { csv: 'cats.v1' } }],
    ],
  },
  {
    when: 'service accounts that OLM makes, that a deployment uses, and that nobody names',
    files: {
      ...whole,
      'csv.yaml': csv({
        install: {
          spec: {
            clusterPermissions: [{ serviceAccountName: 'made', rules: [] }],
            deployments: [
              { name: 'cats', spec: { template: { spec: { serviceAccountName: 'used' } } } },
            ],
          },
        },
      }),
      ...Object.fromEntries(
        ['made', 'used', 'free'].map((name) => [
          `${name}.yaml`,
          { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
        ]),
      ),
    },
    says: [
      ['error BundleServiceAccount made.yaml', { id: 'made', data: { name: 'made' } }],
      ['error BundleServiceAccount used.yaml', { id: 'used', data: { name: 'used' } }],
    ],
  },
  {
    when: 'a conversion webhook of an operator that is not for all namespaces only',
    files: {
      ...whole,
      'csv.yaml': csv({
        ...install,
        installModes: modes('AllNamespaces', 'OwnNamespace'),
        webhookdefinitions: [
          {
            type: 'ConversionWebhook',
            generateName: 'c',
            deploymentName: 'cats',
            conversionCRDs: ['cats.pets.io'],
          },
        ],
      }),
    },
    says: [['error ConversionWebhook csv.yaml', 'unable to manage conversion webhook']],
  },
  {
    when: 'a lint of the resolver, at its entry',
    files: depends({ type: 'olm.package', value: { packageName: 'b', version: '1.2.3' } }),
    says: [
      needs('olm.package.required'),
      [
        'warning TightMaximumVersion d.yaml',
        { id: 'exact', data: { range: '1.2.3', package: 'b' } },
      ],
    ],
  },
  {
    when: 'a range that is none, a key that is another, and a type that is none',
    files: depends(
      { type: 'olm.package', value: { packageName: 'b', version: 'latest' } },
      { type: 'olm.gvk', value: { group: 'g', apiVersion: 'v1', kind: 'K' } },
      { type: 'olm.bundle', value: {} },
    ),
    says: [
      needs('olm.package.required'),
      [
        'error UnreadableDependency d.yaml',
        { id: 'unreadable', data: { problem: 'Could not get version from string: "latest"' } },
      ],
      [
        'error UnreadableDependency d.yaml',
        {
          id: 'unreadable',
          data: { problem: 'the dependency names no version, so nothing can meet it' },
        },
      ],
      [
        'error UnreadableDependency d.yaml',
        {
          id: 'unreadable',
          data: {
            problem:
              'there is no dependency of type "olm.bundle"; the types are olm.package, olm.gvk, olm.label and olm.constraint',
          },
        },
      ],
      [
        'info DependenciesMetApart d.yaml',
        { id: 'apart', data: { packages: 'package b', apis: 'API K' } },
      ],
    ],
  },
  {
    when: 'a package and an API, each a constraint',
    files: {
      ...whole,
      'd.yaml': {
        dependencies: [
          {
            type: 'olm.constraint',
            value: { package: { packageName: 'b', versionRange: '>=1.0.0' } },
          },
          { type: 'olm.constraint', value: { gvk: { group: 'g', version: 'v1', kind: 'K' } } },
        ],
      },
    },
    says: [
      needs('olm.constraint'),
      [
        'info DependenciesMetApart d.yaml',
        { id: 'apart', data: { packages: 'package b', apis: 'API K' } },
      ],
    ],
  },
  {
    when: 'an entry that is no entry',
    files: { ...whole, 'p.yaml': 'properties: [text, {value: 1}]' },
    says: [
      ['error UnreadableDependency p.yaml', { id: 'untyped', data: { kind: 'property' } }],
      ['error UnreadableDependency p.yaml', { id: 'untyped', data: { kind: 'property' } }],
    ],
  },
  {
    when: 'a rendered bundle, whose package is a property',
    files: {
      'csv.yaml': csv(),
      'crd.yaml': crd(),
      'bundle.yaml': {
        schema: 'olm.bundle',
        name: 'cats.v1',
        properties: [{ type: 'olm.package', value: { packageName: 'cats', version: '1.0.0' } }],
      },
    },
    says: [],
  },
  {
    when: 'a successor that replaces and keeps everything',
    files: {
      ...whole,
      'csv.yaml': csv({ version: '1.1.0', replaces: 'cats.v1' }, { name: 'cats.v2' }),
    },
    against: whole,
    says: [],
  },
  {
    when: 'a successor by skipRange',
    files: {
      ...whole,
      'csv.yaml': csv(
        { version: '1.1.0' },
        { name: 'cats.v2', annotations: { 'olm.skipRange': '<1.1.0' } },
      ),
    },
    against: whole,
    says: [],
  },
  {
    when: 'no successor: other predecessor, no higher version, fewer modes and definitions',
    files: {
      'csv.yaml': csv(
        {
          replaces: 'cats.v0',
          installModes: modes('OwnNamespace'),
          customresourcedefinitions: {},
        },
        { name: 'cats.v2' },
      ),
      'annotations.yaml': annotations(),
    },
    against: whole,
    says: [
      [
        'warning UnsupportedByOlmV1 csv.yaml',
        {
          id: 'refused',
          data: {
            refusal: 'unsupported bundle: bundle does not support AllNamespaces install mode',
          },
        },
      ],
      [
        'warning VersionNotHigher csv.yaml',
        { id: 'lower', data: { version: '1.0.0', oldVersion: '1.0.0', old: 'cats.v1' } },
      ],
      [
        'warning DoesNotReplace csv.yaml',
        {
          id: 'unrelated',
          data: { csv: 'cats.v2', old: 'cats.v1', instead: 'it replaces cats.v0' },
        },
      ],
      [
        'error OwnedCrdDropped csv.yaml',
        { id: 'dropped', data: { old: 'cats.v1', definition: 'cats.pets.io', csv: 'cats.v2' } },
      ],
      [
        'warning InstallModeDropped csv.yaml',
        { id: 'dropped', data: { old: 'cats.v1', mode: 'AllNamespaces', csv: 'cats.v2' } },
      ],
    ],
  },
  {
    when: 'a field that goes, by the rules of OLM v1',
    files: { 'crd.yaml': crd({}) },
    against: { 'crd.yaml': crd() },
    options: { isWhole: false },
    says: [['error NoExistingFieldRemoved crd.yaml', '']],
  },
  {
    when: 'a default that changes: refused by rule, proven to be behaviour',
    files: { 'crd.yaml': crd({ name: { type: 'string', default: 'b' } }) },
    against: { 'crd.yaml': crd({ name: { type: 'string', default: 'a' } }) },
    options: { isWhole: false, profile: 'proof' },
    says: [
      [
        'info Proof crd.yaml',
        {
          id: 'behavior',
          data: {
            where: 'version "v1", field "^.name": ',
            reason: 'the default is another value',
            note: '',
          },
        },
      ],
    ],
  },
  {
    when: 'a definition that no server takes',
    files: { ...whole, 'crd.yaml': crd({ name: {} }) },
    says: [
      ['error NotStructural crd.yaml', 'spec.validation.openAPIV3Schema.properties[name].type: '],
    ],
  },
  {
    when: 'a definition that older servers do not take',
    files: { ...whole, 'crd.yaml': crd({ name: { type: 'string', ...newerRule } }) },
    says: [['warning CelCompile crd.yaml', '']],
  },
  {
    when: 'a definition that servers do not take which are older than its minKubeVersion',
    files: {
      ...whole,
      'csv.yaml': csv({ minKubeVersion: '1.31.0' }),
      'crd.yaml': crd({ name: { type: 'string', ...newerRule } }),
    },
    says: [],
  },
  {
    when: 'a definition that a minor which is named does not take',
    files: { ...whole, 'crd.yaml': crd({ name: { type: 'string', ...newerRule } }) },
    options: { minors: askedMinors('1.30') },
    says: [['error CelCompile crd.yaml', '']],
  },
];

describe('bundle check', () => {
  for (const { when, files, against, options = {}, says } of rows) {
    it(when, () => {
      const { findings, places } = checkBundle(bundle(files), {
        profile: 'olm-v1',
        isWhole: true,
        ...options,
        ...(against === undefined ? {} : { against: bundle(against) }),
      });
      const said = findings.map(({ severity, rule, id, data = {}, message }, index): Said => {
        const text = says[index]?.[1];
        const words = typeof text === 'string' ? message.slice(0, text.length) : message;
        return [
          `${severity} ${rule} ${places[index]?.file ?? ''}`,
          id === undefined ? words : { id, data },
        ];
      });
      expect(said).to.deep.equal(says);
    });
  }

  it('names a definition that cannot be compared because one side is of v1beta1', () => {
    const old = { ...crd(), apiVersion: 'apiextensions.k8s.io/v1beta1' };
    const { unchecked } = checkBundle(bundle(whole), {
      profile: 'olm-v1',
      isWhole: true,
      against: bundle({ ...whole, 'crd.yaml': old }),
    });
    expect(unchecked).to.deep.equal([
      'cats.pets.io: the upgrade is not judged, because one side is written in apiextensions.k8s.io/v1beta1',
    ]);
  });

  const pair = (before: JsonObject, after: JsonObject) =>
    checkBundle(bundle({ 'crd.yaml': crd({ name: after }) }), {
      profile: 'olm-v1',
      isWhole: false,
      against: bundle({ 'crd.yaml': crd({ name: before }) }),
    });

  it('says of each refused change of a definition what it does, and of which definition', () => {
    const { findings, crds } = pair({ type: 'string' }, { type: 'string', enum: ['a'] });
    expect(findings.map(({ effect, object }) => [effect, object?.name])).to.deep.equal([
      ['breaking', 'cats.pets.io'],
    ]);
    expect(findings[0]?.witness).to.have.nested.property('name').that.is.a('string');
    expect(findings[0]?.proof).to.include('only listed values are allowed from now on');
    expect(crds.map(proofSentence)).to.deep.equal([undefined]);
  });

  it('knows that a cluster with the old bundle has objects in its storage version', () => {
    const renamed = crd();
    const next = JSON.parse(JSON.stringify(renamed).replaceAll('"v1"', '"v2"')) as JsonObject;
    const { findings } = checkBundle(bundle({ 'crd.yaml': next }), {
      profile: 'olm-v1',
      isWhole: false,
      against: bundle({ 'crd.yaml': renamed }),
    });
    expect(findings.map(({ rule, message }) => [rule, message])).to.deep.include([
      'NoStoredVersionRemoved',
      'stored version "v1" removed',
    ]);
  });

  it('has a word for harm that no finding names, and none for harmless definitions', () => {
    const sentence = (before: JsonObject, after: JsonObject) =>
      pair(before, after).crds.map(proofSentence);
    const said = { type: 'string', description: 'a' };
    expect(sentence(said, { ...said, description: 'b' })).to.deep.equal([undefined]);
    const comparison = pair(said, { ...said, default: 'a' }).crds.map((each) => ({
      ...each,
      findings: [],
    }));
    expect(comparison.map(proofSentence)).to.deep.equal([
      'proof: cats.pets.io: changes behavior at v1 ^.name: a default is set where there was none',
    ]);
  });

  it('names the line of an entry', () => {
    const text =
      'dependencies:\n- type: olm.package\n  value:\n    packageName: b\n    version: x\n';
    const { places } = checkBundle(bundle({ 'd.yaml': text }), {
      profile: 'olm-v1',
      isWhole: false,
    });
    expect(places).to.deep.equal([{ file: 'd.yaml', line: 3, column: 3 }]);
  });

  const rubbish: readonly [when: string, files: Files, message: string][] = [
    ['nothing of a bundle', { 'a.yaml': 'kind: ConfigMap' }, 'holds nothing of a bundle'],
    ['no documents at all', {}, 'holds nothing of a bundle'],
    [
      'two ClusterServiceVersions',
      { 'a.yaml': csv(), 'b.yaml': csv({}, { name: 'cats.v2' }) },
      'holds a second ClusterServiceVersion',
    ],
    [
      'properties that are no list',
      { 'p.yaml': 'properties: {a: 1}' },
      'properties must be a list',
    ],
  ];
  for (const [when, files, message] of rubbish) {
    it(`refuses ${when}`, () => {
      expect(() => bundle(files)).to.throw(InvalidInputError, message);
    });
  }

  const shapes: readonly [string, JsonObject][] = [
    ['a ClusterServiceVersion without anything', { kind: 'ClusterServiceVersion' }],
    [
      'a ClusterServiceVersion of other types',
      { kind: 'ClusterServiceVersion', metadata: 1, spec: { installModes: 'all', version: [] } },
    ],
    ['annotations of other types', { annotations: { [`${prefix}package.v1`]: 1 } }],
    [
      'properties of keys that every object has',
      { properties: [{ type: '__proto__', value: {} }] },
    ],
  ];
  for (const [when, value] of shapes) {
    it(`survives ${when}`, () => {
      const options = { profile: 'olm-v1', isWhole: true } as const;
      expect(checkBundle(bundle({ 'a.yaml': value }), options).findings).to.not.be.empty;
    });
  }
});

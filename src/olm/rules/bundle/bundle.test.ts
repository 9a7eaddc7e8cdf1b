import { expect } from 'chai';
import { askedMinors } from '../../../kubernetes/definition/index.js';
import {
  InvalidInputError,
  parseDocuments,
  type JsonObject,
} from '../../../text/documents/index.js';
import {
  checkBundle,
  proofSentence,
  readBundle,
  type Bundle,
  type BundleCheckOptions,
} from './index.js';

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
const needs = (property: string): string =>
  `warning UnsupportedByOlmV1 d.yaml: OLM v1 does not install the bundle: bundle "cats.v1" has a dependency declared via property "${property}"`;
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

interface Row {
  readonly when: string;
  readonly files: Files;
  readonly against?: Files;
  readonly options?: Partial<BundleCheckOptions>;
  /** `severity rule file: beginning of the message`. */
  readonly says: readonly string[];
}

const rows: readonly Row[] = [
  { when: 'all is well', files: whole, says: [] },
  {
    when: 'a folder without metadata',
    files: { 'csv.yaml': csv(), 'crd.yaml': crd() },
    says: ['error BundlePartMissing : the bundle has no metadata/annotations.yaml'],
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
      `error BundlePartMissing annotations.yaml: annotation ${prefix}package.v1 is missing`,
      'warning BundleChannels annotations.yaml: the default channel slow is not among',
    ],
  },
  {
    when: 'a version that is none',
    files: { ...whole, 'csv.yaml': csv({ version: '1.0' }) },
    says: ['error BundleVersion csv.yaml: spec.version "1.0" is no semantic version'],
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
      'warning UnreadableOpenShiftLimit properties.yaml: OLM cannot read olm.maxOpenShiftVersion and will keep',
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
    says: ['warning UnreadableOpenShiftLimit csv.yaml: OLM cannot read olm.maxOpenShiftVersion'],
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
      'error RefusedByOlmV1 slice.yaml: OLM v1 does not install the bundle: unsupported resource "a" with kind "Endpoints"',
      'warning RemovedApi pdb.yaml: PodDisruptionBudget of policy/v1beta1 is gone since Kubernetes 1.25',
    ],
  },
  {
    when: 'no supported install mode',
    files: { ...whole, 'csv.yaml': csv({ installModes: modes() }) },
    says: ['error BundleInstallModes csv.yaml: no install mode is supported'],
  },
  {
    when: 'install modes listed twice and left out',
    files: {
      ...whole,
      'csv.yaml': csv({ installModes: Array(2).fill({ type: 'AllNamespaces', supported: true }) }),
    },
    says: [
      'error BundleInstallModes csv.yaml: InstallMode list contains duplicates',
      'warning InstallModeOmitted csv.yaml: OwnNamespace, SingleNamespace, MultiNamespace are not listed',
    ],
  },
  {
    when: 'an owned definition that does not come along',
    files: { 'csv.yaml': csv(), 'annotations.yaml': annotations() },
    says: ['error OwnedCrdMissing csv.yaml: cats.v1 owns CustomResourceDefinition cats.pets.io'],
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
      'error OwnedCrdMissing csv.yaml: cats.v1 owns version v2 of cats.pets.io, which has only v1',
      'error CrdWithoutOwner other.yaml: the bundle brings CustomResourceDefinition dogs.pets.io',
    ],
  },
  {
    when: 'a webhook on everything',
    files: { ...whole, 'csv.yaml': csv(webhook([{ apiGroups: ['*'], resources: ['*'] }])) },
    says: ['error InvalidWebhookDescription csv.yaml: webhook rules cannot include all groups'],
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
      'error RefusedByOlmV1 csv.yaml: OLM v1 does not install the bundle: webhook "w" contains forbidden rule: admission webhook rules cannot reference API group "olm.operatorframework.io"',
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
      "error RefusedByOlmV1 again.yaml: OLM v1 does not install the bundle: bundle contains duplicate custom resource definition 'cats.pets.io'",
      'error RefusedByOlmV1 pod.yaml: OLM v1 does not install the bundle: unsupported resource "a" with kind "Pod"',
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
      'error BundleVersion csv.yaml: spec.version "1.0" is no semantic version',
      "error UnservedDefinition crd.yaml: CustomResourceDefinition cats.pets.io is written in apiextensions.k8s.io/v1beta1: OLM classic's InstallPlan fails",
      'warning DoesNotReplace csv.yaml: both bundles are called cats.v1',
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
      'error BundleServiceAccount made.yaml: the service account made is in the manifests, and the ClusterServiceVersion has one of that name: OLM classic plans it once for the manifest and once for the permissions, OLM v1 renders it twice',
      'error BundleServiceAccount used.yaml: the service account used is in the manifests, and the ClusterServiceVersion has one of that name',
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
    says: ['error ConversionWebhook csv.yaml: unable to manage conversion webhook'],
  },
  {
    when: 'a lint of the resolver, at its entry',
    files: depends({ type: 'olm.package', value: { packageName: 'b', version: '1.2.3' } }),
    says: [
      needs('olm.package.required'),
      'warning TightMaximumVersion d.yaml: the range 1.2.3 on package b allows only exact',
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
      'error UnreadableDependency d.yaml: ',
      'error UnreadableDependency d.yaml: the dependency names no version, so nothing can meet it',
      'error UnreadableDependency d.yaml: there is no dependency of type "olm.bundle"',
      'info DependenciesMetApart d.yaml: the package b and the API K may come from two operators',
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
      'info DependenciesMetApart d.yaml: the package b and the API K may come from two operators',
    ],
  },
  {
    when: 'an entry that is no entry',
    files: { ...whole, 'p.yaml': 'properties: [text, {value: 1}]' },
    says: [
      'error UnreadableDependency p.yaml: the property is no entry with a type and a value',
      'error UnreadableDependency p.yaml: the property is no entry with a type and a value',
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
      'warning UnsupportedByOlmV1 csv.yaml: OLM v1 does not install the bundle: unsupported bundle: bundle does not support AllNamespaces',
      'warning VersionNotHigher csv.yaml: version 1.0.0 is not higher than 1.0.0 of cats.v1',
      'warning DoesNotReplace csv.yaml: cats.v2 does not replace or skip cats.v1 (it replaces cats.v0)',
      'warning OwnedCrdDropped csv.yaml: cats.v1 owned CustomResourceDefinition cats.pets.io',
      'warning InstallModeDropped csv.yaml: cats.v1 supported AllNamespaces and cats.v2 does not',
    ],
  },
  {
    when: 'a field that goes, by the rules of OLM v1',
    files: { 'crd.yaml': crd({}) },
    against: { 'crd.yaml': crd() },
    options: { isWhole: false },
    says: ['error NoExistingFieldRemoved crd.yaml: '],
  },
  {
    when: 'a default that changes: refused by rule, proven to be behaviour',
    files: { 'crd.yaml': crd({ name: { type: 'string', default: 'b' } }) },
    against: { 'crd.yaml': crd({ name: { type: 'string', default: 'a' } }) },
    options: { isWhole: false, profile: 'proof' },
    says: ['info Proof crd.yaml: '],
  },
  {
    when: 'a definition that no server takes',
    files: { ...whole, 'crd.yaml': crd({ name: {} }) },
    says: ['error NotStructural crd.yaml: spec.validation.openAPIV3Schema.properties[name].type: '],
  },
  {
    when: 'a definition that older servers do not take',
    files: { ...whole, 'crd.yaml': crd({ name: { type: 'string', ...newerRule } }) },
    says: ['warning CelCompile crd.yaml: '],
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
    says: ['error CelCompile crd.yaml: '],
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
      const said = findings.map(
        ({ severity, rule, message }, index) =>
          `${severity} ${rule} ${places[index]?.file ?? ''}: ${message}`,
      );
      expect(said, said.join('\n')).to.have.lengthOf(says.length);
      says.forEach((expected, index) => {
        expect(said[index]?.slice(0, expected.length)).to.equal(expected);
      });
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
      'proof: cats.pets.io breaks no object, but changes behavior at v1 ^.name: a default is set where there was none',
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

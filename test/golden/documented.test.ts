/** What the public documents state and show, asked through the NDJSON door, one by one. */
import { expect } from 'chai';
import { isObject, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { documentedChanges, documentedDefinition } from './documented-changes.js';
import { answer } from './golden.js';

/** A version and whether it is in the range, as the documents' tables say. */
type Members = Readonly<Record<string, boolean>>;

async function outputOf(operation: string, input: JsonValue): Promise<JsonObject> {
  const { output, error } = await answer(operation, input);
  expect(error, JSON.stringify(error)).to.equal(undefined);
  return isObject(output ?? null) ? (output as JsonObject) : {};
}

describe('documented: changes of definitions', () => {
  for (const { says, change, refusal } of documentedChanges) {
    for (const profile of ['olm-v1', 'crdify', 'olm-v1.10'] as const) {
      it(`${profile}: ${says}`, async () => {
        const [old, next] = [documentedDefinition('samples'), change('samples')];
        const { verdict, output } = await answer('crd', { old, new: next, profile });
        const { allowed, findings } = verdict as { allowed: boolean; findings: JsonObject[] };
        expect(allowed, JSON.stringify(findings)).to.equal(refusal === null);
        if (refusal === null || profile !== 'olm-v1') return;
        const [first] = findings.filter(({ severity }) => severity === 'error');
        expect(first).to.include({ rule: refusal.rule });
        expect(first?.['message']).to.include(refusal.text);
        expect((output as JsonObject)['message']).to.include(refusal.text);
      });
    }
  }
});

describe('documented: version ranges', () => {
  const ofV1: [range: string, members: Members][] = [
    ['=1.11.1', { '1.11.1': true, '1.11.0': false, '1.11.2': false }],
    ['!=1.11.1', { '1.11.1': false, '1.11.2': true }],
    ['>1.11.1', { '1.11.1': false, '1.11.2': true }],
    ['<1.11.1', { '1.11.0': true, '1.11.1': false }],
    ['>=1.11.1', { '1.11.0': false, '1.11.1': true }],
    ['<=1.11.1', { '1.11.1': true, '1.11.2': false }],
    ['>=1.11.1 <1.12.0', { '1.11.0': false, '1.11.5': true, '1.12.0': false }],
    ['>=1.11.1, <1.12.0', { '1.11.0': false, '1.11.5': true, '1.12.0': false }],
    ['<1.11.0 || >=1.13.0', { '1.10.9': true, '1.12.0': false, '1.13.0': true }],
    ['1.11.x', { '1.10.9': false, '1.11.0': true, '1.11.9': true, '1.12.0': false }],
    ['>=1.12.X', { '1.11.9': false, '1.12.0': true, '2.0.0': true }],
    ['<=2.x', { '2.9.9': true, '3.0.0': false }],
    ['*', { '0.0.0': true, '9.9.9': true }],
    ['~1.11.0', { '1.10.9': false, '1.11.0': true, '1.11.9': true, '1.12.0': false }],
    ['~1', { '0.9.9': false, '1.0.0': true, '1.9.9': true, '2.0.0': false }],
    ['~1.12', { '1.11.9': false, '1.12.9': true, '1.13.0': false }],
    ['~1.12.x', { '1.11.9': false, '1.12.9': true, '1.13.0': false }],
    ['~1.x', { '0.9.9': false, '1.9.9': true, '2.0.0': false }],
    ['^0', { '0.9.9': true, '1.0.0': false }],
    ['^0.0', { '0.0.9': true, '0.1.0': false }],
    ['^0.0.3', { '0.0.2': false, '0.0.3': true, '0.0.4': false }],
    ['^0.2', { '0.1.9': false, '0.2.9': true, '0.3.0': false }],
    ['^0.2.3', { '0.2.2': false, '0.2.9': true, '0.3.0': false }],
    ['^1.2.x', { '1.1.9': false, '1.9.9': true, '2.0.0': false }],
    ['^1.2.3', { '1.2.2': false, '1.9.9': true, '2.0.0': false }],
    ['^2.x', { '1.9.9': false, '2.9.9': true, '3.0.0': false }],
    ['^2.3', { '2.2.9': false, '2.9.9': true, '3.0.0': false }],
  ];
  const ofClassic: [range: string, members: Members][] = [
    ['>=4.1.0 <4.1.2', { '4.0.9': false, '4.1.0': true, '4.1.1': true, '4.1.2': false }],
    ['0.5.2', { '0.5.1': false, '0.5.2': true }],
    ['>0.5.1', { '0.5.1': false, '0.5.2': true }],
    ['>=1.0.0 <2.0.0', { '0.9.9': false, '1.9.9': true, '2.0.0': false }],
  ];
  const dialects = { masterminds: ofV1, blang: ofClassic };
  for (const [dialect, ranges] of Object.entries(dialects)) {
    for (const [range, members] of ranges) {
      it(`${dialect} ${range}`, async () => {
        for (const [version, isMember] of Object.entries(members)) {
          const output = await outputOf('range', { dialect, constraint: range, version });
          expect(output['result'], version).to.equal(isMember);
        }
      });
    }
  }
});

describe('documented: file-based catalogs', () => {
  const name = 'example-operator.v0.1.0';
  const packageBlob = {
    schema: 'olm.package',
    name: 'example-operator',
    defaultChannel: 'stable',
  };
  const channel = {
    schema: 'olm.channel',
    package: 'example-operator',
    name: 'stable',
    entries: [{ name }],
  };
  const ofPackage = { packageName: 'example-operator', version: '0.1.0' };
  const property = { type: 'olm.package', value: ofPackage };
  const bundle = {
    schema: 'olm.bundle',
    package: 'example-operator',
    name,
    image: 'quay.io/example/operator:v0.1.0',
    properties: [property],
  };
  const withProperties = (...properties: JsonValue[]): JsonObject[] => [
    packageBlob,
    channel,
    { ...bundle, properties: [property, ...properties] },
  ];
  const deprecations = (...entries: JsonObject[]): JsonObject[] => [
    packageBlob,
    channel,
    bundle,
    { schema: 'olm.deprecations', package: 'example-operator', entries },
  ];
  const inPackage = { schema: 'olm.package' };
  const inChannel = { schema: 'olm.channel', name: 'stable' };
  const inBundle = { schema: 'olm.bundle', name };

  /** What is refused, or warned about (`warns`); null for a catalog without a word against it. */
  const rows: [says: string, blobs: JsonObject[], expected: RegExp | null][] = [
    ['a package, a channel and a bundle are a catalog', [packageBlob, channel, bundle], null],
    ['schema is required', [{ package: 'x' }], /missing root schema field/],
    ['schema is text', [{ schema: 1 }], /expected value for key \\"schema\\" to be a string/],
    ['schema is not empty', [{ schema: '' }], /missing root schema field/],
    ['package is not empty', [{ schema: 'my.own', package: '' }], /package is empty/],
    ['properties is a list', [{ schema: 'my.own', properties: {} }], /properties is no list/],
    ['a property has a type', withProperties({ value: 1 }), /properties\[1\] has no type/],
    ['the type of a property is not empty', withProperties({ type: '', value: 1 }), /type is empty/],
    ['a property has a value', withProperties({ type: 'color' }), /parse property\[1\] of type \\"c(olor)?\\": unexpected end of JSON input/],
    ['the value of a property is not null', withProperties({ type: 'color', value: null }), /value is null/],
    ['a property is a type and a value', withProperties({ type: 'olm.constraint', value: { failureMessage: 'm' }, not: { constraints: [] } }), /not stands beside value, where nothing is read; indent to stand below value/],
    ['a prefix is reserved for OLM', [{ schema: 'olm.mine' }], /olm\.\* is reserved/],
    ['a package stands once', [packageBlob, packageBlob, channel, bundle], /duplicate package/],
    ['a channel is wanted', [packageBlob, bundle], /not found in any channel entries/],
    ['a bundle is wanted', [packageBlob, channel], /no olm\.bundle blobs found/],
    ['a package has a name', [{ ...packageBlob, name: '' }, channel, bundle], /contains package with no name/],
    ['a default channel is wanted', [{ ...packageBlob, defaultChannel: '' }, channel, bundle], /default channel must be set/],
    ['a channel has a package', [packageBlob, { ...channel, package: '' }, bundle], /unknown package \\"\\" for channel/],
    ['a channel has a name', [packageBlob, { ...channel, name: '' }, bundle], /contains channel with no name/],
    ['a channel has entries', [packageBlob, { ...channel, entries: [] }, bundle], /not found in any channel entries/],
    ['a channel stands once', [packageBlob, channel, channel, bundle], /has duplicate channel/],
    ['replaces may lead outside', [packageBlob, { ...channel, entries: [{ name, replaces: 'example-operator.v0.0.9' }] }, bundle], null],
    ['a channel has one head', [
      packageBlob,
      { ...channel, entries: [{ name }, { name: 'example-operator.v0.2.0' }] },
      bundle,
      {
        ...bundle,
        name: 'example-operator.v0.2.0',
        properties: [{ type: 'olm.package', value: { ...ofPackage, version: '0.2.0' } }],
      },
    ], /multiple channel heads found in graph/],
    ['skipRange is a range', [packageBlob, { ...channel, entries: [{ name, skipRange: '^x' }] }, bundle], /invalid skipRange \\"\^x\\"/],
    ['a bundle has a name', [packageBlob, channel, { ...bundle, name: '' }], /bundle \\"\\" not found in any channel entries/],
    ['a bundle has an image', [packageBlob, channel, { ...bundle, image: '' }], /bundle image must be set/],
    ['a related image has an image', [packageBlob, channel, { ...bundle, relatedImages: [{ name: 'db' }] }], /has no image/],
    ['deprecations of a package, a channel and a bundle', deprecations(
      { reference: inPackage, message: 'm' },
      { reference: inChannel, message: 'm' },
      { reference: inBundle, message: 'm' },
    ), null],
    ['deprecations have a package', [{ schema: 'olm.deprecations', entries: [] }], /package name must be set for deprecation item 0/],
    ['deprecations have no name', [packageBlob, channel, bundle, { schema: 'olm.deprecations', package: 'example-operator', name: 'x', entries: [] }], /a deprecation has no name/],
    ['a reference to a package has no name', deprecations({ reference: { ...inPackage, name: 'x' }, message: 'm' }), /package name must be empty for deprecated package/],
    ['a deprecation has a message', deprecations({ reference: inPackage, message: '' }), /message must be set/],
    ['a reference to a channel has a name', deprecations({ reference: { schema: 'olm.channel' }, message: 'm' }), /cannot deprecate channel \\"\\"/],
    ['a reference to a bundle has a name', deprecations({ reference: { schema: 'olm.bundle' }, message: 'm' }), /cannot deprecate bundle \\"\\"/],
    ['a bundle has one olm.package', withProperties(property), /must have exactly 1 \\"olm\.package\\" property/],
    ['a GVK has a group that is a DNS name', withProperties({ type: 'olm.gvk', value: { group: 'A_b', version: 'v1', kind: 'Kind' } }), /no DNS name/],
    ['a required package has a range', withProperties({ type: 'olm.package.required', value: { packageName: 'other', versionRange: '^1' } }), /OLM cannot read the range/],
    ['a required GVK has a group that is a DNS name', withProperties({ type: 'olm.gvk.required', value: { group: 'A_b', version: 'v1', kind: 'Kind' } }), /no DNS name/],
  ]; // prettier-ignore
  for (const [says, blobs, expected] of rows) {
    it(says, async () => {
      const content = blobs.map((blob) => JSON.stringify(blob)).join('\n');
      const said = await answer('catalog', { files: { 'catalog.json': content } });
      const { verdict, output } = said as { verdict: JsonObject; output: JsonObject };
      const text = JSON.stringify([verdict['findings'], output]);
      if (expected === null) {
        expect(output['ok'], text).to.equal(true);
        expect(verdict['findings']).to.deep.equal([]);
      } else {
        expect(text).to.match(expected);
      }
    });
  }
});

describe('documented: image templates of a CatalogSource', () => {
  const template = 'quay.io/kube-sa/operator:v{kube_major_version}.{kube_minor_version}';
  const rows: [says: string, input: JsonObject, expected: JsonObject][] = [
    [
      'Kubernetes 1.25 names the image of 1.25',
      { template, gitVersion: 'v1.25.4' },
      { specImage: 'quay.io/kube-sa/operator:v1.25' },
    ],
    [
      'the template goes before spec.image',
      { template, gitVersion: 'v1.25.4', specImage: 'quay.io/other:v1' },
      { specImage: 'quay.io/kube-sa/operator:v1.25' },
    ],
    [
      'without a version spec.image stays',
      { template, gitVersion: '', specImage: 'quay.io/other:v1' },
      { specImage: 'quay.io/other:v1' },
    ],
  ];
  for (const [says, input, expected] of rows) {
    it(says, async () => {
      const output = await outputOf('image-template', input);
      expect(output).to.include(expected);
    });
  }
});

describe('documented: updates of OLM classic', () => {
  const channel = (entries: JsonObject[]): JsonObject => ({
    package: 'etcd',
    channel: 'alpha',
    channels: [{ schema: 'olm.channel', name: 'alpha', package: 'etcd', entries }],
  });
  const chain = ['0.1.1', '0.1.2', '0.1.3'].map((version, index, all) => ({
    name: `etcd.v${version}`,
    ...(index === 0 ? {} : { replaces: `etcd.v${all[index - 1]}` }),
  }));
  const skips = [
    { name: 'etcd.v0.9.0' },
    { name: 'etcd.v0.9.1', replaces: 'etcd.v0.9.0' },
    { name: 'etcd.v0.9.2', replaces: 'etcd.v0.9.0', skips: ['etcd.v0.9.1'] },
  ];
  const elasticsearch = [{ name: 'es.v4.1.2', skipRange: '>=4.1.0 <4.1.2' }];
  const zStream = [
    { name: 'etcd.v1.0.2', replaces: 'etcd.v0.9.0', skips: ['etcd.v1.0.0', 'etcd.v1.0.1'] },
  ];
  const rows: [
    says: string,
    entries: JsonObject[],
    installed: string | undefined,
    path: string[],
  ][] = [
    ['0.1.1 goes to 0.1.2 and on to 0.1.3', chain, 'etcd.v0.1.1', ['etcd.v0.1.2', 'etcd.v0.1.3']],
    ['a first install takes the head of the channel', chain, undefined, ['etcd.v0.1.3']],
    ['a skipped release is passed over from below', skips, 'etcd.v0.9.0', ['etcd.v0.9.2']],
    ['a skipped release is left', skips, 'etcd.v0.9.1', ['etcd.v0.9.2']],
    ['skipRange leads from every release in it', elasticsearch, 'es.v4.1.0', ['es.v4.1.2']],
    ['a z-stream release that is only skipped is left', zStream, 'etcd.v1.0.1', ['etcd.v1.0.2']],
  ];
  for (const [says, entries, installed, path] of rows) {
    it(says, async () => {
      const version = installed?.split('.v')[1];
      const input = {
        ...channel(entries),
        ...(installed === undefined
          ? {}
          : { installed: { name: installed, version: version ?? '' } }),
      };
      const output = await outputOf('upgrade-classic', input);
      expect(output['path'], JSON.stringify(output)).to.deep.equal(path);
    });
  }
});

describe('documented: providedAPIs of OperatorGroups', () => {
  const [own, other] = ['A.v1.example.com', 'B.v1.example.com'];
  const group = (providedAPIs: string | null, more: JsonObject = {}): JsonObject => ({
    name: 'g',
    namespace: 'ns1',
    statusNamespaces: ['ns1'],
    providedAPIs,
    ...more,
  });
  const shared = { ...group(own), name: 'h', namespace: 'ns2' };
  const isStatic = { staticProvidedAPIs: true };
  const rows: [says: string, csvGroup: JsonObject, others: JsonObject[], expected: JsonObject][] = [
    ['no intersection and a subset goes on', group(own), [], { action: 'continue' }],
    [
      'no intersection and no subset is added',
      group(other),
      [],
      { action: 'setAnnotation', annotation: `${own},${other}` },
    ],
    [
      'no intersection and no subset fails for a static group',
      group(other, isStatic),
      [],
      { action: 'fail', reason: 'CannotModifyStaticOperatorGroupProvidedAPIs' },
    ],
    [
      'an intersection and no subset is a conflict of owners',
      group(other),
      [shared],
      { action: 'fail', reason: 'InterOperatorGroupOwnerConflict' },
    ],
    [
      'an intersection and a subset is taken away',
      group(`${own},${other}`),
      [shared],
      { action: 'setAnnotation', annotation: other },
    ],
    [
      'an intersection and a subset fails for a static group',
      group(`${own},${other}`, isStatic),
      [shared],
      { action: 'fail', reason: 'CannotModifyStaticOperatorGroupProvidedAPIs' },
    ],
    [
      'the own namespace of another group counts whatever it targets',
      group(null, { statusNamespaces: ['ns2'] }),
      [{ ...shared, statusNamespaces: ['ns9'] }],
      { action: 'fail', reason: 'InterOperatorGroupOwnerConflict' },
    ],
  ];
  for (const [says, csvGroup, otherGroups, expected] of rows) {
    it(says, async () => {
      const providedAPIs = [{ group: 'example.com', version: 'v1', kind: 'A' }];
      const csv = { name: 'op.v1.0.0', namespace: 'ns1', providedAPIs };
      const output = await outputOf('operatorgroup-intersection', { csvGroup, otherGroups, csv });
      expect(output).to.include(expected);
    });
  }
});

describe('documented: limits of the cluster’s version', () => {
  const limited = { type: 'olm.maxOpenShiftVersion', value: '4.18' };
  for (const cluster of ['4.18.0', '4.18.0-rc1', '4.18.5']) {
    it(`olm.maxOpenShiftVersion 4.18 blocks ${cluster}`, async () => {
      const olmProperties = JSON.stringify([limited]);
      const output = await outputOf('cluster-compatibility', { cluster, olmProperties });
      expect(output).to.include({ nextMinor: '4.19', blocksUpgrade: true });
    });
  }

  it('what cannot be read of olm.properties is said in the words of OLM', async () => {
    for (const [olmProperties, words] of [
      ['oops', "invalid character 'o' looking for beginning of value"],
      ['{}', 'json: cannot unmarshal object into Go value of type []property.Property'],
    ]) {
      const { verdict, output } = await answer('cluster-compatibility', {
        cluster: '4.18.0',
        olmProperties: olmProperties ?? '',
      });
      const problem = `failed to unmarshal properties annotation: ${words}`;
      expect(output).to.deep.include({ errors: [problem] });
      const [finding] = (verdict as { findings: { message: string }[] }).findings;
      expect(finding?.message).to.equal(`could not convert olm.properties: ${problem}`);
    }
  });
});

describe('documented: bundles', () => {
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: 'example.v1.0.0' },
    spec: { version: '1.0.0', installModes: [{ type: 'AllNamespaces', supported: true }] },
  };
  const rulesOf = async (more: Record<string, string>): Promise<string[]> => {
    const files = { 'manifests/csv.yaml': JSON.stringify(csv), ...more };
    const { verdict } = await answer('bundle', { files });
    return (verdict as { findings: { rule: string }[] }).findings.map(({ rule }) => rule);
  };

  it('dependencies.yaml with a package and an API is read', async () => {
    const dependencies = `dependencies:
  - type: olm.package
    value:
      packageName: prometheus
      version: ">0.27.0"
  - type: olm.gvk
    value:
      group: etcd.database.coreos.com
      kind: EtcdCluster
      version: v1beta2
`;
    const read = await rulesOf({ 'metadata/dependencies.yaml': dependencies });
    expect(read).to.not.include('UnreadableDependency');
    const wrong = dependencies.replace('version: ">0.27.0"', 'range: x');
    const refused = await rulesOf({ 'metadata/dependencies.yaml': wrong });
    expect(refused).to.include('UnreadableDependency');
  });

  it('properties.yaml with olm.kubeversion is read', async () => {
    const properties =
      'properties:\n  - type: olm.kubeversion\n    value:\n      version: "1.16.0"\n';
    const read = await rulesOf({ 'metadata/properties.yaml': properties });
    expect(read).to.not.include('UnreadableDependency');
    const wrong = properties.replace('  - type: olm.kubeversion\n', '  - kind: olm.kubeversion\n');
    const refused = await rulesOf({ 'metadata/properties.yaml': wrong });
    expect(refused).to.include('UnreadableDependency');
  });
});

describe('documented: catalogs in folders', () => {
  const content = (...blobs: JsonObject[]): string =>
    blobs.map((blob) => JSON.stringify(blob)).join('\n');
  const whole = (name: string): JsonObject[] => [
    { schema: 'olm.package', name, defaultChannel: 'stable' },
    { schema: 'olm.channel', package: name, name: 'stable', entries: [{ name: `${name}.v1.0.0` }] },
    {
      schema: 'olm.bundle',
      package: name,
      name: `${name}.v1.0.0`,
      image: 'i:v1',
      properties: [{ type: 'olm.package', value: { packageName: name, version: '1.0.0' } }],
    },
  ];
  const deprecations = {
    schema: 'olm.deprecations',
    package: 'b',
    entries: [{ reference: { schema: 'olm.package' }, message: 'use a' }],
  };
  const index = (name: string): string =>
    `---\nschema: olm.package\nname: ${name}\ndefaultChannel: stable\n`;
  const rows: [says: string, files: Record<string, string>, expected: JsonObject][] = [
    [
      'two catalogs side by side are one',
      { 'a/catalog.json': content(...whole('a')), 'b/catalog.json': content(...whole('b')) },
      { ok: true },
    ],
    [
      'index.yaml, index.json and deprecations.yaml are read',
      {
        'a/index.yaml': `${index('a')}${content(...whole('a').slice(1))
          .split('\n')
          .map((blob) => `---\n${blob}`)
          .join('\n')}\n`,
        'b/index.json': content(...whole('b')),
        'b/deprecations.yaml': `---\n${JSON.stringify(deprecations)}\n`,
      },
      { ok: true, filesRead: ['a/index.yaml', 'b/deprecations.yaml', 'b/index.json'] },
    ],
    [
      'a file that cannot be read fails the whole',
      { 'a/catalog.json': content(...whole('a')), 'b/README.md': '# no catalog' },
      { ok: false, stage: 'load' },
    ],
    [
      '.indexignore leaves out README.md and *.txt',
      {
        '.indexignore': '# comment\n**/README.md\n*.txt\n',
        'a/catalog.json': content(...whole('a')),
        'a/README.md': '# a',
        'notes.txt': 'none',
      },
      { ok: true, filesRead: ['a/catalog.json'] },
    ],
    [
      'the same bundle in two files is a duplicate',
      { 'a/catalog.json': content(...whole('a')), 'a/more.json': content(...whole('a').slice(2)) },
      { ok: false },
    ],
  ];
  for (const [says, files, expected] of rows) {
    it(says, async () => {
      const { ok, stage, filesRead } = await outputOf('catalog', { files });
      expect({ ok, stage, filesRead: (filesRead as string[] | undefined)?.sort() }).to.deep.include(
        expected,
      );
    });
  }
});

describe('documented: resolution', () => {
  const bundle = (name: string, version: string, ...properties: JsonObject[]): JsonObject => ({
    name: `${name}.v${version}`,
    version,
    properties: [{ type: 'olm.package', value: { packageName: name, version } }, ...properties],
  });
  const packageOf = (
    name: string,
    channels: Record<string, string[]>,
    bundles: JsonObject[],
    defaultChannel = 'stable',
  ): JsonObject => ({
    name,
    defaultChannel,
    channels: Object.entries(channels).map(([channel, versions]) => ({
      name: channel,
      entries: versions.map((version, index) => ({
        name: `${name}.v${version}`,
        ...(index === 0 ? {} : { replaces: `${name}.v${versions[index - 1]}` }),
      })),
    })),
    bundles,
  });
  const needs = (packageName: string): JsonObject => ({
    type: 'olm.package.required',
    value: { packageName, versionRange: '>=1.0.0' },
  });
  const operator = packageOf('a', { stable: ['1.0.0'] }, [bundle('a', '1.0.0', needs('b'))]);
  const only = (...versions: string[]): JsonObject =>
    packageOf(
      'b',
      { stable: versions },
      versions.map((version) => bundle('b', version)),
    );
  const catalog = (name: string, packages: JsonObject[], priority = 0): JsonObject => ({
    name,
    namespace: 'olm',
    priority,
    packages,
  });
  /** A namespace in which nothing runs, and a Subscription to `a` of the catalog `own`. */
  const subscribed = (catalogs: JsonObject[]): JsonObject => ({
    namespace: 'ns1',
    globalCatalogNamespace: 'olm',
    operatorGroups: [{ name: 'og', namespace: 'ns1' }],
    subscriptions: [
      {
        name: 'a',
        namespace: 'ns1',
        package: 'a',
        channel: 'stable',
        catalog: 'own',
        catalogNamespace: 'olm',
      },
    ],
    installedCSVs: [],
    catalogs,
  });
  const rows: [says: string, catalogs: JsonObject[], chosen: string][] = [
    [
      'a dependency comes from the catalog of the operator before others',
      [catalog('own', [operator, only('1.0.0')]), catalog('other', [only('2.0.0')], 10)],
      'b.v1.0.0',
    ],
    [
      'a dependency comes from the catalog with the higher priority',
      [
        catalog('own', [operator]),
        catalog('high', [only('1.5.0')], 10),
        catalog('low', [only('2.0.0')]),
      ],
      'b.v1.5.0',
    ],
    [
      'a dependency comes from the default channel of its package',
      [
        catalog('own', [
          operator,
          packageOf('b', { alpha: ['2.0.0'], stable: ['1.0.0'] }, [
            bundle('b', '1.0.0'),
            bundle('b', '2.0.0'),
          ]),
        ]),
      ],
      'b.v1.0.0',
    ],
    [
      'the head of the channel goes before what it replaces',
      [catalog('own', [operator, only('1.0.0', '1.1.0')])],
      'b.v1.1.0',
    ],
  ];
  for (const [says, catalogs, chosen] of rows) {
    it(says, async () => {
      const output = await outputOf('resolve', subscribed(catalogs));
      expect(output['ok'], JSON.stringify(output)).to.equal(true);
      const plan = (output['installPlan'] as JsonObject[]).map(({ name }) => name);
      expect(plan).to.have.members(['a.v1.0.0', chosen]);
    });
  }

  it('an operator whose required API nobody provides is not installed', async () => {
    const required = {
      type: 'olm.gvk.required',
      value: { group: 'g.io', version: 'v1', kind: 'K' },
    };
    const own = packageOf('a', { stable: ['1.0.0'] }, [bundle('a', '1.0.0', required)]);
    const { ok, error } = await outputOf('resolve', subscribed([catalog('own', [own])]));
    expect(ok).to.equal(false);
    expect(error).to.match(/g\.io/);
  });
});

describe('documented: definitions of OLM classic', () => {
  const definition = (schema: JsonObject): JsonObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { size: schema } } },
        },
      ],
    },
    status: { storedVersions: ['v1'] },
  });
  const current = definition({ type: 'integer' });
  const next = definition({ type: 'integer', maximum: 3 });
  const stored = (size: number): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'ns1' },
    size,
  });
  for (const [says, size, allowed] of [
    ['existing objects have to be valid against the new definition', 5, false],
    ['a definition that takes what is stored is upgraded', 3, true],
  ] as const) {
    it(says, async () => {
      const input = { currentCRD: current, newCRD: next, crsByVersion: { v1: [stored(size)] } };
      const output = await outputOf('crd-classic', input);
      expect(output['allowed'], JSON.stringify(output)).to.equal(allowed);
    });
  }

  it('every served version has to be in the new definition', async () => {
    const versionOf = (name: string, storage: boolean): JsonObject => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object' } },
    });
    const withVersions = (...names: string[]): JsonObject => ({
      ...current,
      spec: {
        ...(current['spec'] as JsonObject),
        versions: names.map((name) => versionOf(name, name === 'v1')),
      },
    });
    const [old, served] = [withVersions('v1alpha1', 'v1'), withVersions('v1')];
    const told = async (operation: string, input: JsonObject): Promise<JsonValue[]> => {
      const { verdict } = await answer(operation, input);
      const { allowed, findings } = verdict as {
        allowed: boolean;
        findings: { rule: string; severity: string }[];
      };
      return [allowed, ...findings.map(({ rule, severity }) => `${severity} ${rule}`)];
    };
    // Whoever applies an unchanged manifest of that version is refused too.
    const applied = 'warning AppliedVersionRemoved';
    const warned = [true, 'warning ServedVersionRemoved', applied];
    expect(await told('crd', { old, new: served })).to.include.members(warned);
    const ofPlan = { currentCRD: old, newCRD: served, crsByVersion: {} };
    expect(await told('crd-classic', ofPlan)).to.deep.equal(warned);
    const ofOne = { ...ofPlan, owners: ['a.v1'] };
    expect(await told('crd-classic', ofOne)).to.deep.equal(warned);
    const ofTwo = { ...ofPlan, owners: ['a.v1', 'b.v1'] };
    expect(await told('crd-classic', ofTwo)).to.deep.equal([
      false,
      'error ServedVersionRemoved',
      applied,
    ]);
    const kept = { ...ofTwo, newCRD: withVersions('v1alpha1', 'v1') };
    expect(await told('crd-classic', kept)).to.deep.equal([true]);
    expect((await answer('crd-classic', ofTwo))['output']).to.include({ allowed: false });
  });
});

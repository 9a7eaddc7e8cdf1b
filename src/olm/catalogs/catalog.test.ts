import { expect } from 'chai';
import { catalogFindings } from '../rules/catalog/findings.js';
import { catalogHeads, validateCatalog } from './validate.js';
import { loadCatalog } from './load.js';

const item = '{"schema":"olm.package","name":"a","defaultChannel":"stable"}';
const channel = (entries: unknown[], name = 'stable'): string =>
  JSON.stringify({ schema: 'olm.channel', package: 'a', name, entries });
const bundle = (version: string, more: object = {}, properties: object[] = []): string =>
  JSON.stringify({
    schema: 'olm.bundle',
    package: 'a',
    name: `a.v${version}`,
    image: 'quay.io/x/a:v1',
    properties: [{ type: 'olm.package', value: { packageName: 'a', version } }, ...properties],
    ...more,
  });
const chain = [{ name: 'a.v1.0.0' }, { name: 'a.v1.1.0', replaces: 'a.v1.0.0' }];
const whole = [item, channel(chain), bundle('1.0.0'), bundle('1.1.0')];

const judge = (objects: string[]): string => {
  const loaded = loadCatalog([{ path: 'c.json', content: objects.join('\n') }]);
  if (loaded.error !== undefined) return `load: ${loaded.error.message}`;
  return validateCatalog(loaded.catalog).error ?? 'valid';
};

describe('catalogs', () => {
  const rows: { rule: string; objects: string[]; says: string | RegExp }[] = [
    { rule: 'a chain is valid', objects: whole, says: 'valid' },
    { rule: 'nothing is valid', objects: [], says: 'valid' },
    {
      rule: 'no schema',
      objects: ['{"a":1}'],
      says: 'load: object \'{"a":1}\n\' is missing root schema field',
    },
    {
      rule: 'keys that differ in case only',
      objects: ['{"schema":"x","Schema":"x"}'],
      says: 'load: duplicate keys for key "schema": [Schema schema]',
    },
    {
      rule: 'a schema that is no text',
      objects: ['{"schema":true}'],
      says: /^load: expected value for key "schema" to be a string, got true: true$/,
    },
    {
      rule: 'a manifest that is no YAML',
      objects: [bundle('1.0.0', {}, [{ type: 'olm.bundle.object', value: { data: 'YTogWw==' } }])],
      says: /^load: read bundle objects: package "a", bundle "a\.v1\.0\.0": convert bundle object property at index 1/,
    },
    { rule: 'duplicate packages', objects: [item, item], says: 'duplicate package "a"' },
    {
      rule: 'a package named with a dot',
      objects: [item.replace('"a"', '"a.b"')],
      says: 'invalid package name "a.b": [must not contain dots]',
    },
    {
      rule: 'a bundle in no channel',
      objects: [...whole, bundle('2.0.0')],
      says: 'package "a", bundle "a.v2.0.0" not found in any channel entries',
    },
    {
      rule: 'an entry without a bundle',
      objects: whole.slice(0, 3),
      says: 'no olm.bundle blobs found in package "a" for olm.channel entries [a.v1.1.0]',
    },
    {
      rule: 'two heads',
      objects: [
        item,
        channel([{ name: 'a.v1.0.0' }, { name: 'a.v1.1.0' }]),
        bundle('1.0.0'),
        bundle('1.1.0'),
      ],
      says: 'invalid index:\n└── invalid package "a":\n    └── invalid channel "stable":\n        └── multiple channel heads found in graph: a.v1.0.0, a.v1.1.0',
    },
    {
      rule: 'a default channel that is not there',
      objects: [item.replace('stable', 'nope'), ...whole.slice(1)],
      says: /invalid channel "nope":\n.*channel must contain at least one bundle$/,
    },
    {
      rule: 'the same version twice',
      objects: [item, channel(chain), bundle('1.0.0'), bundle('1.0.0', { name: 'a.v1.1.0' })],
      says: /duplicate versions found in bundles: \[\{1\.0\.0: \[a\.v1\.0\.0, a\.v1\.1\.0\]\}\]$/,
    },
    {
      rule: 'a deprecation of nothing',
      objects: [
        ...whole,
        '{"schema":"olm.deprecations","package":"a","entries":[{"reference":{"schema":"olm.channel","name":"x"},"message":"m"}]}',
      ],
      says: 'cannot deprecate channel "x" for package "a": channel not found',
    },
  ];
  for (const { rule, objects, says } of rows) {
    it(rule, () => {
      if (typeof says === 'string') expect(judge(objects)).to.equal(says);
      else expect(judge(objects)).to.match(says);
    });
  }

  it('names file and line of each complaint', () => {
    const loaded = loadCatalog([
      { path: 'b/channel.yaml', content: '---\nschema: olm.channel\npackage: a\nname: empty\n' },
      { path: 'a.json', content: whole.join('\n') },
    ]);
    const [finding] = catalogFindings(loaded, validateCatalog(loaded.catalog));
    expect(finding).to.include({ rule: 'CatalogValid', severity: 'error' });
    expect(finding?.place).to.deep.equal({ file: 'b/channel.yaml', line: 1 });
    expect(finding?.message).to.equal(
      'package "a": channel "empty": channel must contain at least one bundle',
    );
  });

  it('finds the head of each channel', () => {
    const { catalog } = loadCatalog([{ path: 'c', content: whole.join('') }]);
    const { model } = validateCatalog(catalog);
    expect([...catalogHeads(model ?? new Map())]).to.deep.equal([['a/stable', 'a.v1.1.0']]);
  });

  it('keeps only what a graph needs when asked', () => {
    const data = Buffer.from('{"kind":"X"}').toString('base64');
    const content = bundle('1.0.0', {}, [{ type: 'olm.bundle.object', value: { data } }]);
    const [kept] = loadCatalog([{ path: 'c', content }], { keep: 'graph' }).catalog.bundles;
    expect(kept?.properties[1]).to.deep.equal({ type: 'olm.bundle.object', value: undefined });
    expect(kept?.objectCount).to.equal(1);
  });

  it('walks folders before their neighbours with longer names', () => {
    const paths = ['a.yaml', 'a/z', 'a/b/c', 'b'];
    const files = paths.map((path) => ({ path, content: '{"schema":"x"}' }));
    expect(loadCatalog(files).filesRead).to.deep.equal(['a/b/c', 'a/z', 'a.yaml', 'b']);
  });
});

describe('warnings about catalogs', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64');
  const rows: {
    rule: string;
    objects: string[];
    /** A message of the rule, or a pattern where it has none of its own. */
    message: { readonly id: string; readonly data: object } | RegExp | undefined;
  }[] = [
    { rule: 'none for a sound catalog', objects: whole, message: undefined },
    ...(
      [
        [{ schema: 'x.y/z', package: '' }, 'package is empty'],
        [{ schema: 'x.y/z', name: 'n', properties: {} }, 'properties is no list'],
        [{ schema: 'x.y/z', properties: ['a'] }, 'properties[0] has no type and no value'],
        [{ schema: 'x.y/z', properties: [{ type: 'a' }] }, 'properties[0] has no value'],
        [{ schema: 'x.y/z', properties: [{ value: 1 }] }, 'properties[0] has no type'],
      ] as const
    ).map(([blob, problem]) => ({
      rule: 'CatalogBlobSchema',
      objects: [JSON.stringify(blob)],
      message:
        'name' in blob
          ? { id: 'named', data: { schema: 'x.y/z', name: 'n', problem } }
          : { id: 'unnamed', data: { schema: 'x.y/z', name: '', problem } },
    })),
    {
      rule: 'CatalogBlobSchema',
      objects: [bundle('1.0.0', {}, [{ type: '', value: 1 }])],
      message: {
        id: 'named',
        data: { schema: 'olm.bundle', name: 'a.v1.0.0', problem: 'properties[1].type is empty' },
      },
    },
    {
      rule: 'CatalogBlobSchema',
      objects: [bundle('1.0.0', {}, [{ type: 'color', value: null }])],
      message: {
        id: 'named',
        data: { schema: 'olm.bundle', name: 'a.v1.0.0', problem: 'properties[1].value is null' },
      },
    },
    {
      rule: 'CatalogBlobSchema',
      objects: [bundle('1.0.0', { relatedImages: [{ name: 'db' }] })],
      message: {
        id: 'named',
        data: {
          schema: 'olm.bundle',
          name: 'a.v1.0.0',
          problem: 'relatedImages[0] "db" has no image',
        },
      },
    },
    {
      rule: 'CatalogBlobSchema',
      objects: ['{"schema":"olm.deprecations","package":"a","name":"b","entries":[]}'],
      message: {
        id: 'named',
        data: {
          schema: 'olm.deprecations',
          name: 'b',
          problem: 'a deprecation has no name: it belongs to its package',
        },
      },
    },
    {
      rule: 'CatalogReservedSchema',
      objects: ['{"schema":"olm.mine"}'],
      message: { id: 'reserved', data: { schema: 'olm.mine' } },
    },
    {
      rule: 'UnreadableConstraint',
      objects: [
        bundle('1.0.0', {}, [
          {
            type: 'olm.constraint',
            value: {
              all: { constraints: [{ package: { name: 'blue', versionRange: '>=1.0.0' } }] },
            },
          },
        ]),
      ],
      message:
        /^bundle "a\.v1\.0\.0", properties\[1\]: OLM cannot read the constraint: .*unknown field "name"$/,
    },
    {
      rule: 'UnknownCelVariable',
      objects: [
        bundle('1.0.0', {}, [
          { type: 'olm.constraint', value: { cel: { rule: 'cluster.version == "4.12"' } } },
        ]),
      ],
      message: /the CEL rule names cluster, which OLM does not know/,
    },
    {
      rule: 'CatalogGvk',
      objects: [
        bundle('1.0.0', {}, [
          { type: 'olm.gvk', value: { group: 'A_b', version: 'v1', kind: 'K' } },
        ]),
      ],
      message: {
        id: 'group',
        data: { bundle: 'a.v1.0.0', index: 1, type: 'olm.gvk', value: 'A_b' },
      },
    },
    {
      rule: 'CatalogRequiredPackage',
      objects: [
        bundle('1.0.0', {}, [
          { type: 'olm.package.required', value: { packageName: 'b', versionRange: '^1.0.0' } },
        ]),
      ],
      message: {
        id: 'unreadable',
        data: { bundle: 'a.v1.0.0', index: 1, type: 'olm.package.required', range: '^1.0.0' },
      },
    },
    {
      rule: 'CatalogIcon',
      objects: [
        JSON.stringify({
          schema: 'olm.package',
          name: 'a',
          defaultChannel: 'b',
          icon: { base64data: png, mediatype: 'image/svg+xml' },
        }),
      ],
      message: { id: 'invalid', data: { package: 'a' } },
    },
    {
      rule: 'CatalogSkipRangeCoversItself',
      objects: [channel([{ name: 'a.v1.0.0', skipRange: '<=1.0.0' }]), bundle('1.0.0')],
      message: { id: 'covers', data: { package: 'a', name: 'a.v1.0.0', range: '<=1.0.0' } },
    },
    {
      rule: 'CatalogSkippedByRange',
      objects: [
        channel([
          { name: 'a.v1.0.0', skipRange: '>1.0.0' },
          { name: 'a.v1.1.0', replaces: 'a.v1.0.0' },
        ]),
        bundle('1.0.0'),
        bundle('1.1.0'),
      ],
      message: { id: 'covers', data: { package: 'a', name: 'a.v1.0.0', above: 'a.v1.1.0' } },
    },
    {
      rule: 'CatalogSkipped',
      objects: [channel([{ name: 'a.v1.0.0' }, { name: 'a.v1.1.0', skips: ['a.v1.0.0'] }])],
      message: { id: 'skipped', data: { package: 'a', names: ['a.v1.0.0'] } },
    },
    {
      rule: 'CatalogRequirementUnmet',
      objects: ['>=1.0.0', '>=9.0.0'].map((versionRange, index) =>
        bundle(`1.${index}.0`, {}, [
          { type: 'olm.package.required', value: { packageName: 'a', versionRange } },
        ]),
      ),
      message: {
        id: 'unmet',
        data: { requirement: 'package a >=9.0.0', bundles: 'a.v1.1.0' },
      },
    },
    {
      rule: 'CatalogRequirementUnmet',
      objects: [
        bundle('1.0.0', {}, [
          { type: 'olm.gvk', value: { group: 'b', version: 'v1', kind: 'B' } },
          { type: 'olm.gvk.required', value: { group: 'b', version: 'v1', kind: 'B' } },
          { type: 'olm.gvk.required', value: { group: 'b', version: 'v1', kind: 'C' } },
        ]),
      ],
      message: { id: 'unmet', data: { requirement: 'b/v1, Kind=C', bundles: 'a.v1.0.0' } },
    },
    {
      rule: 'CatalogHeadUnlinked',
      objects: [
        channel([{ name: 'a.v1.0.0' }, { name: 'a.v1.1.0', replaces: 'v1.0.0' }]),
        bundle('1.0.0'),
        bundle('1.1.0'),
      ],
      message: { id: 'unknown', data: { head: 'a.v1.1.0', older: 'a.v1.0.0', replaces: 'v1.0.0' } },
    },
    {
      rule: 'CatalogHeadUnlinked',
      objects: [
        channel([{ name: 'a.v1.1.0', skipRange: '<1.1.0' }, { name: 'a.v1.0.0' }]),
        bundle('1.0.0'),
        bundle('1.1.0'),
      ],
      message: { id: 'range', data: { head: 'a.v1.1.0', older: 'a.v1.0.0' } },
    },
    {
      rule: 'CatalogHeadUnlinked',
      objects: [
        channel([{ name: 'a.v1.0.0' }, { name: 'a.v1.1.0' }]),
        bundle('1.0.0'),
        bundle('1.1.0'),
      ],
      message: { id: 'none', data: { head: 'a.v1.1.0', older: 'a.v1.0.0' } },
    },
    {
      rule: 'UnreadableOpenShiftLimit',
      objects: [bundle('1.0.0', {}, [{ type: 'olm.maxOpenShiftVersion', value: 4.2 }])],
      message: /^bundle "a\.v1\.0\.0": .*4\.20 without quotes/,
    },
  ];
  for (const { rule, objects, message } of rows) {
    it(rule, () => {
      const loaded = loadCatalog([{ path: 'c', content: objects.join('\n') }]);
      const findings = catalogFindings(loaded);
      expect(findings.map((finding) => finding.rule)).to.deep.equal(
        message === undefined ? [] : [rule],
      );
      const [finding] = findings;
      if (message instanceof RegExp) expect(finding?.message).to.match(message);
      else if (message !== undefined) {
        expect(finding?.id).to.equal(message.id);
        expect(finding?.data).to.deep.include(message.data);
      }
    });
  }

  it('says where the entry is that should lead to another head', () => {
    const content = `schema: olm.channel
package: a
name: stable
entries:
  - name: a.v1.0.0
  - name: a.v1.1.0
    replaces: v1.0.0
`;
    const findings = catalogFindings(loadCatalog([{ path: 'c.yaml', content }]));
    expect(findings[0]).to.deep.include({ fix: 'replaces: a.v1.0.0 in a.v1.1.0' });
    expect(findings[0]?.place).to.deep.include({ file: 'c.yaml', line: 6 });
  });

  it('survives a range that crashes the library', () => {
    const objects = [
      channel([{ name: 'a.v1.0.0', skipRange: '<1.0.0 || || <2.0.0' }]),
      bundle('1.0.0'),
    ];
    const loaded = loadCatalog([{ path: 'c', content: objects.join('\n') }]);
    expect(() => catalogFindings(loaded)).not.to.throw();
  });

  describe('where a bundle can be installed', () => {
    const spec = {
      installModes: [
        { type: 'OwnNamespace', supported: true },
        { type: 'AllNamespaces', supported: false },
      ],
    };
    const owned = [{ name: 'v1.zoo.io', group: 'zoo.io', version: 'v1', kind: 'Owl' }];
    const csv = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' };
    const carried = (text: string): object => ({
      type: 'olm.bundle.object',
      value: { data: Buffer.from(text).toString('base64') },
    });
    const installationOf = (...properties: object[]): unknown => {
      const content = bundle('1.0.0', {}, properties);
      const [all, graph] = (['all', 'graph'] as const).map((keep) => {
        const loaded = loadCatalog([{ path: 'c.json', content }], { keep });
        if (loaded.error !== undefined) throw new Error(loaded.error.message);
        return loaded.catalog.bundles[0]?.installation;
      });
      expect(all).to.deep.equal(graph);
      return graph;
    };
    const own = { modes: ['OwnNamespace'], ownsApiServices: false };

    it('is read of its metadata, and of the manifests where there is none', () => {
      const decoy = { kind: 'ConfigMap', data: { text: 'ClusterServiceVersion' } };
      const metadata = { type: 'olm.csv.metadata', value: spec };
      expect(installationOf(metadata)).to.deep.equal(own);
      for (let shift = 0; shift < 3; shift++) {
        const text = `{${' '.repeat(shift)}${JSON.stringify({ ...csv, spec }).slice(1)}`;
        expect(installationOf(carried(JSON.stringify(decoy)), carried(text))).to.deep.equal(own);
      }
      const yaml =
        'kind: ClusterServiceVersion\nspec: {installModes: [{type: A, supported: true}]}';
      expect(installationOf(carried(yaml))).to.deep.equal({ ...own, modes: ['A'] });
      const services = { ...spec, apiservicedefinitions: { owned } };
      expect(installationOf(carried(JSON.stringify({ ...csv, spec: services })))).to.deep.equal({
        ...own,
        ownsApiServices: true,
      });
    });

    it('is unknown if the catalog does not say', () => {
      expect(installationOf()).to.equal(undefined);
      expect(installationOf(carried('{"kind":"ClusterServiceVersion"}'))).to.equal(undefined);
      expect(installationOf(carried('{"kind":"ClusterServiceVersion"'))).to.equal(undefined);
    });
  });
});

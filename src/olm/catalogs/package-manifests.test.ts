import { expect } from 'chai';
import { parseDocuments } from '../../text/documents/index.js';
import { readPackageManifests } from './package-manifests.js';
import { validateCatalog } from './validate.js';

const csv = (version: string, spec: string, annotations = ''): string =>
  `apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: etcd.v${version}\n  annotations: {${annotations}}\nspec:\n  displayName: etcd\n${spec}`;

const read = (...documents: string[]): ReturnType<typeof readPackageManifests> =>
  readPackageManifests(parseDocuments(documents.join('\n---\n'), { file: 'p.yaml' }));

const item = 'packageName: etcd\nchannels:\n- name: alpha\n  currentCSV: etcd.v0.9.2\n';

describe('package manifests', () => {
  it('walk from the head along replaces and skips', () => {
    const catalog = read(
      item,
      csv(
        '0.9.2',
        '  replaces: etcd.v0.9.0\n  skips:\n  - etcd.v0.9.1\n',
        "olm.skipRange: '<0.9.0'",
      ),
      csv('0.9.1', '  replaces: etcd.v0.9.0\n'),
      csv('0.9.0', ''),
    );
    expect(catalog.packages[0]?.defaultChannel).to.equal('alpha');
    expect(catalog.channels[0]?.entries).to.deep.equal([
      { name: 'etcd.v0.9.2', replaces: 'etcd.v0.9.0', skips: ['etcd.v0.9.1'], skipRange: '<0.9.0' },
      { name: 'etcd.v0.9.0', replaces: '', skips: [], skipRange: '' },
      { name: 'etcd.v0.9.1', replaces: 'etcd.v0.9.0', skips: [], skipRange: '' },
    ]);
    expect(validateCatalog(catalog).error).to.equal(undefined);
  });

  it('miss the head when nobody brought it', () => {
    expect(validateCatalog(read(item)).error).to.match(
      /no olm.bundle blobs found .*etcd\.v0\.9\.2/,
    );
  });

  it('stop at a cycle of replaces', () => {
    const catalog = read(item, csv('0.9.2', '  replaces: etcd.v0.9.2\n'));
    expect(catalog.channels[0]?.entries).to.have.length(1);
  });

  for (const [rule, manifest, message] of [
    ['no channels', 'packageName: etcd\n', /has no channels/],
    [
      'a channel without a head',
      'packageName: etcd\nchannels:\n- name: a\n',
      /needs a name and a currentCSV/,
    ],
    ['a default that is no channel', `${item}defaultChannel: beta\n`, /beta/],
  ] as const) {
    it(`refuse ${rule}`, () => {
      expect(() => read(manifest)).to.throw(message);
    });
  }
});

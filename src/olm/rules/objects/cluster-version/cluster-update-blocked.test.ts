import type { JsonObject } from '../../../../text/documents/index.js';
import { known } from '../testing/queue-catalog.js';
import { aCsv, makeObject, describeRule } from '../testing/harness.js';
import { clusterUpdateBlocked } from './cluster-update-blocked.js';

function clusterVersion(desired: string, completed = '4.15.3'): JsonObject {
  return makeObject('ClusterVersion', 'version', '', {
    spec: { channel: 'stable', desiredUpdate: { version: desired } },
    status: {
      desired: { version: desired },
      history: [
        { state: 'Partial', version: desired },
        { state: 'Completed', version: completed },
      ],
    },
  });
}

/** A CSV as OLM writes it: bundle properties in an annotation, with the limit as it is written. */
function limited(name: string, limit: string): JsonObject {
  const properties = `{"properties":[{"type":"olm.maxOpenShiftVersion","value":${limit}}]}`;
  return aCsv({
    name,
    metadata: { annotations: { 'operatorframework.io/properties': properties } },
  });
}

function installed(version: string): JsonObject {
  return makeObject('ClusterExtension', 'x', '', {
    status: { install: { bundle: { name: `queue.v${version}`, version } } },
  });
}

describeRule(clusterUpdateBlocked, [
  {
    when: 'operators work up to the present minor version only',
    object: clusterVersion('4.16.0'),
    cluster: [limited('b.v1', '"4.15"'), limited('a.v1', '4.14'), limited('c.v1', '4.16')],
    says: [
      {
        id: 'blocked',
        data: {
          version: '4.16.0',
          release: '4.16',
          names: 'ns/a.v1 (up to 4.14), ns/b.v1 (up to 4.15)',
        },
      },
    ],
  },
  {
    when: 'the author has written the annotation by hand',
    object: clusterVersion('4.16.0'),
    cluster: [
      aCsv({
        metadata: {
          annotations: { 'olm.properties': '[{"type":"olm.maxOpenShiftVersion","value":"4.15"}]' },
        },
      }),
    ],
    says: [
      {
        id: 'blocked',
        data: { version: '4.16.0', release: '4.16', names: 'ns/cats.v1 (up to 4.15)' },
      },
    ],
  },
  {
    when: 'OLM classic reads a patch version of zero, and is kept back by what it cannot read',
    object: clusterVersion('4.16.0'),
    cluster: [
      limited('a.v1', '"4.15.0"'),
      limited('b.v1', '"<cluster_version>"'),
      limited('c.v1', '"4.16.0"'),
    ],
    says: [
      {
        id: 'blocked',
        data: {
          version: '4.16.0',
          release: '4.16',
          names:
            'ns/a.v1 (up to 4.15), ns/b.v1 (invalid olm.maxOpenShiftVersion: failed to parse "<cluster_version>" as semver: Invalid character(s) found in major number "0<cluster_version>")',
        },
      },
    ],
  },
  {
    when: 'OLM v1 has installed one, whose limit the catalog has',
    object: clusterVersion('4.16.0'),
    cluster: [installed('1.2.0')],
    catalogs: [known()],
    says: [
      {
        id: 'blocked',
        data: { version: '4.16.0', release: '4.16', names: 'ClusterExtension x (up to 4.15)' },
      },
    ],
  },
  {
    when: 'a minor version is left out',
    object: clusterVersion('4.17.0'),
    cluster: [limited('c.v1', '4.16')],
    says: [
      {
        id: 'blocked',
        data: { version: '4.17.0', release: '4.17', names: 'ns/c.v1 (up to 4.16)' },
      },
    ],
  },
  {
    when: '5.0 is wanted, which is 4.23 too',
    object: clusterVersion('5.0.0', '4.22.1'),
    cluster: [limited('c.v1', '"4.22"'), limited('d.v1', '"4.23"')],
    says: [
      {
        id: 'blocked',
        data: { version: '5.0.0', release: '5.0', names: 'ns/c.v1 (up to 4.22)' },
      },
    ],
  },
  {
    when: '4.2 in a catalog may have been 4.20',
    object: clusterVersion('4.16.0'),
    cluster: [installed('2.1.0')],
    catalogs: [known()],
    says: [],
  },
  {
    when: '4.20 is no 4.2',
    object: clusterVersion('4.16.0'),
    cluster: [limited('a.v1', '4.20')],
    says: [],
  },
  {
    when: 'only the patch version changes',
    object: clusterVersion('4.15.9'),
    cluster: [limited('a.v1', '4.15')],
    says: [],
  },
  {
    when: 'nothing is wanted',
    object: makeObject('ClusterVersion', 'version', '', { spec: {} }),
    cluster: [limited('a.v1', '4.15')],
    says: [],
  },
]);

import { known } from '../objects/testing/queue-catalog.js';
import { blocksClusterUpgrade } from './upgrade-blockers.js';
import { bundle, describeScanRule, extension, maximum, openshift } from './testing/scan-rows.js';

describeScanRule(blocksClusterUpgrade, [
  {
    when: 'the next minor is beyond the maximum',
    objects: [openshift('4.14.8'), bundle(maximum)],
    says: [{ of: 'ns/cats.v1', id: 'limit', data: { limit: '4.14', next: '4.15' } }],
  },
  {
    when: 'the next minor is within it',
    objects: [openshift('4.13.8'), bundle(maximum)],
    says: [],
  },
  {
    when: '4.20 is not 4.2',
    objects: [
      openshift('4.19.1'),
      bundle('{"properties":[{"type":"olm.maxOpenShiftVersion","value":4.20}]}'),
    ],
    says: [],
  },
  {
    when: 'OLM cannot read the maximum, and keeps the cluster back for that',
    objects: [
      openshift('4.19.1'),
      bundle('{"properties":[{"type":"olm.maxOpenShiftVersion","value":true}]}'),
    ],
    says: [
      {
        of: 'ns/cats.v1',
        id: 'unreadable',
        data: {
          problem:
            'failed to parse "true" as semver: Invalid character(s) found in major number "0true"',
        },
      },
    ],
  },
  {
    when: 'the annotation is no JSON',
    objects: [openshift('4.19.1'), bundle('{')],
    says: [
      {
        of: 'ns/cats.v1',
        id: 'unreadable',
        data: {
          problem: 'failed to unmarshal properties annotation: unexpected end of JSON input',
        },
      },
    ],
  },
  {
    when: 'OLM v1 has installed it, and the catalog has its maximum',
    objects: [openshift('4.15.2'), extension('queue.v1.2.0')],
    catalogs: [known()],
    says: [
      {
        of: 'queue',
        id: 'extension',
        data: { bundle: 'queue.v1.2.0', next: '4.16', because: 'up to 4.15' },
      },
    ],
  },
  {
    when: 'OLM v1 has installed a version without a maximum, or the catalogs do not know it',
    objects: [openshift('4.15.2'), extension('queue.v1.1.0'), extension('other.v1', 'other')],
    catalogs: [known()],
    says: [],
  },
]);

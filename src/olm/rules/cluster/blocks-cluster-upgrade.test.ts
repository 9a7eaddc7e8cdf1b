import { known } from '../objects/testdata/queue-catalog.js';
import { blocksClusterUpgrade } from './blocks-cluster-upgrade.js';
import { bundle, describeScanRule, extension, maximum, openshift } from './testing/scan-rows.js';

describeScanRule(blocksClusterUpgrade, [
  {
    when: 'the next minor is beyond the maximum',
    objects: [openshift('4.14.8'), bundle(maximum)],
    says: [/^error ns\/cats\.v1: works up to OpenShift 4\.14: .* 4\.15$/],
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
    says: [/^error ns\/cats\.v1: has invalid olm\.maxOpenShiftVersion .*: failed to parse "true"/],
  },
  {
    when: 'the annotation is no JSON',
    objects: [openshift('4.19.1'), bundle('{')],
    says: [/^error ns\/cats\.v1: has invalid olm\.maxOpenShiftVersion/],
  },
  {
    when: 'OLM v1 has installed it, and the catalog has its maximum',
    objects: [openshift('4.15.2'), extension('queue.v1.2.0')],
    catalogs: [known()],
    says: [/^error queue: queue\.v1\.2\.0 keeps OpenShift from 4\.16 \(up to 4\.15\)/],
  },
  {
    when: 'OLM v1 has installed a version without a maximum, or the catalogs do not know it',
    objects: [openshift('4.15.2'), extension('queue.v1.1.0'), extension('other.v1', 'other')],
    catalogs: [known()],
    says: [],
  },
]);

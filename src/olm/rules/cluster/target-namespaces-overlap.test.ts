import { makeGroup } from '../objects/testing/harness.js';
import { targetNamespacesOverlap } from './latent-risks.js';
import { describeScanRule, wide, withApi } from './testing/scan-rows.js';

describeScanRule(targetNamespacesOverlap, [
  {
    when: 'both groups are named once each',
    objects: [withApi(makeGroup()), withApi(wide)],
    says: [
      { of: 'ns/g', id: 'overlap', data: { names: ['other/wide'] } },
      { of: 'other/wide', id: 'overlap', data: { names: ['ns/g'] } },
    ],
  },
  {
    when: 'groups without a common namespace do not',
    objects: [
      withApi(makeGroup()),
      withApi(makeGroup({ namespace: 'x', spec: { targetNamespaces: ['x'] } })),
    ],
    says: [],
  },
]);

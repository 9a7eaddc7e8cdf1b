import { aGroup } from '../olm/testing/harness.js';
import { targetNamespacesOverlap } from './target-namespaces-overlap.js';
import { describeScanRule, wide, withApi } from './testing/scan-rows.js';

describeScanRule(targetNamespacesOverlap, [
  {
    when: 'both groups are named once each',
    objects: [withApi(aGroup()), withApi(wide)],
    says: [/^info ns\/g: shares .* other\/wide$/, /^info other\/wide: shares .* ns\/g$/],
  },
  {
    when: 'groups without a common namespace do not',
    objects: [
      withApi(aGroup()),
      withApi(aGroup({ namespace: 'x', spec: { targetNamespaces: ['x'] } })),
    ],
    says: [],
  },
]);

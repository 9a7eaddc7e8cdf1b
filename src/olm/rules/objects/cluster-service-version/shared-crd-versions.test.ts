import { aCsv, describeRule } from '../testing/harness.js';
import { sharedCrdVersions } from './shared-crd-versions.js';

describeRule(sharedCrdVersions, [
  {
    when: 'the same version',
    object: aCsv({ spec: { version: '1.0.0' } }),
    cluster: [aCsv({ namespace: 'b', spec: { version: '1.0.0' } })],
    says: [],
  },
  {
    when: 'another version elsewhere',
    object: aCsv({ spec: { version: '2.0.0' } }),
    cluster: [aCsv({ namespace: 'b', spec: { version: '1.0.0' } })],
    says: [
      'warning: cats.pets is also owned by another version of an operator: b/cats.v1; only identical CRDs can be shared',
    ],
  },
]);

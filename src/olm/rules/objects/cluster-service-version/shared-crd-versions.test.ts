import { aCsv, describeRule } from '../testing/harness.js';
import { sharedCrdVersions } from './other-operators.js';

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
    says: [{ id: 'shared', data: { crd: 'cats.pets', owners: ['b/cats.v1'] } }],
  },
]);

import { describeRule } from '../testing/harness.js';
import { clusterExtensionRange } from './extension-request.js';
import { extension, older } from './testing/extension.js';

describeRule(clusterExtensionRange, [
  {
    when: 'a range cannot be read, catalogs or none',
    object: extension({ version: '>=1.0.0 beta' }),
    says: ['error: desired version range ">=1.0.0 beta" is invalid: improper constraint'],
  },
  {
    when: 'it is in v1alpha1',
    object: older({ version: '1.2 ||' }),
    says: ['error: desired version range "1.2 ||" is invalid'],
  },
  { when: 'it can be read', object: extension({ version: '>=1.11, <1.13' }), says: [] },
  { when: 'there is none', object: extension(), says: [] },
]);

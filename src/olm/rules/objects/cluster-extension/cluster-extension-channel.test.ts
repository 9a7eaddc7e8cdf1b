import { describeRule } from '../testing/harness.js';
import { clusterExtensionChannel } from './extension-request.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionChannel, [
  {
    when: 'a channel is misspelt',
    object: extension({ channels: ['stabel'] }),
    catalogs,
    says: [
      {
        id: 'unknown',
        data: { package: 'queue', channel: 'stabel', instead: ' (did you mean "stable"?)' },
      },
    ],
  },
  {
    when: 'v1alpha1 names one that there is not',
    object: older({ channel: 'candidate' }),
    catalogs,
    says: [
      {
        id: 'unknown',
        data: { package: 'queue', channel: 'candidate', instead: '; it has next, old, stable' },
      },
    ],
  },
  {
    when: 'one of two is there',
    object: extension({ channels: ['stable', 'candidate'] }),
    catalogs,
    says: [{ id: 'unknown', data: { package: 'queue', channel: 'candidate' } }],
  },
  {
    when: 'both are there',
    object: extension({ channels: ['stable', 'next'] }),
    catalogs,
    says: [],
  },
]);

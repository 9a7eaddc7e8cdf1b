import { describeRule } from '../testing/harness.js';
import { clusterExtensionChannel } from './cluster-extension-channel.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionChannel, [
  {
    when: 'a channel is misspelt',
    object: extension({ channels: ['stabel'] }),
    catalogs,
    says: ['warning: package "queue" has no channel "stabel" (did you mean "stable"?)'],
  },
  {
    when: 'v1alpha1 names one that there is not',
    object: older({ channel: 'candidate' }),
    catalogs,
    says: ['warning: package "queue" has no channel "candidate"; it has next, old, stable'],
  },
  {
    when: 'one of two is there',
    object: extension({ channels: ['stable', 'candidate'] }),
    catalogs,
    says: ['warning: package "queue" has no channel "candidate"'],
  },
  {
    when: 'both are there',
    object: extension({ channels: ['stable', 'next'] }),
    catalogs,
    says: [],
  },
]);

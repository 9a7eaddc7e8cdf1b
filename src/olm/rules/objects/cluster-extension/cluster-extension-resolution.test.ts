import { describeRule } from '../testing/harness.js';
import { clusterExtensionResolution } from './cluster-extension-resolution.js';
import { catalogs, extension } from './testing/extension.js';

describeRule(clusterExtensionResolution, [
  {
    when: 'it is new',
    object: extension({ channels: ['stable'] }),
    catalogs,
    says: ['warning: installs queue.v1.2.0 (1.2.0) of catalog community'],
  },
  {
    when: 'it goes on',
    object: extension({}, '1.5.0'),
    catalogs,
    says: [
      'warning: replaces 1.5.0 by queue.v2.0.0 (2.0.0) of catalog community: skipRange >=1.5.0 <2.0.0 in channel next',
    ],
  },
  {
    when: 'it stays',
    object: extension({ version: '1.0.0' }, '1.0.0'),
    catalogs,
    says: ['info: stays at queue.v1.0.0 (1.0.0) of catalog community'],
  },
  { when: 'nothing is known', object: extension(), says: [] },
]);

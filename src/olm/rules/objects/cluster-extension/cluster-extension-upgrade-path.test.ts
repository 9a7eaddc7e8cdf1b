import { describeRule } from '../testing/harness.js';
import { clusterExtensionUpgradePath } from './extension-path.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionUpgradePath, [
  {
    when: 'the catalog has no edge to the version',
    object: extension({ version: '1.2.0' }, '1.0.0'),
    catalogs,
    says: [
      'warning: error upgrading from currently installed version "1.0.0": no bundles found for package "queue" matching version "1.2.0"; the catalog leads to queue.v1.1.0 (1.1.0), and from there to queue.v1.2.0 (1.2.0)',
    ],
  },
  {
    when: 'the range is open, and has a version of the same major beside the next',
    object: extension({ version: '>=1.2' }, '1.0.0'),
    catalogs,
    says: [
      'warning: error upgrading from currently installed version "1.0.0": no bundles found for package "queue" matching version ">=1.2"; the catalog leads to queue.v1.1.0 (1.1.0), and from there to queue.v1.2.0 (1.2.0)',
    ],
  },
  {
    when: 'update edges lead there by a version of the next major',
    object: extension({ version: '2.1.0' }, '1.5.0'),
    catalogs,
    says: [
      /; the catalog leads to queue\.v2\.0\.0 \(2\.0\.0\), and from there to queue\.v2\.1\.0 \(2\.1\.0\)$/,
    ],
  },
  {
    when: 'v1alpha1 asks for it',
    object: older({ version: '1.2.0' }, '1.0.0'),
    catalogs,
    says: ['warning: error upgrading from currently installed version "1.0.0"'],
  },
  {
    when: 'only the stored object has a status',
    object: extension({ version: '1.2.0' }),
    old: extension({}, '1.0.0'),
    catalogs,
    says: ['warning: error upgrading from currently installed version "1.0.0"'],
  },
  {
    when: 'what is installed is in no catalog and nothing follows it',
    object: extension({}, '9.0.0'),
    catalogs,
    says: [/; the catalog leads nowhere from it$/],
  },
  {
    when: 'it is forced',
    object: extension({ version: '1.2.0', upgradeConstraintPolicy: 'SelfCertified' }, '1.0.0'),
    catalogs,
    says: [],
  },
  {
    when: 'there is an edge',
    object: extension({ version: '1.1.0' }, '1.0.0'),
    catalogs,
    says: [],
  },
  { when: 'it stays', object: extension({ version: '1.0.0' }, '1.0.0'), catalogs, says: [] },
]);

import { describeRule } from '../testing/harness.js';
import { clusterExtensionForcing } from './extension-path.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionForcing, [
  {
    when: 'only a lower version is in the range',
    object: extension({ version: '1.0.0' }, '1.2.0'),
    catalogs,
    says: [{ id: 'forced', data: { step: 'going back to queue.v1.0.0 (1.0.0)', from: '1.2.0' } }],
  },
  {
    when: 'only the next major version is',
    object: extension({ version: '^2.0.0' }, '1.2.0'),
    catalogs,
    says: [
      {
        id: 'forced',
        data: { step: 'going to the next major version queue.v2.1.0 (2.1.0)', from: '1.2.0' },
      },
    ],
  },
  {
    when: 'it is forced in v1alpha1',
    object: older({ version: '1.0.0', upgradeConstraintPolicy: 'Ignore' }, '1.2.0'),
    catalogs,
    says: [],
  },
  {
    when: 'something higher of the same major is in the range, and only the path to it is missing',
    object: extension({ version: '>=1.2' }, '1.0.0'),
    catalogs,
    says: [],
  },
  {
    when: 'update edges lead to the next major version by another',
    object: extension({ version: '2.1.0' }, '1.5.0'),
    catalogs,
    says: [],
  },
  {
    when: 'a skipRange leads across majors',
    object: extension({ version: '^2.0.0' }, '1.5.0'),
    catalogs,
    says: [],
  },
]);

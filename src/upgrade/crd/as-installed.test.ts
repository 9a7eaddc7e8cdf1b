import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { asInstalled } from './as-installed.js';

const versions = [
  { name: 'v1', storage: false },
  { name: 'v2', storage: true },
];

describe('a definition as installed', () => {
  const rows: readonly (readonly [row: string, given: JsonObject, status: unknown])[] = [
    ['without a status', { spec: { versions } }, { storedVersions: ['v2'] }],
    [
      'with the empty status that generators write',
      { spec: { versions }, status: { conditions: [], storedVersions: [] } },
      { conditions: [], storedVersions: ['v2'] },
    ],
    [
      'that a cluster has',
      { spec: { versions }, status: { storedVersions: ['v1', 'v2'] } },
      { storedVersions: ['v1', 'v2'] },
    ],
    ['without a storage version', { spec: { versions: [{ name: 'v1' }] } }, undefined],
    ['of other types', { spec: 1, status: [] }, []],
    [
      'with stored versions of another type',
      { spec: { versions }, status: { storedVersions: 1 } },
      { storedVersions: 1 },
    ],
    ['with nothing', {}, undefined],
  ];
  for (const [row, given, status] of rows) {
    it(row, () => expect(asInstalled(given)['status']).to.deep.equal(status));
  }
});

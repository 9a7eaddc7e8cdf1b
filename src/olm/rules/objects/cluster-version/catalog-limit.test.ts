import { expect } from 'chai';
import type { JsonValue } from '../../../../text/documents/index.js';
import { queueCatalog } from '../testing/queue-catalog.js';
import { limitIn } from './cluster-update-blocked.js';

describe("a bundle's limit in a catalog", () => {
  const limit = (value: JsonValue): string | undefined => {
    const catalog = {
      ...{ packages: [], channels: [], deprecations: [], others: [] },
      bundles: queueCatalog.bundles.map((bundle) => ({
        ...bundle,
        properties: [{ type: 'olm.maxOpenShiftVersion', value }],
      })),
    };
    return limitIn([{ name: 'c', priority: 0, catalog }], 'queue.v1.2.0', '4.15.0');
  };
  const rows: [says: string, value: JsonValue, limit: string | undefined][] = [
    ['is its text', '4.15', 'up to 4.15'],
    ['is its number where a lost zero changes nothing', 3.1, 'up to 3.1'],
    [
      'keeps the cluster back where OLM v1 cannot read it',
      '4.18.0',
      'invalid olm.maxOpenShiftVersion: error converting to semver for version "4.18.0": invalid version format',
    ],
    ['is not guessed from a number that may have lost a zero', 4.2, undefined],
  ];
  for (const [says, value, expected] of rows) {
    it(says, () => expect(limit(value)).to.equal(expected));
  }
});

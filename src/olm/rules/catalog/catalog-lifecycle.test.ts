import { expect } from 'chai';
import type { JsonValue } from '../../../text/documents/index.js';
import { loadCatalog } from '../../catalogs/load.js';
import { lifecycleSchema } from '../../catalogs/lifecycle.js';
import { lifecycleFindings } from './catalog-lifecycle.js';

const full = { name: 'full', startDate: '2026-01-01', endDate: '2026-06-30' };
const blob = (versions: JsonValue, name = 'queue'): JsonValue => ({
  schema: lifecycleSchema,
  package: name,
  versions,
});
const version = (...phases: JsonValue[]): JsonValue => blob([{ name: '1.2', phases }]);

const rows: readonly [when: string, blobs: readonly JsonValue[], says: readonly string[]][] = [
  [
    'phases that follow each other',
    [version(full, { name: 'late', startDate: '2026-07-01', endDate: '2026-07-01' })],
    [],
  ],
  [
    'another package, twice',
    [
      blob([{ name: '1.2', phases: [full] }], 'other'),
      blob([{ name: '1.2', phases: [full] }], 'other'),
    ],
    ['unknownPackage', 'repeated', 'unknownPackage', 'repeated'],
  ],
  ['no versions', [blob([])], ['noVersions']],
  [
    'a version of three parts without phases, twice',
    [blob([{ name: '1.2.3' }, { name: '1.2.3', phases: [full] }])],
    ['versionName', 'noPhases', 'versionTwice', 'versionName'],
  ],
  [
    'dates that are none',
    [version({ ...full, startDate: '2026-02-30' }, { ...full, endDate: 5 })],
    ['noDate', 'noDate'],
  ],
  ['an end before the start', [version({ ...full, endDate: '2025-01-01' })], ['reversed']],
  [
    'a gap, and an overlap',
    [
      version(
        full,
        { name: 'b', startDate: '2026-07-02', endDate: '2026-08-01' },
        { name: 'c', startDate: '2026-08-01', endDate: '2026-09-01' },
      ),
    ],
    ['apart', 'apart'],
  ],
];

describe('rule CatalogLifecycle', () => {
  for (const [when, blobs, says] of rows) {
    it(when, () => {
      const all = [{ schema: 'olm.package', name: 'queue', defaultChannel: 'a' }, ...blobs];
      const content = all.map((each) => JSON.stringify(each)).join('\n');
      const { catalog } = loadCatalog([{ path: 'c.json', content }]);
      const found = lifecycleFindings(catalog);
      expect(found.map(({ id }) => id)).to.deep.equal(says);
      for (const { place } of found) expect(place?.line).to.be.greaterThan(1);
    });
  }
});

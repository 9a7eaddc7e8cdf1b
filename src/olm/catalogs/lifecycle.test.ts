import { expect } from 'chai';
import type { JsonValue } from '../../text/documents/index.js';
import { loadCatalog } from './load.js';
import { lifecycleSchema, supportOf, supportText } from './lifecycle.js';

const phases = [
  { name: 'Full support', startDate: '2026-01-01', endDate: '2026-06-30' },
  { name: 'Maintenance support', startDate: '2026-07-01', endDate: '2026-12-31' },
];
const blob = (versions: JsonValue): JsonValue => ({
  schema: lifecycleSchema,
  package: 'queue',
  versions,
});
const normal = [blob([{ name: '1.2', phases }])];

function textOn(today: string, version: string, blobs: readonly JsonValue[]): string | undefined {
  const content = blobs.map((each) => JSON.stringify(each)).join('\n');
  // As the gate keeps a catalog: without the bodies of other objects.
  const { catalog } = loadCatalog([{ path: 'c.json', content }], { keep: 'graph' });
  const support = supportOf(catalog, 'queue', version, today);
  return support && supportText('queue', version, support);
}

const unknown =
  'the catalog has a lifecycle of queue that does not tell until when queue 1.2 is supported';
const rows: readonly [
  when: string,
  today: string,
  blobs: readonly JsonValue[],
  says: string | undefined,
][] = [
  [
    'in the first phase, on its last day',
    '2026-06-30',
    normal,
    'queue 1.2 is in Full support until 2026-06-30, out of support after 2026-12-31',
  ],
  [
    'in the last phase',
    '2026-07-01',
    normal,
    'queue 1.2 is in Maintenance support until 2026-12-31',
  ],
  ['after all', '2027-01-01', normal, 'queue 1.2 is out of support since 2026-12-31'],
  ['before all', '2025-12-31', normal, 'queue 1.2 is supported from 2026-01-01 on'],
  ['without a lifecycle', '2026-01-01', [], undefined],
  ['of another version', '2026-01-01', [blob([{ name: '1.20', phases }])], unknown],
  ['stated twice', '2026-01-01', [...normal, ...normal], unknown],
  [
    'with a date that is none',
    '2026-01-01',
    [
      blob([
        { name: '1.2', phases: [{ name: 'x', startDate: '2026-02-30', endDate: '2027-01-01' }] },
      ]),
    ],
    unknown,
  ],
  ['of any shape', '2026-01-01', [blob({ a: [null] })], unknown],
];

describe('lifecycle of a package', () => {
  for (const [when, today, blobs, says] of rows) {
    it(when, () => {
      expect(textOn(today, '1.2.3', blobs)).to.equal(says);
    });
  }
});

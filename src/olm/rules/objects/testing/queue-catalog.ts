/** A small catalog for tests: package `queue` with two channels, deprecations and an OpenShift limit. */
import type { Catalog } from '../../../catalogs/catalog.js';
import { loadCatalog } from '../../../catalogs/load.js';
import type { JsonValue } from '../../../../text/documents/index.js';
import type { KnownCatalog } from '../../../objects/view.js';

const blobs: readonly JsonValue[] = [
  { schema: 'olm.package', name: 'queue', defaultChannel: 'stable' },
  channel('stable', [
    { name: 'queue.v1.0.0' },
    { name: 'queue.v1.1.0', replaces: 'queue.v1.0.0' },
    { name: 'queue.v1.2.0', replaces: 'queue.v1.1.0' },
  ]),
  channel('next', [
    { name: 'queue.v1.0.0' },
    { name: 'queue.v2.0.0', skipRange: '>=1.5.0 <2.0.0' },
    { name: 'queue.v2.1.0', replaces: 'queue.v2.0.0' },
  ]),
  channel('old', [{ name: 'queue.v0.9.0' }]),
  bundle('0.9.0'),
  bundle('1.0.0'),
  bundle('1.1.0'),
  bundle('1.2.0', [{ type: 'olm.maxOpenShiftVersion', value: '4.15' }]),
  bundle('2.0.0'),
  bundle('2.1.0', [{ type: 'olm.maxOpenShiftVersion', value: 4.2 }]),
  {
    schema: 'olm.deprecations',
    package: 'queue',
    entries: [
      { reference: { schema: 'olm.package' }, message: 'use topic' },
      { reference: { schema: 'olm.channel', name: 'old' }, message: 'use stable' },
      { reference: { schema: 'olm.bundle', name: 'queue.v0.9.0' }, message: 'has a leak' },
    ],
  },
  { schema: 'olm.package', name: 'tidy', defaultChannel: 'only' },
  { schema: 'olm.channel', package: 'tidy', name: 'only', entries: [{ name: 'tidy.v1.0.0' }] },
  {
    ...(bundle('1.0.0') as object),
    name: 'tidy.v1.0.0',
    package: 'tidy',
    properties: [
      { type: 'olm.package', value: { packageName: 'tidy', version: '1.0.0' } },
      { type: 'olm.gvk.required', value: { group: 'a', version: 'v1', kind: 'B' } },
    ],
  },
];

function channel(name: string, entries: JsonValue[]): JsonValue {
  return { schema: 'olm.channel', package: 'queue', name, entries };
}

function bundle(version: string, more: JsonValue[] = []): JsonValue {
  return {
    schema: 'olm.bundle',
    package: 'queue',
    name: `queue.v${version}`,
    image: `quay.io/example/queue:${version}`,
    properties: [{ type: 'olm.package', value: { packageName: 'queue', version } }, ...more],
  };
}

export const queueCatalogText = blobs.map((blob) => JSON.stringify(blob)).join('\n');

export const queueCatalog: Catalog = loadCatalog([
  { path: 'catalog.json', content: queueCatalogText },
]).catalog;

export function known(name = 'community', priority = 0): KnownCatalog {
  return { name, priority, catalog: queueCatalog };
}

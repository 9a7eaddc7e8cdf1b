/** One question to each part of the library. */
import { proveUpgrade } from 'olm-guard';
import { nextBundle, validateCatalog } from 'olm-guard/catalogs';
import { answer, operations } from 'olm-guard/operations';
import { resolveNamespace } from 'olm-guard/resolver';

const name = 'queue.v1.0.0';
const catalog = [
  { schema: 'olm.package', name: 'queue', defaultChannel: 'stable' },
  { schema: 'olm.channel', package: 'queue', name: 'stable', entries: [{ name }] },
  {
    ...{ schema: 'olm.bundle', package: 'queue', name, image: 'example.com/queue' },
    properties: [{ type: 'olm.package', value: { packageName: 'queue', version: '1.0.0' } }],
  },
];

export const answers = {
  proveUpgrade: proveUpgrade({}, {}),
  validateCatalog: validateCatalog({ 'catalog.yaml': 'schema: olm.package\nname: queue\n' }),
  nextBundle: nextBundle({ package: 'queue', catalogs: [{ name: 'own', objects: catalog }] }),
  resolveNamespace: resolveNamespace({ namespace: 'billing', globalCatalogNamespace: 'olm', operatorGroups: [{ name: 'all', namespace: 'billing' }] }),
  range: answer('range', { dialect: 'blang', constraint: '>=1.0.0', version: '1.4.0' }),
};

export const names: readonly string[] = operations.map(({ name }) => name);

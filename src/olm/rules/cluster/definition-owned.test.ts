import { definitionOwned } from './latent-risks.js';
import { describeScanRule } from './testing/scan-rows.js';

const definition = (plural: string, ...owners: readonly (readonly [string, string])[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.example.com`,
    ownerReferences: owners.map(([kind, name]) => ({
      apiVersion: kind === 'ClusterExtension' ? 'olm.operatorframework.io/v1' : 'v1',
      ...{ kind, name, uid: '1' },
    })),
  },
  spec: {
    group: 'example.com',
    names: { plural, kind: plural },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true }],
  },
});
const stored = (kind: string) => ({
  ...{ apiVersion: 'example.com/v1', kind, metadata: { name: 'one', namespace: 'ns' } },
});
const bait = ['Namespace', 'bait'] as const;

describeScanRule(definitionOwned, [
  {
    when: 'an owner that OLM does not set, and objects',
    objects: [definition('cats', bait), stored('cats')],
    says: [{ of: 'cats.example.com', id: 'owned', data: { owner: 'Namespace bait' } }],
  },
  {
    when: 'beside one that it sets',
    objects: [definition('cats', ['ClusterExtension', 'cats'], bait), stored('cats')],
    says: [{ of: 'cats.example.com', id: 'owned', data: { owner: 'Namespace bait' } }],
  },
  {
    when: 'no objects, no owner, or an owner of OLM',
    objects: [
      ...[definition('dogs', bait), definition('cats'), stored('cats')],
      ...[definition('cows', ['ClusterExtension', 'cows']), stored('cows')],
    ],
    says: [],
  },
]);

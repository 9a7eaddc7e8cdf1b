import { readCatalogSource } from '../../../objects/catalog-source.js';
import { valueAt } from '../../../../text/documents/fields.js';
import { from } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';

const largestPriority = 2 ** 31 - 1;

export const catalogSourcePriority = defineCatalogSourceRule({
  id: 'CatalogSourcePriority',
  severity: 'warning',
  checks:
    'The priority of a CatalogSource is an integer that no other catalog of the namespace has.',
  withoutNames: 'another catalog has the same priority',
  why: 'Dependencies are taken from the catalog with the highest priority. Of equal ones the catalog of the own namespace, and then the name decides, which is rarely what was meant when a priority was set.',
  otherwise: 'OLM reports no error: of catalogs with one priority the name decides',
  instead: 'Give each catalog of the namespace a priority of its own.',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'FindPreferred'),
  messages: {
    outOfRange: 'priority must be an integer between -{largestPriority} and {largestPriority}',
    samePriority: '{equals} has priority {priority} too: the name of the catalog decides',
  },
  example: {
    before:
      '{ kind: CatalogSource, metadata: { name: certified, namespace: olm }, spec: { sourceType: grpc, image: example.com/certified:1, priority: 10 } }',
    after:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1, priority: 10 } }',
    says: 'certified has priority 10 too: the name of the catalog decides',
    accepted:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1, priority: 5 } }',
  },
  *judge({ object, view }) {
    if (valueAt(object, 'spec', 'priority') === undefined) return;
    const { name, namespace, priority } = readCatalogSource(object);
    const path = '$.spec.priority';
    if (!Number.isInteger(priority) || Math.abs(priority) > largestPriority) {
      yield {
        id: 'outOfRange',
        data: { largestPriority },
        path,
      };
      return;
    }
    const equals = view
      .catalogsIn(namespace)
      .filter((other) => other.name !== name && other.priority === priority)
      .map((other) => other.name);
    if (equals.length === 0) return;
    yield {
      id: 'samePriority',
      data: { equals, priority },
      path,
    };
  },
});

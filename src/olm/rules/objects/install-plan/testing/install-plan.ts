import type { JsonObject } from '../../../../../text/documents/index.js';
import { makeCrd, aCsv, makeObject } from '../../testing/harness.js';

export function aStep(
  kind: string,
  name: string,
  manifest: unknown,
  status = 'Unknown',
): JsonObject {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  return { status, resource: { kind, name, manifest: text } };
}

export function aPlan(approved: boolean, ...plan: JsonObject[]): JsonObject {
  return makeObject('InstallPlan', 'install-1', 'ns', { spec: { approved }, status: { plan } });
}

export const crdStep = aStep('CustomResourceDefinition', 'cats.pets', makeCrd('cats.pets', ['v2']));

export const csvStep = aStep(
  'ClusterServiceVersion',
  'cats.v1',
  aCsv({ modes: ['AllNamespaces'], metadata: { namespace: 'placeholder' } }),
);

export const reference = {
  kind: 'ConfigMap',
  name: 'bundle',
  namespace: 'olm',
  catalogSourceName: 'c',
  catalogSourceNamespace: 'olm',
};

export const refersTo = aStep('ClusterServiceVersion', 'cats.v1', reference);

export const bundled = JSON.stringify(aCsv({ modes: ['AllNamespaces'] }));

export const map = (content: JsonObject) => makeObject('ConfigMap', 'bundle', 'olm', content);

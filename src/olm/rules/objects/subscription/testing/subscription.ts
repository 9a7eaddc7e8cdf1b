import type { JsonObject } from '../../../../../text/documents/index.js';
import { makeObject } from '../../testing/harness.js';

export function makeCatalog(
  name: string,
  namespace: string,
  state: string | null,
  message?: string,
): JsonObject {
  const status = {
    ...(state === null ? {} : { connectionState: { lastObservedState: state } }),
    ...(message === undefined ? {} : { message }),
  };
  return makeObject('CatalogSource', name, namespace, { spec: {}, status });
}

export function aSubscription(name: string, spec: JsonObject = {}): JsonObject {
  return makeObject('Subscription', name, 'ns', {
    spec: { name: 'cats', source: 'c', sourceNamespace: 'olm', channel: 'stable', ...spec },
  });
}

export const sub = aSubscription('s');

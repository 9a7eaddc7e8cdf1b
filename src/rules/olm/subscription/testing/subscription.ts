import type { JsonObject } from '../../../../text/documents/index.js';
import { anObject } from '../../testing/harness.js';

export function aCatalog(
  name: string,
  namespace: string,
  state: string | null,
  message?: string,
): JsonObject {
  const status = {
    ...(state === null ? {} : { connectionState: { lastObservedState: state } }),
    ...(message === undefined ? {} : { message }),
  };
  return anObject('CatalogSource', name, namespace, { spec: {}, status });
}

export function aSubscription(name: string, spec: JsonObject = {}): JsonObject {
  return anObject('Subscription', name, 'ns', {
    spec: { name: 'cats', source: 'c', sourceNamespace: 'olm', channel: 'stable', ...spec },
  });
}

export const sub = aSubscription('s');

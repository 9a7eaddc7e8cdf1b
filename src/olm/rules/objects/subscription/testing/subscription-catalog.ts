import type { JsonObject } from '../../../../../text/documents/index.js';
import { known } from '../../testing/queue-catalog.js';
import { makeObject } from '../../testing/harness.js';

export const catalogs = [known()];

/** Subscription `ns/s` to queue in olm/community. */
export function subscription(spec: JsonObject = {}, installedCSV?: string): JsonObject {
  return makeObject('Subscription', 's', 'ns', {
    spec: {
      name: 'queue',
      channel: 'stable',
      source: 'community',
      sourceNamespace: 'olm',
      ...spec,
    },
    ...(installedCSV === undefined ? {} : { status: { installedCSV } }),
  });
}

import type { Csv } from '../../../olm/cluster-service-version.js';
import { objectsAt } from '../../../olm/fields.js';
import type { JsonObject } from '../../../text/documents/index.js';

export function webhooksOf(csv: Csv): JsonObject[] {
  return objectsAt(csv.object, 'spec', 'webhookdefinitions');
}

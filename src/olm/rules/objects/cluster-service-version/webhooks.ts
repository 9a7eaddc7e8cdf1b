import type { Csv } from '../../../objects/cluster-service-version.js';
import { objectsAt } from '../../../../text/documents/fields.js';
import type { JsonObject } from '../../../../text/documents/index.js';

export function webhooksOf(csv: Csv): JsonObject[] {
  return objectsAt(csv.object, 'spec', 'webhookdefinitions');
}

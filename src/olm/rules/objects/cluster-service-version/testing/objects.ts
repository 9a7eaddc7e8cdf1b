import type { JsonObject } from '../../../../../text/documents/index.js';
import { aCsv, makeGroup } from '../../testing/harness.js';

export const rival = makeGroup({
  name: 'h',
  namespace: 'other',
  spec: { targetNamespaces: ['ns'] },
  provides: 'Cat.v1.pets',
});

export const v1 = aCsv({ name: 'cats.v1' });

export const v2 = aCsv({ name: 'cats.v2', spec: { replaces: 'cats.v1' } });

export function withWebhooks(...webhookdefinitions: JsonObject[]): JsonObject {
  return aCsv({ spec: { webhookdefinitions } });
}

export const hook = (
  generateName: string,
  apiGroups: string[],
  resources: string[] = ['cats'],
) => ({
  generateName,
  type: 'ValidatingAdmissionWebhook',
  rules: [{ apiGroups, resources }],
});

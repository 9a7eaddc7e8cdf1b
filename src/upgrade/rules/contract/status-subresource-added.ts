import { from } from '../../../rule/index.js';
import { objectPath } from './requests.js';
import { subresource } from './subresources.js';
import { defineContractRule } from './rule.js';

export const statusSubresourceAdded = defineContractRule({
  id: 'StatusSubresourceAdded',
  audience: 'clients',
  fields: ['spec.versions[].subresources.status'],
  checks: 'A served version gets a status subresource.',
  why: 'A write of the whole object no longer changes .status, and nobody is told: a controller that writes it so goes on without an error, and nothing arrives.',
  instead:
    'Let the controller write /status first, and fall back to the whole object where that answers 404; add the subresource one release later.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: {
    added: 'a status subresource is added: writes of the whole object leave .status as it was',
  },
  example: {
    before: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, subresources: { status: {} } }] }',
    says: 'a status subresource is added: writes of the whole object leave .status as it was',
  },
  *compare({ old, shared }) {
    for (const { old: before, new: after } of shared) {
      if (!before.served || !after.served || subresource(after, 'status') === undefined) continue;
      if (subresource(before, 'status') !== undefined) continue;
      yield {
        id: 'added',
        version: after.name,
        place: { side: 'new', keys: ['spec', 'versions', after.index, 'subresources', 'status'] },
        request: {
          verb: 'PATCH',
          path: objectPath(old, after.name),
          contentType: 'application/merge-patch+json',
          body: { status: {} },
          before: { status: 200, reason: '.status is written' },
          after: { status: 200, reason: '.status is left as it was' },
        },
      };
    }
  },
});

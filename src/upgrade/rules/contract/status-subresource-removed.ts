import { from } from '../../../rule/index.js';
import { notFound, objectPath } from './requests.js';
import { subresource } from './subresources.js';
import { defineContractRule } from './rule.js';

export const statusSubresourceRemoved = defineContractRule({
  id: 'StatusSubresourceRemoved',
  audience: 'clients',
  fields: ['spec.versions[].subresources.status'],
  checks: 'A served version loses its status subresource.',
  why: 'Controllers write .status through /status, and get 404 from then on; metadata.generation counts every change again.',
  otherwise: 'the server could not find the requested resource',
  instead: 'Keep subresources.status.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { removed: 'the status subresource is gone: writes of /status get 404' },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, subresources: { status: {} } }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'the status subresource is gone: writes of /status get 404',
  },
  *compare({ old, shared }) {
    for (const { old: before, new: after } of shared) {
      if (!after.served || subresource(before, 'status') === undefined) continue;
      if (subresource(after, 'status') !== undefined) continue;
      yield {
        id: 'removed',
        version: after.name,
        place: { side: 'new', keys: ['spec', 'versions', after.index] },
        request: {
          verb: 'PATCH',
          path: `${objectPath(old, after.name)}/status`,
          contentType: 'application/merge-patch+json',
          body: { status: {} },
          before: { status: 200 },
          after: notFound,
        },
      };
    }
  },
});

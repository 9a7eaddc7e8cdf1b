import { from } from '../../../rule/index.js';
import { notFound, objectPath } from './requests.js';
import { subresource } from './subresources.js';
import { defineContractRule } from './rule.js';

export const scaleSubresourceRemoved = defineContractRule({
  id: 'ScaleSubresourceRemoved',
  audience: 'clients',
  fields: ['spec.versions[].subresources.scale'],
  checks: 'A served version loses its scale subresource.',
  why: 'kubectl scale, HorizontalPodAutoscalers and PodDisruptionBudgets get 404 from /scale.',
  otherwise: 'the server could not find the requested resource',
  instead: 'Keep subresources.scale.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: {
    added: 'a scale subresource is added',
    removed: 'the scale subresource is gone: kubectl scale and autoscalers get 404',
  },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, subresources: { scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } } }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'the scale subresource is gone: kubectl scale and autoscalers get 404',
  },
  *compare({ old, shared }) {
    for (const { old: before, new: after } of shared) {
      const [scale, now] = [subresource(before, 'scale'), subresource(after, 'scale')];
      const common = { version: after.name } as const;
      if (scale === undefined && now !== undefined) {
        const place = {
          side: 'new',
          keys: ['spec', 'versions', after.index, 'subresources'],
        } as const;
        yield { ...common, place, id: 'added', isHarmless: true };
      }
      if (!after.served || scale === undefined || now !== undefined) continue;
      yield {
        ...common,
        id: 'removed',
        place: { side: 'new', keys: ['spec', 'versions', after.index] },
        request: {
          verb: 'GET',
          path: `${objectPath(old, after.name)}/scale`,
          before: { status: 200 },
          after: notFound,
        },
      };
    }
  },
});

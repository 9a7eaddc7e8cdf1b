import { from } from '../../../rule/index.js';
import { objectPath } from './requests.js';
import { subresource, textOf } from './subresources.js';
import { defineContractRule } from './rule.js';

const paths = ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'] as const;

export const scaleSubresourceChanged = defineContractRule({
  id: 'ScaleSubresourceChanged',
  audience: 'clients',
  fields: ['spec.versions[].subresources.scale'],
  checks: 'The scale subresource of a served version reads another field.',
  why: 'Autoscalers read and write another number than before: of objects that do not have the new field, /scale answers 500.',
  otherwise: 'the spec replicas field ".spec.size" does not exist',
  instead:
    'Keep the paths; fill the new field from the old one first, and change them one release later.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { changed: '{name} changes from {before} to {after}: /scale reads another field' },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, subresources: { scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } } }] }',
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, subresources: { scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.replicas } } }] }',
    says: 'specReplicasPath changes from .spec.replicas to .spec.size',
  },
  *compare({ old, shared }) {
    for (const { old: before, new: after } of shared) {
      const [scale, now] = [subresource(before, 'scale'), subresource(after, 'scale')];
      if (!after.served || scale === undefined || now === undefined) continue;
      for (const name of paths) {
        const [from, to] = [textOf(scale, name), textOf(now, name)];
        if (from === to) continue;
        const keys = ['spec', 'versions', after.index, 'subresources', 'scale'];
        const isSpec = name === 'specReplicasPath';
        yield {
          id: 'changed',
          data: { name, before: from || 'none', after: to || 'none' },
          version: after.name,
          place: { side: 'new', keys: to === '' ? keys : [...keys, name] },
          request: {
            verb: 'GET',
            path: `${objectPath(old, after.name)}/scale`,
            before: { status: 200 },
            after: isSpec
              ? { status: 500, reason: 'InternalError' }
              : {
                  status: 200,
                  reason: `${name === 'labelSelectorPath' ? 'another selector' : 'another number'}`,
                },
          },
        };
      }
    }
  },
});

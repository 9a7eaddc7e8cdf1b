import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../../crd/custom-resource-definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { objectAt, textAt } from '../../../text/documents/fields.js';
import { from, type WitnessAnswer, type WitnessRequest } from '../../../rule/index.js';
import { notFound, objectPath } from './requests.js';
import { defineContractRule } from './rule.js';

function subresource(
  { document }: DefinitionVersion,
  name: 'status' | 'scale',
): JsonObject | undefined {
  return objectAt(document, 'subresources', name);
}

export function textOf(object: JsonObject, name: string): string {
  return textAt(object, name) ?? '';
}

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
        request: scaleRequest(old, after.name, notFound),
      };
    }
  },
});

function scaleRequest(
  old: CustomResourceDefinition,
  version: string,
  after: WitnessAnswer,
): WitnessRequest {
  return { verb: 'GET', path: `${objectPath(old, version)}/scale`, before: { status: 200 }, after };
}

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
        const reason = name === 'labelSelectorPath' ? 'another selector' : 'another number';
        const isSpec = name === 'specReplicasPath';
        const answer = isSpec ? { status: 500, reason: 'InternalError' } : { status: 200, reason };
        yield {
          id: 'changed',
          data: { name, before: from || 'none', after: to || 'none' },
          version: after.name,
          place: { side: 'new', keys: to === '' ? keys : [...keys, name] },
          request: scaleRequest(old, after.name, answer),
        };
      }
    }
  },
});

import { from } from '../../../rule/index.js';
import { isObject, own, stringifyJson, type JsonObject } from '../../../text/documents/index.js';
import type { CustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { nameIn, valueIn } from './requests.js';
import { defineContractRule } from './rule.js';

/** Injectors only fill in conversion webhooks, and approvals only count in groups of the community. */
function readByTools(key: string, text: string | undefined, definition: CustomResourceDefinition) {
  if (key === 'api-approved.kubernetes.io') {
    const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(nameIn(definition, 'group'));
    return isProtected ? text?.replace(/^"(?!unapproved).*:\/\/.*$/s, 'approved') : undefined;
  }
  if (/^(?:cert-manager\.io|service\.beta\.openshift\.io)\/inject-/.test(key)) {
    return definition.convertsByWebhook ? text : undefined;
  }
  if (key === 'helm.sh/resource-policy') return text === '"keep"' ? text : undefined;
  // These two tools also write down what they track by.
  const isRead =
    (key.startsWith('argocd.argoproj.io/') &&
      !/\/(?:tracking-id|installation-id|instance)$/.test(key)) ||
    (key.startsWith('kustomize.toolkit.fluxcd.io/') &&
      !/\/(?:name|namespace|checksum)$/.test(key)) ||
    key.startsWith('cluster.x-k8s.io/');
  return isRead ? text : undefined;
}

/** Annotations that record which tool wrote the definition, and how. */
const bookkeeping = [
  'controller-gen.kubebuilder.io/version',
  'kubectl.kubernetes.io/last-applied-configuration',
];

export const toolMetadataChanged = defineContractRule({
  id: 'ToolMetadataChanged',
  audience: 'apply',
  fields: ['metadata.annotations', 'metadata.labels'],
  checks:
    'An annotation or label changes that tools act on: API approval, injected certificates, what Helm, Argo CD, Flux or Cluster API do with the definition.',
  why: 'Without the injected certificate a conversion webhook stops working; without helm.sh/resource-policy: keep an uninstall takes the definition with all its objects; without the approval a *.k8s.io definition counts as not conformant.',
  instead: 'Carry the annotations and labels over into the new release.',
  source: from.kubernetesPages('Well-Known Labels, Annotations and Taints'),
  messages: {
    added: '{what} "{key}" is added',
    removed: '{what} "{key}" is removed',
    changed: '{what} "{key}" changes',
    actedRemoved: '{what} "{key}" is removed: it was {before}',
    actedChanged: '{what} "{key}" changes from {before} to {after}',
  },
  example: {
    before:
      'metadata: { name: widgets.example.com, annotations: { helm.sh/resource-policy: keep } }\nspec: {}',
    after: 'metadata: { name: widgets.example.com }\nspec: {}',
    says: 'annotation "helm.sh/resource-policy" is removed: it was "keep"',
  },
  *compare({ old, next }) {
    for (const kind of ['annotations', 'labels'] as const) {
      const [before, after] = [old, next].map(({ document }) => {
        const found = valueIn(document, 'metadata', kind);
        return isObject(found ?? null) ? (found as JsonObject) : {};
      }) as [JsonObject, JsonObject];
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [was, is] = [own(before, key), own(after, key)].map((value) =>
          value === undefined ? undefined : stringifyJson(value),
        );
        if (was === is || bookkeeping.includes(key)) continue;
        // Without a webhook in the new definition, an injector has nothing left to fill in.
        const isActed =
          readByTools(key, was, next) !== undefined &&
          readByTools(key, was, old) !== readByTools(key, is, next);
        const what = kind.slice(0, -1);
        yield {
          ...(was === undefined
            ? { id: 'added', data: { what, key } }
            : is === undefined
              ? { id: isActed ? 'actedRemoved' : 'removed', data: { what, key, before: was } }
              : {
                  id: isActed ? 'actedChanged' : 'changed',
                  data: { what, key, before: was, after: is },
                }),
          place: { side: 'new', keys: ['metadata', ...(is === undefined ? [] : [kind, key])] },
          ...(isActed ? {} : { isHarmless: true }),
        };
      }
    }
  },
});

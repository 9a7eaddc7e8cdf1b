import { lifecycleText, removedResource } from '../../../objects/kubernetes-apis.js';
import { objectsAt, textsAt } from '../../../../text/documents/fields.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';

const asking = (group: string): string => `
      kind: ClusterServiceVersion
      metadata: { name: cats.v1, namespace: pets }
      spec:
        install:
          spec:
            clusterPermissions:
              - serviceAccountName: cats
                rules: [{ apiGroups: [${group}], resources: [ingresses], verbs: [get] }]`;

export const removedApiPermissions = defineOlmRule({
  id: 'RemovedApiPermissions',
  subject: 'ClusterServiceVersion',
  family: 'catalogs',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'The permissions of a ClusterServiceVersion name no API of Kubernetes that is gone in every version.',
  why: 'An operator that asks for such an API most likely still calls it. On a cluster that no longer has it, the operator fails after the cluster’s update, without any warning beforehand.',
  otherwise: 'the server could not find the requested resource (in the operator’s log)',
  instead:
    'Move the operator to the API that took its place, and ask for permissions on that; keep the old one only as long as old clusters are supported, with spec.minKubeVersion set accordingly.',
  source: sources(
    from.kubernetesPages('Deprecated API Migration Guide'),
    from.openShift('Update paths'),
  ),
  messages: { removed: 'asks for {resource} of group {group}, of which every version {gone}' },
  example: {
    after: asking('extensions'),
    says: 'asks for ingresses of group extensions, of which every version is gone since Kubernetes 1.22; use networking.k8s.io/v1 Ingress',
    accepted: asking('networking.k8s.io'),
  },
  *judge({ object }) {
    const seen = new Set<string>();
    for (const list of ['permissions', 'clusterPermissions']) {
      const permissions = objectsAt(object, 'spec', 'install', 'spec', list);
      for (const [index, permission] of permissions.entries()) {
        for (const [at, rule] of objectsAt(permission, 'rules').entries()) {
          const groups = textsAt(rule, 'apiGroups');
          for (const group of groups) {
            for (const resource of textsAt(rule, 'resources')) {
              const gone = removedResource(group, resource);
              // One list of groups for old and new clusters names the resource in both.
              const isElsewhere = groups.some(
                (other) => other !== group && gone?.replacement?.startsWith(`${other}/`),
              );
              if (gone === undefined || isElsewhere || seen.has(`${group}/${resource}`)) continue;
              seen.add(`${group}/${resource}`);
              yield {
                id: 'removed',
                data: { resource, group, gone: lifecycleText(gone) },
                path: `$.spec.install.spec.${list}[${index}].rules[${at}]`,
                cause: `${group}/${resource}`,
              };
            }
          }
        }
      }
    }
  },
});

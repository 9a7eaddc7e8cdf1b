import type { JsonObject } from '../../../../text/documents/index.js';
import { aCsv, describeRule } from '../testing/harness.js';
import { removedApiPermissions } from './removed-api-permissions.js';

const asking = (apiGroups: string[], resources: string[]): JsonObject =>
  aCsv({
    spec: {
      install: {
        spec: {
          clusterPermissions: [
            { serviceAccountName: 'a', rules: [{ apiGroups, resources, verbs: ['get'] }] },
          ],
        },
      },
    },
  });

describeRule(removedApiPermissions, [
  { when: 'none is asked', object: aCsv(), says: [] },
  {
    when: 'some version is left',
    object: asking(['apps', 'policy', ''], ['deployments', 'poddisruptionbudgets', 'pods']),
    says: [],
  },
  { when: 'it is not of Kubernetes', object: asking(['pets.io'], ['cats']), says: [] },
  {
    when: 'every version is gone',
    object: asking(['policy'], ['podsecuritypolicies']),
    says: [
      'warning: asks for podsecuritypolicies of group policy, of which every version is gone since Kubernetes 1.25',
    ],
  },
  {
    when: 'also a part of it',
    object: asking(['extensions'], ['ingresses/status']),
    says: [
      /^warning: asks for ingresses\/status of group extensions, .* gone since Kubernetes 1.22/,
    ],
  },
  {
    when: 'the new group stands beside the old one',
    object: asking(['extensions', 'networking.k8s.io'], ['ingresses']),
    says: [],
  },
]);

import type { JsonObject } from '../../../../text/documents/index.js';
import { aCsv, describeRule } from '../testing/harness.js';
import { removedApiPermissions } from './csv-contents.js';

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
      {
        id: 'removed',
        data: {
          resource: 'podsecuritypolicies',
          group: 'policy',
          gone: 'is gone since Kubernetes 1.25',
        },
      },
    ],
  },
  {
    when: 'also a part of it',
    object: asking(['extensions'], ['ingresses/status']),
    says: [
      {
        id: 'removed',
        data: {
          resource: 'ingresses/status',
          group: 'extensions',
          gone: 'is gone since Kubernetes 1.22; use networking.k8s.io/v1 Ingress',
        },
      },
    ],
  },
  {
    when: 'the new group stands beside the old one',
    object: asking(['extensions', 'networking.k8s.io'], ['ingresses']),
    says: [],
  },
]);

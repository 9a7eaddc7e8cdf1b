import { makeObject } from '../objects/testing/harness.js';
import { deletionPending } from './latent-risks.js';
import { describeScanRule, withApi } from './testing/scan-rows.js';

const deleted = (kind: string, finalizers: string[]) =>
  withApi(
    makeObject(kind, 'one', 'ns', {
      metadata: {
        name: 'one',
        namespace: 'ns',
        deletionTimestamp: '2026-11-03T08:00:00Z',
        finalizers,
      },
    }),
  );

describeScanRule(deletionPending, [
  {
    when: 'a definition, a group and a plan wait for finalizers',
    objects: [
      { ...deleted('CustomResourceDefinition', ['a']), apiVersion: 'apiextensions.k8s.io/v1' },
      deleted('OperatorGroup', ['a', 'b']),
      deleted('InstallPlan', ['a']),
    ],
    says: [
      {
        of: 'ns/one',
        id: 'pending',
        data: { since: '2026-11-03T08:00:00Z', finalizers: 'finalizer a is' },
      },
      {
        of: 'ns/one',
        id: 'pending',
        data: { since: '2026-11-03T08:00:00Z', finalizers: 'finalizer a is' },
      },
      {
        of: 'ns/one',
        id: 'pending',
        data: { since: '2026-11-03T08:00:00Z', finalizers: 'finalizers a, b are' },
      },
    ],
  },
  {
    when: 'a finalizer of an object that nobody deletes is none',
    objects: [
      withApi(
        makeObject('OperatorGroup', 'one', 'ns', { metadata: { name: 'one', finalizers: ['a'] } }),
      ),
    ],
    says: [],
  },
]);

import type { JsonObject } from '../../../text/documents/index.js';
import { revisionFailing } from './v1-failing.js';
import { describeScanRule } from './testing/scan-rows.js';

const old = '2026-01-01T00:00:00Z';
const rollingOut: JsonObject = { type: 'Progressing', status: 'True', reason: 'RollingOut' };

function revision(
  conditions: readonly JsonObject[],
  {
    kind = 'ClusterObjectSet',
    metadata = {},
    spec = { lifecycleState: 'Active', progressDeadlineMinutes: 10 },
  }: { kind?: string; metadata?: JsonObject; spec?: JsonObject } = {},
): JsonObject {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind,
    metadata: { name: 'queue-2', creationTimestamp: old, ...metadata },
    spec,
    status: { conditions: [...conditions] },
  };
}

const overdue = {
  of: 'queue-2',
  id: 'overdue',
  data: { minutes: 10 },
};

describeScanRule(revisionFailing, [
  {
    when: 'its deadline has passed, and OLM reports progress still',
    objects: [revision([rollingOut])],
    says: [overdue],
  },
  {
    when: 'its deadline has passed before OLM wrote anything, under its old kind',
    objects: [revision([], { kind: 'ClusterExtensionRevision' })],
    says: [overdue],
  },
  {
    when: 'its deadline has passed while OLM tries again: said once',
    objects: [
      revision([{ ...rollingOut, reason: 'Retrying', lastTransitionTime: old, message: 'no' }], {
        metadata: { labels: { 'olm.operatorframework.io/owner-name': 'queue' } },
      }),
    ],
    says: [{ of: 'queue-2', id: 'overdueOfExtension', data: { minutes: 10, extension: 'queue' } }],
  },
  {
    when: 'OLM has reported the deadline itself',
    objects: [
      revision([{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }]),
    ],
    says: [{ of: 'queue-2', id: 'stuck' }],
  },
  {
    when: 'blocked goes before the deadline',
    objects: [revision([{ type: 'Progressing', status: 'False', reason: 'Blocked' }])],
    says: [{ of: 'queue-2', id: 'stuck' }],
  },
  {
    when: 'it succeeded once, is archived, has no deadline, has time left, or is being deleted',
    objects: [
      revision([rollingOut, { type: 'Succeeded', status: 'True', reason: 'Succeeded' }]),
      revision([{ ...rollingOut, reason: 'Succeeded' }], { metadata: { name: 'rolled-out' } }),
      revision([rollingOut], {
        metadata: { name: 'archived' },
        spec: { lifecycleState: 'Archived', progressDeadlineMinutes: 10 },
      }),
      revision([rollingOut], {
        metadata: { name: 'unlimited' },
        spec: { lifecycleState: 'Active' },
      }),
      revision([rollingOut], {
        metadata: { name: 'young', creationTimestamp: new Date().toISOString() },
      }),
      revision([rollingOut], { metadata: { name: 'deleted', deletionTimestamp: old } }),
    ],
    says: [],
  },
]);

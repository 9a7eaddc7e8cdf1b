import type { JsonObject } from '../../text/documents/index.js';
import {
  describeClash,
  judgeMembership,
  type Membership,
  readCsv,
  recoveryOf,
} from '../../olm/index.js';
import { objectAt } from '../../text/documents/fields.js';
import { findingNamed, ruleNamed } from '../../policy/index.js';
import { readGroups, readNamespaces, splitGroups } from './group-inputs.js';
import { defineOperation } from './operation.js';
import { memberInput } from './operatorgroup-schemas.js';

export const membership = defineOperation<JsonObject>({
  name: 'membership',
  summary: 'Whether a ClusterServiceVersion is a member of its OperatorGroup, and if not, why.',
  input: memberInput,
  judge(input) {
    const csv = readCsv(objectAt(input, 'clusterServiceVersion') ?? {});
    const result = judgeMembership({
      csv,
      ...splitGroups(readGroups(input, 'operatorGroups'), csv.namespace),
      namespaces: readNamespaces(input),
    });
    const failed = result.state === 'failed';
    // The reason of a status that stays as it is may be any text that a client wrote there.
    const reason = result.reason ?? '';
    const rule = ruleNamed(reason) === undefined ? 'OperatorGroupMembership' : reason;
    return {
      allowed: !failed,
      findings: failed ? [findingNamed(rule, { severity: 'error', message: result.message })] : [],
      output: {
        member: result.member,
        state: result.state,
        operatorGroup: result.group?.name,
        phase: failed ? 'Failed' : undefined,
        reason: result.reason,
        message: result.message,
        annotations: Object.fromEntries(result.annotations),
        clashes: result.intersection?.clashes ?? [],
        recovery: recoveryOf(csv, result),
        explanation: explain(result),
      },
    };
  },
});

function explain(result: Membership): string[] {
  const clashes = (result.intersection?.clashes ?? []).map(describeClash);
  if (result.member || result.group === null) return clashes;
  return [
    'A member needs both: to be in the namespace of the group and to support its target namespaces. ' +
      'OpenShift’s documentation says that either suffices; OLM wants both.',
    ...clashes,
  ];
}

/** Answers to objects that the API server took and no rule can read: they are refused as any finding is. */
import { ClusterError } from '../facts/cluster/view.js';
import type { Finding } from '../../rule/index.js';
import { unreadableObject } from '../../upgrade/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { UnfinishedError, type Assessment, type Reviewer } from './reviewer.js';

/**
 * Whether something failed that the object has no part in: the cluster, the network, time. Whoever
 * wrote the object cannot have made this happen; everything else they can.
 */
export function isInfrastructureError(error: unknown): boolean {
  if (error instanceof UnfinishedError || error instanceof ClusterError) return true;
  const { name, syscall } = error as { readonly name?: unknown; readonly syscall?: unknown };
  return name === 'AbortError' || name === 'TimeoutError' || typeof syscall === 'string';
}

/**
 * The assessment of an object that a reviewer failed on. What is wrong with the stored object is not
 * held against the request, nor is a deletion.
 */
export function unreadable(
  error: unknown,
  request: AdmissionRequest,
  reviewer: Reviewer,
): Assessment {
  const { kind, name = '', operation, oldObject } = request;
  const findings = [findingOf(error, reviewer)];
  const isStored =
    !!oldObject &&
    (operation === 'DELETE' ||
      (error instanceof InvalidInputError &&
        error.where.path?.startsWith('request.oldObject') === true));
  return {
    findings,
    previous: () => (isStored ? findings : []),
    groups: reviewer.groupsOf(request),
    message: (denied) =>
      `${kind.kind} ${name} was refused by olm-guard, which cannot judge what it says: ${denied.map(({ message }) => message).join('; ')}`,
    command: 'olm-guard explain UnreadableObject',
  };
}

function findingOf(error: unknown, { family }: Reviewer): Finding {
  const words =
    error instanceof InvalidInputError
      ? { id: 'unreadable', data: { problem: error.describe() } }
      : { id: 'failed' };
  // There is no proof for what cannot be read, and that is no way past a policy that wants one.
  return { ...unreadableObject.finding(words), family, unprovable: true };
}

/** Denies objects that the API server accepts and no rule can read, with a finding like any other. */
import { ClusterError } from '../../cluster/index.js';
import type { Finding } from '../../rule/index.js';
import { unreadableObject } from '../../upgrade/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { UnfinishedError, type Assessment, type Reviewer } from './reviewer.js';

/** Caused by the cluster, the network or a time limit: an object's author may have caused any other error. */
export function isInfrastructureError(error: unknown): boolean {
  if (error instanceof UnfinishedError || error instanceof ClusterError) return true;
  const { name, syscall } = error as { readonly name?: unknown; readonly syscall?: unknown };
  return name === 'AbortError' || name === 'TimeoutError' || typeof syscall === 'string';
}

/** An error in the stored object does not deny the request, and neither does a deletion. */
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
  // Nothing can be proven of an unreadable object; `unprovable` denies it also under `enforce: proven`.
  return { ...unreadableObject.finding(words), family, unprovable: true };
}

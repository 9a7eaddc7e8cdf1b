/** Requests that are never denied, whatever the findings: the gate must not cause an outage itself. */
import { copiedFromLabel } from '../olm/index.js';
import { isObject, type JsonObject, metaOf, own, sameJson } from '../text/documents/index.js';

export interface GuardedRequest {
  readonly subResource?: string | undefined;
  readonly user?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
}

const controllers: ReadonlyMap<string, string> = new Map([
  ['system:apiserver', 'the API server'],
  ['system:serviceaccount:kube-system:generic-garbage-collector', 'the garbage collector'],
  ['system:serviceaccount:kube-system:namespace-controller', 'the namespace controller'],
]);

/** Fields of metadata that a write may change freely; all but the first three are the API server's own. */
const bookkeeping: ReadonlySet<string> = new Set([
  'labels',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'resourceVersion',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'uid',
]);

/** Fields of metadata that an API server takes from a write of a definition's status. */
const takenWithStatus = ['labels', 'annotations', 'ownerReferences', 'finalizers'];

const annotated: ReadonlySet<string> = new Set([...bookkeeping, 'annotations']);

/** Why the request is never denied, whatever it changes. */
export function guarantee(request: GuardedRequest): string | undefined {
  if (request.subResource === 'status' && !bringsMetadata(request)) {
    return 'status writes are never denied';
  }
  const controller = controllers.get(request.user ?? '');
  return controller === undefined ? undefined : `${controller} is never denied`;
}

/** @param isStatusReviewed whether writes of this status are judged like others */
export function isNeverDenied(
  { subResource, ...request }: GuardedRequest,
  isStatusReviewed: boolean,
): boolean {
  const isOpen = isStatusReviewed && subResource === 'status';
  return guarantee(isOpen ? request : { ...request, subResource }) !== undefined;
}

/** The last finalizer of an object that is being deleted is removed: the API server sends no review of that DELETE. */
export function isDeletedByWrite({ object, oldObject }: GuardedRequest): boolean {
  if (object === undefined || oldObject === undefined) return false;
  const { deletionTimestamp, finalizers } = metaOf(oldObject);
  return (
    deletionTimestamp !== undefined &&
    finalizers.length > 0 &&
    metaOf(object).finalizers.length === 0
  );
}

/** Such a write of the status is judged like any write of the object; its spec is the stored one. */
function bringsMetadata({ object, oldObject }: GuardedRequest): boolean {
  const [next, old] = [own(object ?? {}, 'metadata'), own(oldObject ?? {}, 'metadata')];
  return (
    isObject(next) &&
    isObject(old) &&
    takenWithStatus.some((field) => !sameJson(own(next, field), own(old, field)))
  );
}

export function onlyBookkeepingChanges(request: GuardedRequest): string | undefined {
  const { object, oldObject } = request;
  if (object === undefined || oldObject === undefined || isDeletedByWrite(request))
    return undefined;
  return isOnlyBookkeeping(object, oldObject)
    ? 'the request changes only labels, finalizers, owner references, managed fields or status'
    : undefined;
}

/** Whether nothing but annotations, bookkeeping and status differ. */
export function touchesOnlyAnnotations(object: JsonObject, oldObject: JsonObject): boolean {
  return isOnlyBookkeeping(object, oldObject, annotated);
}

function isOnlyBookkeeping(a: JsonObject, b: JsonObject, free = bookkeeping): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    if (key === 'status') continue;
    const [left, right] = [own(a, key), own(b, key)];
    const same =
      key === 'metadata' && isObject(left) && isObject(right)
        ? sameMetadata(left, right, free)
        : sameJson(left, right);
    if (!same) return false;
  }
  return true;
}

function sameMetadata(a: JsonObject, b: JsonObject, free: ReadonlySet<string>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return (
    copiedFrom(a) === copiedFrom(b) &&
    [...keys].every((key) => free.has(key) || sameJson(own(a, key), own(b, key)))
  );
}

/** OLM ignores the content of copies, so this label, unlike others, changes what the object means. */
function copiedFrom(metadata: JsonObject): string | undefined {
  return metaOf({ metadata }).label(copiedFromLabel);
}

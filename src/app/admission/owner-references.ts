/**
 * Owner references by which the garbage collector deletes a definition: it asks nobody that the gate
 * could answer, so the reference is looked at when it is set.
 *
 * Source: Kubernetes' garbage collector deletes an object when none of its owners exists; an owner
 * with another uid is another owner. A kind that lives in namespaces it cannot resolve for an object
 * without one, and then it deletes nothing. Nor does it while a kind is not served, which may change.
 */
import type { ClusterView } from '../facts/cluster/view.js';
import {
  type Counted,
  storedFinding,
  ownerReferenceCollects,
  ownerReferenceUnknown,
  describeStored,
  type StoredSubject,
  unseenFinding,
} from '../../upgrade/index.js';
import { isOwnerOfOlm } from '../../olm/index.js';
import { metaOf, type JsonObject, type OwnerReference } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';

/** Owners that are looked up; an object has one or two. */
const maxOwners = 10;

// Whoever can create an owner of OLM's kinds can name it and delete it later, so they count only where OLM
// itself sets them.

type Owner =
  | 'there'
  /** While it is named the collector deletes nothing. */
  | 'unresolvable'
  /** Why it keeps nothing alive. */
  | { readonly gone: string }
  | { readonly unknown: string };

export interface Owned {
  readonly subject: StoredSubject;
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** Asked for only when there is something to say. */
  readonly count: () => Promise<Counted>;
  /** Whether policy denies what cannot be judged. */
  readonly isUnseenDenied: boolean;
  readonly requester: {
    readonly name: string;
    /** Whether the policy trusts it as OLM. */
    readonly isOlm: boolean;
  };
}

/**
 * Of a definition without objects, such as a new one, an owner is told and never denied: Crossplane, for
 * one, owns the definitions that it creates.
 */
export async function ownerReferenceFindings(owned: Owned, view: ClusterView): Promise<Finding[]> {
  const { subject, old, next, count, isUnseenDenied, requester } = owned;
  const [before, after] = [metaOf(old).ownerReferences, metaOf(next).ownerReferences];
  const known = new Set(before.map(identityOf));
  const isSame =
    before.length === after.length && after.every((each) => known.has(identityOf(each)));
  if (after.length === 0 || isSame) return [];
  const owners = await Promise.all(
    after.slice(0, maxOwners).map((reference) => lookUp(reference, view)),
  );
  const rule = ownerReferenceCollects.id;
  const inNamespaces = after.filter((_, index) => owners[index] === 'unresolvable');
  const isSetByOlm = (each: OwnerReference): boolean =>
    isOwnerOfOlm(each) && (requester.isOlm || known.has(identityOf(each)));
  const misplaced = inNamespaces.filter(
    (each) => !known.has(identityOf(each)) && !isSetByOlm(each),
  );
  if (misplaced.length > 0) {
    const counted = await count();
    const message = `${misplaced.map(nameOf).join(' and ')} is of a kind that lives in namespaces; once that kind is made anew without them, the garbage collector deletes ${subject.name} and ${whatever(subject, counted)} with it${trustHint(misplaced, requester.name)}`;
    const ofOwner = isEmpty(counted) ? rule : ownerReferenceUnknown.id;
    return [storedFinding(subject, ofOwner, 'warning', message, 'data-loss')];
  }
  const keeping = after.filter((_, index) => owners[index] === 'there');
  const strange = keeping.filter((each) => !isSetByOlm(each));
  const isBait = strange.some((each) => !known.has(identityOf(each)));
  if (inNamespaces.length > 0 && !isBait) return [];
  if (keeping.length > 0) {
    const named = new Set(after.map(identityOf));
    const isAsBefore =
      keeping.every((each) => known.has(identityOf(each))) &&
      before.every((each) => named.has(identityOf(each)));
    if (isAsBefore) return [];
    const counted = await count();
    if (isEmpty(counted) && strange.length === 0) return [];
    const what = keeping.map(nameOf).join(' and ');
    const message = `from now on the deletion of ${what} deletes ${subject.name} and ${whatever(subject, counted)} with it${trustHint(strange, requester.name)}`;
    const ofOwner = strange.length > 0 && !isEmpty(counted) ? ownerReferenceUnknown.id : rule;
    return [storedFinding(subject, ofOwner, 'warning', message, 'data-loss')];
  }
  const unknown = owners.find((owner) => typeof owner === 'object' && 'unknown' in owner);
  if (unknown !== undefined || after.length > maxOwners) {
    const why = unknown ?? { unknown: `it names ${after.length} owners` };
    const counted = await count();
    const message = `whether the owners exist that ${subject.name} is given could not be seen (${reasonOf(why)}); if they do not, the garbage collector deletes it and ${whatever(subject, counted)} with it`;
    const isDenied = isUnseenDenied && !isEmpty(counted);
    return [unseenFinding(subject, rule, message, { isDenied })];
  }
  const counted = await count();
  const message = `the garbage collector deletes ${subject.name} and ${whatever(subject, counted)} with it: ${owners.map(reasonOf).join(', ')}`;
  const severity = isEmpty(counted) ? 'warning' : 'error';
  return [storedFinding(subject, rule, severity, message, 'data-loss')];
}

function isEmpty(counted: Counted): boolean {
  return 'objects' in counted && counted.objects === 0;
}

/** OLM may run under an account that the policy does not name. */
function trustHint(references: readonly OwnerReference[], name: string): string {
  const olm = references.filter(isOwnerOfOlm);
  return olm.length === 0
    ? ''
    : `; only OLM sets a ${olm[0]?.kind ?? ''} as owner: if ${JSON.stringify(name)} is OLM, name it in trusted.olmServiceAccounts of the policy`;
}

async function lookUp(reference: OwnerReference, view: ClusterView): Promise<Owner> {
  const what = nameOf(reference);
  try {
    // Files do not say what is served.
    if (view.resourceOf === undefined) return 'there';
    const resource = await view.resourceOf(reference.apiVersion, reference.kind);
    if (resource === undefined) return { unknown: `${what}: its kind is not served` };
    if (resource.namespaced) return 'unresolvable';
    const owner = await view.get(resource, reference.name);
    const { uid, deletionTimestamp } = metaOf(owner);
    // Whether there is another of that name is for those who may read it.
    if (owner === undefined || uid === '' || uid !== reference.uid) {
      return { gone: `no ${what} has that uid` };
    }
    return deletionTimestamp === undefined ? 'there' : { gone: `${what} is being deleted` };
  } catch (error) {
    return { unknown: `${what}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** All four fields: the collector looks the owner up by name and kind, and then compares its uid. */
function identityOf({ apiVersion, kind, name, uid }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid]);
}

function nameOf({ kind, name }: OwnerReference): string {
  return `${kind} "${name}"`;
}

function reasonOf(owner: Owner): string {
  if (typeof owner === 'string') return '';
  return 'gone' in owner ? owner.gone : owner.unknown;
}

function whatever(subject: StoredSubject, counted: Counted): string {
  if ('unseen' in counted) return `every stored ${subject.kind}`;
  return isEmpty(counted)
    ? `every ${subject.kind} that is stored by then`
    : describeStored(subject, counted);
}

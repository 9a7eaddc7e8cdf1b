/**
 * Owner references by which the garbage collector deletes a definition. The gate cannot deny that deletion:
 * the collector's requests always pass. So the reference is judged when it is set.
 *
 * Source: Kubernetes' garbage collector deletes an object when none of its owners exists. An owner with
 * another uid does not count. For an object without a namespace it cannot resolve an owner of a namespaced
 * kind, and then it deletes nothing. While a kind is not served it deletes nothing either.
 */
import type { ClusterView } from '../../cluster/index.js';
import {
  type Counted,
  ownerReferenceCollects,
  ownerReferenceUnknown,
  describeStored,
  type StoredSubject,
} from '../../upgrade/index.js';
import { isOwnerOfOlm } from '../../olm/index.js';
import { metaOf, type JsonObject, type OwnerReference } from '../../text/documents/index.js';
import { type Finding, referenceToDefinition } from '../../rule/index.js';

/** How many owners are looked up; an object usually has one or two. */
const maxOwners = 10;

// An owner of one of OLM's kinds counts only if OLM sets it: anybody else who can create one could name it
// here and delete it later.

type Owner =
  | 'there'
  /** The collector deletes nothing while it is named. */
  | 'unresolvable'
  /** Why it does not keep the definition. */
  | { readonly gone: string }
  | { readonly unknown: string };

export interface Owned {
  readonly subject: StoredSubject;
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** Counts stored objects; called only when there may be a finding. */
  readonly count: () => Promise<Counted>;
  /** Whether the policy denies what cannot be judged. */
  readonly isUnseenDenied: boolean;
  readonly requester: {
    readonly name: string;
    /** Whether the policy trusts it as OLM. */
    readonly isOlm: boolean;
  };
}

/** Without stored objects a warning at most: Crossplane, for example, owns the definitions that it creates. */
export async function ownerReferenceFindings(owned: Owned, view: ClusterView): Promise<Finding[]> {
  const { ownerReferences: before } = metaOf(owned.old);
  const { ownerReferences: after } = metaOf(owned.next);
  const isNew = notAmong(before);
  const isGone = notAmong(after);
  if (after.length === 0 || (before.length === after.length && !after.some(isNew))) return [];
  const owners = await Promise.all(
    after.slice(0, maxOwners).map((reference) => lookUp(reference, view)),
  );
  const inNamespaces = after.filter((_, index) => owners[index] === 'unresolvable');
  const keeping = after.filter((_, index) => owners[index] === 'there');
  const isForeign = (each: OwnerReference): boolean =>
    !isOwnerOfOlm(each) || (isNew(each) && !owned.requester.isOlm);
  const misplaced = inNamespaces.filter((each) => isNew(each) && isForeign(each));
  if (misplaced.length > 0) {
    return [ownedFinding('misplaced', misplaced, misplaced, owned, await owned.count())];
  }
  const foreign = keeping.filter(isForeign);
  if (inNamespaces.length > 0 && !foreign.some(isNew)) return [];
  if (keeping.length === 0) return [await collectedFinding(after, owners, owned)];
  if (!keeping.some(isNew) && !before.some(isGone)) return [];
  const counted = await owned.count();
  if (isEmpty(counted) && foreign.length === 0) return [];
  return [ownedFinding('keeps', keeping, foreign, owned, counted)];
}

/** @param foreign those that OLM did not set */
function ownedFinding(
  id: 'misplaced' | 'keeps',
  owners: readonly OwnerReference[],
  foreign: readonly OwnerReference[],
  { subject, requester }: Owned,
  counted: Counted,
): Finding {
  const isUnknown = foreign.length > 0 && !isEmpty(counted);
  const rule = isUnknown ? ownerReferenceUnknown : ownerReferenceCollects;
  const data = {
    owners: owners.map(nameOf).join(' and '),
    ...subjectData(subject, counted),
    hint: trustHint(foreign, requester.name),
  };
  return rule.finding({ id, data, severity: 'warning', ...subjectShared(subject) });
}

/** None of the owners keeps the definition alive, as far as could be seen. */
async function collectedFinding(
  after: readonly OwnerReference[],
  owners: readonly Owner[],
  { subject, count, isUnseenDenied }: Owned,
): Promise<Finding> {
  const counted = await count();
  const unknown = owners.find((owner) => typeof owner === 'object' && 'unknown' in owner);
  const isUnseen = unknown !== undefined || after.length > maxOwners;
  const why = isUnseen
    ? reasonOf(unknown ?? { unknown: `it names ${after.length} owners` })
    : owners.map(reasonOf).join(', ');
  const isDenied = (!isUnseen || isUnseenDenied) && !isEmpty(counted);
  return ownerReferenceCollects.finding({
    id: isUnseen ? 'unknown' : 'collects',
    data: { ...subjectData(subject, counted), why },
    severity: isDenied ? 'error' : 'warning',
    ...subjectShared(subject),
  });
}

function subjectData(subject: StoredSubject, counted: Counted): { name: string; stored: string } {
  return { name: subject.name, stored: whatever(subject, counted) };
}

function subjectShared({ name }: StoredSubject): Pick<Finding, 'effect' | 'object'> {
  return { effect: 'data-loss', object: referenceToDefinition(name) };
}

function notAmong(references: readonly OwnerReference[]): (each: OwnerReference) => boolean {
  const known = new Set(references.map(identityOf));
  return (each) => !known.has(identityOf(each));
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

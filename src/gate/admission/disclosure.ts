/**
 * Limits what an answer discloses. The gate reads the cluster with its own rights, so any client that sends
 * it a review could read through it; facts are only for the API server, which has authenticated the user.
 */
import {
  ClusterError,
  formatResource,
  type ClusterView,
  type ResourceName,
} from '../../cluster/index.js';
import type { Finding } from '../../rule/index.js';
import { isObject, metaOf, own, sameJson, type JsonObject } from '../../text/documents/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';

/**
 * How far the sender of a review is known. `api-server`: it showed the client certificate of one.
 * `unauthenticated`: it showed none, where an API server would have. `unverified`: the gate is not
 * configured with the way an API server shows itself.
 */
export type Caller = 'api-server' | 'unauthenticated' | 'unverified';

export interface Disclosure {
  /** Why nothing that the cluster knows may be shown or decide, in a sentence. */
  readonly withheld?: string;
  /** Why no stored objects may be shown or decide, in a sentence. */
  readonly objectsWithheld?: string;
  /** In a sentence: what is known there decides, and is reported by its rule alone. */
  readonly namesWithheld?: string;
  /** Whether the gate has no right to read what would show who asks. */
  readonly isBlind?: boolean;
  /** Whether it is the API server that asks: then only words depend on what the requester may read. */
  readonly isProven: boolean;
}

/** Asks the cluster at most once, and only for a review whose sender has shown no certificate. */
export async function disclosureFor(
  request: AdmissionRequest,
  { caller, view }: { readonly caller: Caller; readonly view: ClusterView },
): Promise<Disclosure> {
  if (caller === 'api-server') return { isProven: true };
  if (caller === 'unauthenticated') {
    return nothing('the review came without the client certificate of an API server');
  }
  // Without a cluster there is nothing to disclose.
  if (view.isEmpty === true) return { isProven: true };
  if (request.operation === 'CREATE') {
    const sentence = 'nothing shows that the review came from an API server';
    return { isProven: false, objectsWithheld: sentence, namesWithheld: sentence };
  }
  const { resource, namespace } = request;
  const name: ResourceName = { group: resource.group, resource: resource.resource };
  try {
    const place = namespace === '' ? undefined : namespace;
    const live = await view.get(name, subjectName(request), place);
    const { oldObject: shown } = request;
    const isShown =
      !!live && !!shown && (isSame(live, shown) || (await wasStored(view, name, live, shown)));
    return isShown
      ? { isProven: false }
      : nothing('the object that the review shows as stored is not the one in the cluster');
  } catch (error) {
    const isBlind = error instanceof ClusterError && error.isForbidden;
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = `${formatResource(name)} cannot be read, so nothing shows that the review is the API server's: ${reason}`;
    return { ...nothing(sentence), isBlind };
  }
}

/** The verdict of a finding, without anything that it shows. */
export function withholdDetails(
  { cause: _cause, fix: _fix, witness: _witness, id: _id, data: _data, ...finding }: Finding,
  message: string,
): Finding {
  return { ...finding, message };
}

function nothing(sentence: string): Disclosure {
  return { withheld: sentence, objectsWithheld: sentence, isProven: false };
}

/** Ignores bookkeeping: the API server writes the status of a definition while it asks about it. */
async function wasStored(
  view: ClusterView,
  name: ResourceName,
  live: JsonObject,
  shown: JsonObject,
): Promise<boolean> {
  const { resourceVersion } = metaOf(shown);
  if (view.getAt === undefined || resourceVersion === '') return false;
  if (metaOf(live).uid !== metaOf(shown).uid) return false;
  if (!sameJson(own(live, 'spec'), own(shown, 'spec'))) return false;
  const { name: called, namespace } = metaOf(live);
  const place = namespace === '' ? undefined : namespace;
  const earlier = await view.getAt(name, called, place, resourceVersion);
  return earlier !== undefined && isSame(earlier, shown);
}

/** An uid and a version are known only to those who may read the object. */
function isSame(live: JsonObject, shown: JsonObject): boolean {
  const [metadata, shownMetadata] = [own(live, 'metadata'), own(shown, 'metadata')];
  if (!isObject(metadata) || !isObject(shownMetadata)) return false;
  const isAlike = (key: string): boolean => {
    const value = own(metadata, key);
    return typeof value === 'string' && value !== '' && value === own(shownMetadata, key);
  };
  const isNamed = isAlike('uid') && isAlike('resourceVersion') && isAlike('name');
  // Of what there are definitions and OLM's objects, each reads the same in all versions of its API.
  return isNamed && sameJson(own(live, 'spec'), own(shown, 'spec'));
}

/** The cluster for a review of this standing; the standing is determined at the first read. */
export function readableView(view: ClusterView, standing: () => Promise<Disclosure>): ClusterView {
  const allowedView = async (): Promise<ClusterView> => {
    const { withheld } = await standing();
    if (withheld !== undefined) throw new ClusterError(withheld);
    return view;
  };
  return {
    get: async (...asked) => (await allowedView()).get(...asked),
    list: async (...asked) => (await allowedView()).list(...asked),
    ...(view.resourceOf === undefined
      ? {}
      : { resourceOf: async (...asked) => (await allowedView()).resourceOf?.(...asked) }),
  };
}

/** Whether the requester may list a resource, and if not, why it is not shown, in a sentence. */
export async function mayRead(
  { userInfo = {} }: AdmissionRequest,
  resource: ResourceName,
  { view }: { readonly view: ClusterView },
  namespace?: string,
): Promise<{ readonly may: boolean | 'unknown'; readonly why: string }> {
  if (view.mayList === undefined) return { may: true, why: '' };
  const { username = '' } = userInfo;
  try {
    const may = username !== '' && (await view.mayList(userInfo, resource, namespace));
    return { may, why: `${username || 'nobody'} may not list ${formatResource(resource)}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { may: 'unknown', why: `nobody knows what ${username} may read: ${reason}` };
  }
}

/** One object, written once in the storage version, as it was read. */
import { ClusterError } from '../view/view.js';
import { metaOf, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { objectAt } from '../../text/documents/fields.js';
import { moveEntries } from './managed-fields.js';
import { leaves, type MigratedKind } from './migrated-kind.js';
import { nameOf, objectPath } from './object-pages.js';
import { MigrationRefusal, type Requests } from './requests.js';
import { namesLeaving, type ObjectName } from './survey.js';

export interface RewriteOptions {
  /** A newer object was written in the storage version; undefined where nothing else is stored. */
  readonly since: string | undefined;
  readonly isDryRun: boolean;
}

export type Rewritten =
  /** Stored anew; with how many entries of managedFields moved. */
  | { readonly kind: 'written'; readonly moved: number }
  /** Already stored in the storage version. */
  | { readonly kind: 'current' }
  /** Deleted by another client. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Another client writes it as fast as we do, and in a version that leaves: in any other it would be current. */
const maxConflicts = 20;
/** A webhook that answers one time and not another is asked this often. */
export const maxTries = 3;

/**
 * Never overwrites another client's change: a write goes with the resourceVersion that was read.
 *
 * @param object as it was read; undefined where it is to be read first
 * @throws ClusterError where not only this object is concerned: no right, no answer
 * @throws MigrationRefusal where the API server would forget who wrote what
 */
export async function rewrite(
  requests: Requests,
  kind: MigratedKind,
  name: ObjectName,
  object: JsonObject | undefined,
  options: RewriteOptions,
): Promise<Rewritten> {
  try {
    let read = object ?? (await requests.find(objectPath(kind, name), maxTries));
    for (let conflicts = 0; ;) {
      if (read === undefined) return { kind: 'gone' };
      if (!needsWriting(kind, read, options)) return { kind: 'current' };
      const written = await write(requests, kind, read, options);
      if (!(written instanceof ClusterError)) return written;
      // Admission webhooks deny with any code: only reading tells a refusal from an object that is
      // gone, or that another client has written.
      const again = await requests.find(objectPath(kind, name), maxTries);
      if (
        again !== undefined &&
        (written.status === 404 || metaOf(read).resourceVersion === metaOf(again).resourceVersion)
      ) {
        return { kind: 'failed', reason: withoutValues(written.message) };
      }
      if (++conflicts >= maxConflicts) {
        const reason = `was written by others each of the ${maxConflicts} times it was tried`;
        return { kind: 'failed', reason };
      }
      read = again;
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.status === undefined || error.status === 401 || isRightMissing(error)) throw error;
    return { kind: 'failed', reason: withoutValues(error.message) };
  }
}

/** Keeps the reason up to the field's error: the value, which may be a secret, is quoted after it. */
export function withoutValues(message: string): string {
  return message.replace(/((?:Invalid|Unsupported|Duplicate) value|Not found): .*$/s, '$1');
}

/** Whether it may be stored in another version, or an entry of its managedFields names one that leaves. */
export function needsWriting(
  kind: MigratedKind,
  object: JsonObject,
  { since }: Pick<RewriteOptions, 'since'>,
): boolean {
  const isStored = since === undefined || isNewer(metaOf(object).resourceVersion, since);
  return !isStored || namesLeaving(kind, object);
}

/** An answer of 404 or 409 is given back: several things may be meant by it. @throws ClusterError for others */
async function write(
  requests: Requests,
  kind: MigratedKind,
  object: JsonObject,
  { isDryRun }: RewriteOptions,
): Promise<Rewritten | ClusterError> {
  const { name, namespace, managedFields } = metaOf(object);
  const apiVersion = `${kind.group}/${kind.storage}`;
  const { entries, moved } = moveEntries(managedFields, (each) => leaves(kind, each), apiVersion);
  const body = stringifyJson({
    ...object,
    apiVersion,
    kind: kind.kind,
    metadata: {
      ...objectAt(object, 'metadata'),
      // An empty list would tell the API server to forget all of them.
      ...(entries.length === 0 ? {} : { managedFields: [...entries] }),
    },
  });
  const path = `${objectPath(kind, { namespace, name })}${isDryRun ? '?dryRun=All' : ''}`;
  try {
    const answer = await requests.json({ path, method: 'PUT', body }, maxTries);
    if (entries.length > 0 && metaOf(answer).managedFields.length === 0) {
      throw fieldsLost(nameOf({ namespace, name }), isDryRun);
    }
    return { kind: 'written', moved };
  } catch (error) {
    if (error instanceof ClusterError && (error.status === 404 || error.status === 409))
      return error;
    throw error;
  }
}

/** An API server that cannot convert into the version of an entry drops all entries with the next write. */
function fieldsLost(object: string, isDryRun: boolean): MigrationRefusal {
  return new MigrationRefusal(
    `the API server cannot convert ${object} into a version that its managedFields name, and ${isDryRun ? 'would drop' : 'has dropped'} all of them with the write. ` +
      'Nothing more is written; serve that version again, or mend its conversion',
  );
}

/** A right of RBAC, which is missing for every object; an admission webhook refuses one of them. */
function isRightMissing({ status, message }: ClusterError): boolean {
  return status === 403 && / cannot (?:get|update) resource /.test(message);
}

/** Compares two resourceVersions of one resource, which are numbers that grow with each write. */
function isNewer(resourceVersion: string, than: string): boolean {
  const number = /^\d+$/;
  if (!number.test(resourceVersion) || !number.test(than)) return false;
  return BigInt(resourceVersion) > BigInt(than);
}

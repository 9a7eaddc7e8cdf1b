/**
 * Whether anything shows that no object is stored in versions that leave. What a definition says of
 * itself is no evidence: the user who changes it writes that too.
 *
 * Source: kube-controller-manager sets the condition Succeeded of a StorageVersionMigration; Kubernetes
 * 1.37 trims status.storedVersions also after one that failed, with the reason MigrationFailed.
 */
import {
  ownNamespace,
  type ClusterView,
  type UpdatedObject,
  readMigrationRecord,
  recordName,
} from '../../cluster/index.js';
import { objectsAt, textAt } from '../../text/documents/fields.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import type { AssessContext } from './reviewer.js';

const registration = {
  group: 'admissionregistration.k8s.io',
  resource: 'validatingwebhookconfigurations',
};
const migrations = { group: 'storagemigration.k8s.io', resource: 'storageversionmigrations' };

/** Undefined where something does. @param mayUpdate what the requester may have written is no evidence */
export async function missingEvidence(
  { old, next }: { readonly old: JsonObject; readonly next: JsonObject },
  versions: readonly string[],
  view: ClusterView,
  mayUpdate: AssessContext['mayUpdate'],
): Promise<string | undefined> {
  const [recorded, inTree] = await Promise.all([
    isRecorded(old, versions, view),
    inTreeEvidence(old, view),
  ]);
  const place = { group: '', resource: 'configmaps', name: recordName, namespace: ownNamespace() };
  const written = [
    ...(recorded ? [{ what: `the ConfigMap ${recordName}`, object: place }] : []),
    ...(inTree === 'succeeded'
      ? [
          {
            what: 'the StorageVersionMigration',
            object: { ...migrations, subresource: 'status' } as const,
          },
        ]
      : []),
  ];
  for (const { object } of written) if (!(await mayForge(object, mayUpdate))) return undefined;
  const [forged] = written;
  if (forged !== undefined) {
    return `${forged.what} shows it, which the requester may write himself`;
  }
  const failed = objectsAt(next, 'status', 'conditions').some(
    (each) =>
      textAt(each, 'type') === 'StorageMigrating' && textAt(each, 'reason') === 'MigrationFailed',
  );
  if (failed) {
    return 'the migration of the cluster failed, after which Kubernetes 1.37 takes versions out of status.storedVersions all the same';
  }
  return inTree ?? 'no StorageVersionMigration and no record of olm-guard migrate shows it';
}

/** A user who may remove the gate itself has no need to forge what it believes. */
async function mayForge(
  object: UpdatedObject,
  mayUpdate: AssessContext['mayUpdate'],
): Promise<boolean> {
  return (await mayUpdate(object)) !== false && (await mayUpdate(registration)) !== true;
}

async function isRecorded(
  definition: JsonObject,
  versions: readonly string[],
  view: ClusterView,
): Promise<boolean> {
  try {
    const map = await view.get({ group: '', resource: 'configmaps' }, recordName, ownNamespace());
    const record = map === undefined ? undefined : readMigrationRecord(map, metaOf(definition));
    return record !== undefined && versions.every((version) => record.includes(version));
  } catch {
    // A record that cannot be read shows nothing.
    return false;
  }
}

async function inTreeEvidence(
  definition: JsonObject,
  view: ClusterView,
): Promise<string | undefined> {
  let all: readonly JsonObject[];
  try {
    all = await view.list(migrations);
  } catch {
    return undefined;
  }
  const [group, resource] = [
    textAt(definition, 'spec', 'group'),
    textAt(definition, 'spec', 'names', 'plural'),
  ];
  const ofKind = all.filter(
    (each) =>
      textAt(each, 'spec', 'resource', 'group') === group &&
      textAt(each, 'spec', 'resource', 'resource') === resource,
  );
  const has = (each: JsonObject, type: string): boolean =>
    objectsAt(each, 'status', 'conditions').some(
      (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
    );
  if (ofKind.some((each) => has(each, 'Succeeded') && isOfState(each, definition))) {
    return 'succeeded';
  }
  const failed = ofKind.find((each) => has(each, 'Failed'));
  if (failed !== undefined) {
    return `the StorageVersionMigration ${metaOf(failed).name} failed`;
  }
  const earlier = ofKind.find((each) => has(each, 'Succeeded'));
  return earlier === undefined
    ? undefined
    : `the definition was changed after the StorageVersionMigration ${metaOf(earlier).name}`;
}

/** Made for this very state of the definition, or since its spec was written last. */
function isOfState(migration: JsonObject, definition: JsonObject): boolean {
  const { uid, generation, managedFields } = metaOf(definition);
  if (uid !== '' && metaOf(migration).name.endsWith(`.${uid}.${generation}`)) return true;
  const created = Date.parse(textAt(migration, 'metadata', 'creationTimestamp') ?? '');
  const writes = managedFields
    .filter((entry) => textAt(entry, 'subresource') === undefined)
    .map((entry) => Date.parse(textAt(entry, 'time') ?? ''));
  return writes.length > 0 && writes.every((time) => time <= created);
}

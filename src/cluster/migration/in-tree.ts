/** The cluster's own migration: a StorageVersionMigration, which kube-controller-manager does. */
import { ClusterError } from '../view/view.js';
import { invalidInput, own, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import type { MigratedKind } from './migrated-kind.js';
import { MigrationRefusal, type Requests } from './requests.js';
import { objectsAt, textAt } from '../../text/documents/fields.js';

export interface InTreeMigration {
  /** `storagemigration.k8s.io/v1beta1` */
  readonly apiVersion: string;
  /** Name of the StorageVersionMigration, which is not deleted. */
  readonly name: string;
}

export interface InTreeOptions {
  /** How long it may stay untouched: a cluster can serve the kind without a controller for it. */
  readonly beginsWithinMilliseconds: number;
  readonly pollMilliseconds: number;
  readonly onStep: (sentence: string) => void;
}

const group = 'storagemigration.k8s.io';
/** As Kubernetes has had them: v1alpha1 from 1.30 to 1.34, v1beta1 from 1.35 on; the first served counts. */
const known = ['v1', 'v1beta1', 'v1alpha1'];
const maxNameLength = 253;

/** @throws InvalidInputError where it serves none; ClusterError */
async function inTreeVersion(requests: Requests): Promise<string> {
  const found = await requests.find(`/apis/${group}`);
  const served = objectsAt(found, 'versions').map((each) => own(each, 'version'));
  for (const version of known.filter((each) => served.includes(each))) {
    const list = await requests.find(`/apis/${group}/${version}`);
    const names = objectsAt(list, 'resources').map((each) => own(each, 'name'));
    if (names.includes('storageversionmigrations')) return version;
  }
  throw invalidInput(
    `the cluster does not serve StorageVersionMigrations (${group}; feature gate StorageVersionMigrator, and --runtime-config of kube-apiserver); without --in-tree olm-guard writes the objects itself`,
  );
}

/** The same for the same state of a definition: an interrupted run finds the migration that it made. */
function nameFor({ name, uid, generation }: MigratedKind): string {
  const rest = `.${uid}.${generation}`;
  return `${name.slice(0, maxNameLength - rest.length)}${rest}`;
}

/** Dry run: the API server stores nothing. @throws as {@link migrateInTree} does */
export async function tryInTree(requests: Requests, kind: MigratedKind): Promise<InTreeMigration> {
  const version = await inTreeVersion(requests);
  await create(requests, kind, version, '?dryRun=All');
  return { apiVersion: `${group}/${version}`, name: nameFor(kind) };
}

/**
 * Has every object stored in the storage version by the cluster, and waits until it says so. It writes by
 * empty server-side applies, so managedFields stay as they are, and it knows nothing of storedVersions.
 *
 * @throws InvalidInputError where the cluster does not serve it
 * @throws MigrationRefusal where it failed, or was not begun in time
 * @throws ClusterError
 */
export async function migrateInTree(
  requests: Requests,
  kind: MigratedKind,
  { beginsWithinMilliseconds, pollMilliseconds, onStep }: InTreeOptions,
): Promise<InTreeMigration> {
  const version = await inTreeVersion(requests);
  const name = nameFor(kind);
  await create(requests, kind, version, '');
  onStep(`waits for the StorageVersionMigration ${name}`);
  const asked = performance.now();
  for (let isBegun = false; ;) {
    const found = await requests.find(`${collection(version)}/${name}`);
    if (found === undefined) {
      throw new MigrationRefusal(
        `the StorageVersionMigration ${name} was deleted before it was done`,
      );
    }
    const condition = trueConditions(found);
    if (condition.has('Succeeded')) return { apiVersion: `${group}/${version}`, name };
    if (condition.has('Failed')) {
      throw new MigrationRefusal(
        `the StorageVersionMigration ${name} failed: ${condition.get('Failed') ?? ''}; mend that, delete it and run this again, or run it without --in-tree`,
      );
    }
    if (condition.has('Running') && !isBegun) {
      isBegun = true;
      onStep('is migrated by the cluster');
    }
    if (!isBegun && performance.now() - asked > beginsWithinMilliseconds) {
      throw new MigrationRefusal(
        `nobody has begun the StorageVersionMigration ${name}: kube-controller-manager needs the feature gate StorageVersionMigrator too; the same command goes on waiting, without --in-tree olm-guard writes the objects itself`,
      );
    }
    await requests.pause(pollMilliseconds);
  }
}

function collection(version: string): string {
  return `/apis/${group}/${version}/storageversionmigrations`;
}

/** A migration that exists under its name is ours: no other client names one by the definition's uid. */
async function create(
  requests: Requests,
  kind: MigratedKind,
  version: string,
  query: string,
): Promise<void> {
  const { group: of, resource, storage } = kind;
  const body = stringifyJson({
    apiVersion: `${group}/${version}`,
    kind: 'StorageVersionMigration',
    metadata: { name: nameFor(kind) },
    // The first one named a version, too: through which objects are read and written.
    spec: {
      resource: { group: of, resource, ...(version === 'v1alpha1' ? { version: storage } : {}) },
    },
  });
  try {
    await requests.json({ path: `${collection(version)}${query}`, method: 'POST', body });
  } catch (error) {
    if (!(error instanceof ClusterError) || error.status !== 409) throw error;
  }
}

/** With their messages. */
function trueConditions(migration: JsonObject): Map<string, string> {
  return new Map(
    objectsAt(migration, 'status', 'conditions')
      .filter((each) => own(each, 'status') === 'True')
      .map((each) => [textAt(each, 'type') ?? '', textAt(each, 'message') ?? '']),
  );
}

/** A migration: every object is written once in the storage version, and the others are taken out of what is stored. */
import { formatCount } from '../../text/plural.js';
import { ClusterError } from '../view/view.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import type { Checkpoint, CheckpointStore } from './checkpoint.js';
import { keepStorageVersion } from './definition.js';
import { migrateInTree, tryInTree, type InTreeMigration, type InTreeOptions } from './in-tree.js';
import type { MigratedKind } from './migrated-kind.js';
import { collectionPath, nameOf, objectPages } from './object-pages.js';
import { recordMigration } from './record.js';
import { MigrationRefusal, type Requests } from './requests.js';
import { needsWriting, rewrite, type RewriteOptions } from './rewrite.js';
import type { ObjectName } from './survey.js';
import { verifyMigration, type Verification } from './verify.js';
import { firstNames } from '../../text/shortened.js';

export interface RunOptions {
  /** Objects of a page, at most. */
  readonly pageSize: number;
  /** Asks the API server for each write without having it stored. */
  readonly isDryRun: boolean;
  /** Whether fields may be lost that the storage version does not have. */
  readonly mayDropFields?: boolean;
  readonly checkpoint?: CheckpointStore;
  /** Where the gate looks for the record of what was migrated. */
  readonly recordNamespace?: string;
  /** Has the cluster itself store the objects, by a StorageVersionMigration. */
  readonly inTree?: Omit<InTreeOptions, 'onStep'>;
  readonly onStep?: (sentence: string) => void;
  readonly onProgress?: (progress: RunProgress) => void;
  readonly signal?: AbortSignal;
}

export interface RunProgress {
  readonly looked: number;
  /** Count by the server, where it gives one. */
  readonly remaining?: number;
  readonly failures: number;
}

export interface MigrationResult {
  readonly name: string;
  readonly storageVersion: string;
  readonly isDryRun: boolean;
  /** Objects that were looked at. */
  readonly objects: number;
  readonly written: number;
  /** Entries of managedFields that name the storage version now. */
  readonly movedEntries: number;
  /** The first of those that could not be written, with the server's reason. */
  readonly failed: readonly FailedObject[];
  readonly failures: number;
  /** Not there for a dry run, and where an object could not be written. */
  readonly verification?: Verification;
  /** The migration in the cluster that stored the objects, where it was asked to. */
  readonly inTree?: InTreeMigration;
  /** `status.storedVersions` of the definition, as it is left. */
  readonly storedVersions: readonly string[];
  /** Why other versions stay in status.storedVersions; undefined where they are gone. */
  readonly kept?: string;
}

export interface FailedObject {
  /** `namespace/name`, or the name alone. */
  readonly name: string;
  readonly reason: string;
}

const writers = 16;
const maxNamed = 1000;
/** When so many in a row cannot be written, and none could, the reason is not in the objects. */
const hopeless = 100;
/** Objects that clients keep writing in a version that leaves: so often they are followed. */
const maxRounds = 5;
/** How long an API server may take to hear of a new storage version: writes before go into the old one. */
const settleMilliseconds = 5_000;

/** @throws ClusterError, MigrationRefusal; the checkpoint says where to go on */
export async function runMigration(
  requests: Requests,
  kind: MigratedKind,
  options: RunOptions,
): Promise<MigrationResult> {
  const run = new Run(requests, kind, options);
  return run.all();
}

const namedFields = 5;

/** Nothing is ever deleted, and so no field either, unless that is asked for. */
function fieldsDropped({ name, storage, dropped }: MigratedKind): MigrationRefusal {
  const each = dropped.map(
    ({ version, fields }) => `${firstNames(fields, namedFields)} of ${version}`,
  );
  return new MigrationRefusal(
    `${name} converts nothing, and its storage version ${storage} has no ${each.join('; no ')}: ` +
      `objects lose these fields when they are written; add them to ${storage}, or give --drop-fields if nobody needs them`,
  );
}

class Run {
  private state: Checkpoint | undefined;
  private readonly reasons = new Map<string, string>();
  private failedInRow = 0;
  private inTree: InTreeMigration | undefined;

  constructor(
    private readonly requests: Requests,
    private readonly kind: MigratedKind,
    private readonly options: RunOptions,
  ) {}

  async all(): Promise<MigrationResult> {
    const { kind, options } = this;
    if (kind.dropped.length > 0 && options.mayDropFields !== true) {
      throw fieldsDropped(kind);
    }
    // First: where the cluster does not serve it, nothing is written.
    if (options.inTree !== undefined) this.inTree = await tryInTree(this.requests, kind);
    const known = options.isDryRun ? undefined : await options.checkpoint?.read();
    if (known === undefined) {
      await this.settle();
      this.state = await this.begin();
      await this.save();
    } else {
      this.state = known;
      this.tell(`goes on after ${formatCount(known.looked)} objects`);
    }
    if (!this.at.isListed) await this.writeAll();
    await this.tryFailedAgain();
    if (options.isDryRun || this.at.failures > 0) {
      await this.forget();
      const kept = options.isDryRun
        ? 'nothing is written in a dry run'
        : 'objects may still be stored in them';
      return this.result({ kept, storedVersions: kind.stored });
    }
    if (options.inTree !== undefined) {
      // Behind our own writes: its applies fail on managedFields that name a version which is gone.
      const onStep = (sentence: string): void => this.tell(sentence);
      await migrateInTree(this.requests, kind, { ...options.inTree, onStep });
    }
    const verification = await this.verify();
    if (verification.problems.length > 0) {
      await this.forget();
      const kept = 'the verification does not hold';
      return this.result({ kept, storedVersions: kind.stored, verification });
    }
    const { recordNamespace } = options;
    if (recordNamespace !== undefined) {
      const why = await recordMigration(this.requests, kind, recordNamespace);
      if (why !== undefined) this.tell(`left no record for the gate: ${why}`);
    }
    const isPruned = kind.stored.every((version) => version === kind.storage);
    const kept = isPruned ? undefined : await keepStorageVersion(this.requests, kind);
    await this.forget();
    if (kept !== undefined) {
      return this.result({
        kept: `${kept}; run it again`,
        storedVersions: kind.stored,
        verification,
      });
    }
    return this.result({ storedVersions: [kind.storage], verification });
  }

  private get at(): Checkpoint {
    if (this.state === undefined) throw new Error('a migration has a state once it has begun');
    return this.state;
  }

  /** Before this, an API server may still store objects in the version before. */
  private async settle(): Promise<void> {
    const left = this.kind.writtenAt + settleMilliseconds - this.requests.connection.now();
    if (left <= 0 || left > settleMilliseconds + 1000) return;
    this.tell('waits so that every API server has time to hear of the definition as it is');
    await new Promise((resolve) => setTimeout(resolve, left));
    this.options.signal?.throwIfAborted();
  }

  private async begin(): Promise<Checkpoint> {
    const list = await this.requests.json({ path: `${collectionPath(this.kind)}?limit=1` });
    const { resourceVersion } = metaOf(list);
    if (resourceVersion === '') {
      throw new ClusterError(`the list of ${this.kind.name} has no resourceVersion`);
    }
    const counts = { looked: 0, written: 0, moved: 0, failures: 0, failed: [] };
    return { resourceVersion, next: '', isListed: false, ...counts };
  }

  private async writeAll(): Promise<void> {
    const { requests, kind } = this;
    const { pageSize } = this.options;
    let isTried = false;
    const onRestart = (): void => {
      // Written objects are newer now, and failed ones will fail again.
      this.state = { ...this.at, looked: 0, failed: [], failures: 0 };
      this.reasons.clear();
      this.tell('the list has expired on the server and begins anew');
    };
    const from = this.at.next;
    for await (const page of objectPages(requests, kind, { pageSize, from, onRestart })) {
      const wanted = page.objects.filter((object) => needsWriting(kind, object, this.rewriting));
      // One dry run beforehand, where not all are: what the API server would do to it, it would do to all.
      if (!isTried && !this.options.isDryRun && wanted[0] !== undefined) {
        const { namespace, name } = metaOf(wanted[0]);
        await rewrite(requests, kind, { namespace, name }, wanted[0], {
          ...this.rewriting,
          isDryRun: true,
        });
        isTried = true;
      }
      await this.writeEach(wanted);
      const looked = this.at.looked + page.objects.length;
      this.state = { ...this.at, looked, next: page.next, isListed: page.next === '' };
      await this.save();
      this.options.onProgress?.({ looked, failures: this.at.failures, remaining: page.remaining });
      if (this.isHopeless) break;
    }
  }

  private get isHopeless(): boolean {
    return this.at.written === 0 && this.failedInRow >= hopeless;
  }

  private get rewriting(): RewriteOptions {
    const { kind, options } = this;
    // A user who may write the status can have taken out a version that leaves.
    const isStoredOtherwise =
      options.inTree === undefined &&
      [...kind.stored, ...kind.leaving].some((version) => version !== kind.storage);
    const since = isStoredOtherwise ? this.at.resourceVersion : undefined;
    return { since, isDryRun: options.isDryRun };
  }

  private async writeEach(objects: readonly JsonObject[]): Promise<void> {
    await inParallel(objects, async (object) => {
      if (this.isHopeless) return;
      const { namespace, name } = metaOf(object);
      await this.writeOne({ namespace, name }, object);
    });
  }

  private async writeOne(name: ObjectName, object?: JsonObject): Promise<void> {
    const done = await rewrite(this.requests, this.kind, name, object, this.rewriting);
    const { at } = this;
    if (done.kind === 'failed') {
      this.failedInRow++;
      const failed = at.failed.length < maxNamed ? [...at.failed, name] : at.failed;
      this.state = { ...at, failed, failures: at.failures + 1 };
      if (failed.length > at.failed.length) this.reasons.set(nameOf(name), done.reason);
    } else if (done.kind === 'written') {
      this.failedInRow = 0;
      this.state = { ...at, written: at.written + 1, moved: at.moved + done.moved };
    }
  }

  /** Once: a client that was in the way may have gone; and after a restart the reasons are no longer known. */
  private async tryFailedAgain(): Promise<void> {
    const { failed, failures } = this.at;
    if (failures === 0 || this.isHopeless) return;
    this.state = { ...this.at, failed: [], failures: failures - failed.length };
    await inParallel(failed, (name) => this.writeOne(name));
    await this.save();
  }

  /** Clients that wrote in a version that leaves since their object was moved are followed. */
  private async verify(): Promise<Verification> {
    const { requests, kind } = this;
    for (let round = 1; ; round++) {
      const options = { most: maxNamed };
      this.tell('verifies');
      const { seen, verification } = await verifyMigration(requests, kind, options);
      if (seen.naming > 0 && round === maxRounds) return verification;
      // Objects that failed in the round before have been written since, or are tried again.
      this.state = { ...this.at, failed: [], failures: 0 };
      this.reasons.clear();
      if (seen.naming === 0) return verification;
      const before = this.at.written;
      await inParallel(seen.named, (name) => this.writeOne(name));
      if (this.at.written === before) return verification;
    }
  }

  private async save(): Promise<void> {
    if (!this.options.isDryRun) await this.options.checkpoint?.write(this.at);
  }

  /** A later run looks at every object anew. */
  private async forget(): Promise<void> {
    if (!this.options.isDryRun) await this.options.checkpoint?.write(undefined);
  }

  private tell(sentence: string): void {
    this.options.onStep?.(`${this.kind.name}: ${sentence}`);
  }

  private result(
    rest: Pick<MigrationResult, 'storedVersions' | 'kept' | 'verification'>,
  ): MigrationResult {
    const { name, storage } = this.kind;
    const { looked, written, moved, failed, failures } = this.at;
    return {
      name,
      storageVersion: storage,
      isDryRun: this.options.isDryRun,
      objects: looked,
      written,
      movedEntries: moved,
      failed: failed.map((each) => ({
        name: nameOf(each),
        reason: this.reasons.get(nameOf(each)) ?? '',
      })),
      failures,
      inTree: this.inTree,
      ...rest,
    };
  }
}

/** @throws what the first to fail throws, once the others that were under way are done */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let isBroken = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !isBroken) {
      const item = items[next++] as Item;
      try {
        await work(item);
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: writers }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Scans of stored objects: within a budget, and on in the background for the next attempt. */
import { objectPages, readPage, ClusterError, type ClusterView } from '../../cluster/index.js';
import { addTallies, emptyTally, type StoredPlan, type StoredTally } from '../../upgrade/index.js';
import {
  isObject,
  type JsonObject,
  metaOf,
  own,
  type PlaceInList,
  type JsonValue,
} from '../../text/documents/index.js';
import type { Release } from '../../kubernetes/index.js';
import { UnfinishedError, type HeavyJudge, type ReviewContext } from './reviewer.js';
import { textAt } from '../../text/documents/fields.js';
import { shareJson, type SharedJson } from '../../text/documents/json.js';

/** Results of a scan, and the objects that it could not see. */
interface StoredScan {
  readonly tally: StoredTally;
  /** Why some objects were not judged. */
  readonly unchecked: readonly string[];
  /** It ran out of time: another attempt may have enough. */
  readonly isUnfinished: boolean;
  /** A proof decides: the objects were not all read, and are not counted. */
  readonly isProven?: true;
  /** `widgets.example.com`, when the gate has no right to list it. */
  readonly forbidden?: string;
}

/** Progress of a scan when the budget is used up. */
interface UnfinishedScan {
  readonly checked: number;
  readonly remaining?: number;
}

export type ScanOutcome =
  { readonly done: StoredScan } | { readonly underWay: UnfinishedScan } | { readonly busy: true };

export interface ScannedPair {
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly isTaken?: boolean;
  /** The Kubernetes release of the cluster, by whose rules the objects are judged. */
  readonly release?: Release | undefined;
}

interface Entry {
  readonly uid: string;
  /** Tells this scan from another of the same definition: costly, so asked only on a retry. */
  identity: () => string;
  readonly finished: Promise<StoredScan>;
  progress: UnfinishedScan;
  readonly begun: number;
  at?: number;
  /** Whether a request went without its answer: it is kept for the next attempt. */
  isAwaited: boolean;
}

/** A finished scan is believed this long at most: objects change, and users who mend them try again. */
const believedMilliseconds = 60_000;
/** One that came in time is believed so many times as long as it took: repetitions take no more than a tenth. */
const believedTimes = 10;
const longestScanMilliseconds = 10 * 60_000;
const maxScans = 4;
/** Lists this small are read here to see whether they hold anything at all. */
const quickBytes = 4096;

/** The scans of one replica, by the definition's uid and both of its specs. */
export class StoredScans {
  private readonly entries = new Set<Entry>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Starts a scan, or joins the one that an earlier attempt has started; in a hurry it starts none. */
  async scan(
    plan: StoredPlan,
    { old, next, isTaken, release }: ScannedPair,
    milliseconds: number,
    context: Pick<ReviewContext, 'view' | 'judge' | 'background' | 'isHurried'>,
  ): Promise<ScanOutcome> {
    this.forgetOld();
    const pair = new DefinitionPair(old, next, isTaken, release);
    let entry = this.find(metaOf(old).uid, pair);
    if (entry === undefined) {
      const running = [...this.entries].filter(({ at }) => at === undefined);
      // A review that joins a scan must find one that sees something.
      if (running.length >= maxScans || context.isHurried === true) return { busy: true };
      entry = this.start(plan, metaOf(old).uid, pair, context);
    }
    const started = entry;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds);
    });
    try {
      const scan = await Promise.race([started.finished, late]);
      if (scan === undefined) {
        started.isAwaited = true;
        return { underWay: started.progress };
      }
      return { done: scan };
    } finally {
      clearTimeout(timer);
    }
  }

  private find(uid: string, pair: DefinitionPair): Entry | undefined {
    return [...this.entries].find(
      (entry) => entry.uid === uid && entry.identity() === pair.identity,
    );
  }

  private start(
    plan: StoredPlan,
    uid: string,
    pair: DefinitionPair,
    { view, judge, background = judge }: Pick<ReviewContext, 'view' | 'judge' | 'background'>,
  ): Entry {
    const onProgress = (progress: UnfinishedScan): void => {
      entry.progress = progress;
    };
    const begun = this.now();
    const finished = runScan(plan, pair, { view, judge: background, onProgress });
    const entry: Entry = {
      uid,
      identity: () => pair.identity,
      finished,
      progress: { checked: 0 },
      begun,
      isAwaited: false,
    };
    this.entries.add(entry);
    finished.then(
      (scan) => {
        entry.at = this.now();
        // A scan that took one question can be repeated.
        if (scan.tally.checked === 0 || scan.isUnfinished) {
          this.entries.delete(entry);
          return;
        }
        // From here on the definitions themselves are let go of.
        const { identity } = pair;
        entry.identity = () => identity;
      },
      // The one who waits gets the error; the next attempt starts anew.
      () => this.entries.delete(entry),
    );
    return entry;
  }

  private forgetOld(): void {
    for (const entry of this.entries) {
      const { at, begun, isAwaited } = entry;
      if (at === undefined) continue;
      const believed = isAwaited ? Infinity : believedTimes * (at - begun);
      if (this.now() - at > Math.min(believedMilliseconds, believed)) this.entries.delete(entry);
    }
  }
}

interface JudgedPage extends PlaceInList {
  readonly tally: StoredTally;
}

interface ScanContext {
  readonly view: ClusterView;
  readonly judge: HeavyJudge;
  readonly onProgress: (progress: UnfinishedScan) => void;
}

async function runScan(
  plan: StoredPlan,
  pair: DefinitionPair,
  { view, judge, onProgress }: ScanContext,
): Promise<StoredScan> {
  const unchecked: string[] = [];
  const signal = AbortSignal.timeout(longestScanMilliseconds);
  let whole = emptyTally;
  let isUnfinished = false;
  let proven: boolean | undefined;
  for (const { version } of plan.reads) {
    const { group, resource } = plan;
    let tally = emptyTally;
    try {
      const read = (list: Buffer<ArrayBuffer>): Promise<JudgedPage> =>
        judgePage(list, version, pair, judge);
      // All are read where a version is removed, to find the writers of its objects.
      if (plan.leaving !== undefined) proven = false;
      for await (const page of objectPages(view, { group, version, resource }, read, { signal })) {
        tally = addTallies(tally, page.tally);
        const { remaining } = page;
        onProgress({ checked: tally.checked, remaining });
        if (page.next !== '') proven ??= await isProvenHarmless(pair, judge);
        if (proven === true)
          return { tally: emptyTally, unchecked: [], isUnfinished: false, isProven: true };
      }
    } catch (error) {
      if (error instanceof ClusterError && error.isForbidden) {
        return { tally: whole, unchecked: [], isUnfinished, forbidden: `${resource}.${group}` };
      }
      if (!(error instanceof ClusterError) && !(error instanceof UnfinishedError)) throw error;
      isUnfinished ||= error instanceof UnfinishedError;
      const after = tally.checked === 0 ? '' : ` after ${tally.checked} objects`;
      unchecked.push(`${version}${after}: ${error.message}`);
    }
    whole = widest(whole, tally);
  }
  return { tally: whole, unchecked, isUnfinished };
}

/** The same objects under another version: the counts of the worse one, once. */
function widest(left: StoredTally, right: StoredTally): StoredTally {
  const harm = ({ refused, pruned }: StoredTally): number => refused * 2 + pruned;
  if (left.checked === 0) return right;
  return harm(right) > harm(left) ? right : left;
}

/** Many objects: containment is cheaper to prove than they are to read. */
async function isProvenHarmless(
  { shared, release }: DefinitionPair,
  judge: HeavyJudge,
): Promise<boolean> {
  try {
    const answer = await judge(
      'crd',
      { profile: 'proof', ...(release && { release }) },
      { shared },
    );
    const effect = textAt(answer, 'output', 'effect');
    return effect === 'safe' || effect === 'behavior';
  } catch (error) {
    if (error instanceof UnfinishedError) return false;
    throw error;
  }
}

async function judgePage(
  list: Buffer<ArrayBuffer>,
  version: string,
  { shared, isTaken, release }: DefinitionPair,
  judge: HeavyJudge,
): Promise<JudgedPage> {
  // Most kinds have no objects, and then no thread need be asked.
  if (list.length <= quickBytes) {
    const page = readPage(list);
    if (page.count === 0) return { ...page, tally: emptyTally };
  }
  const attached = { shared, unread: { list } };
  const question = { version, isTaken, ...(release && { release }) };
  const answer = await judge('crd-stored-objects', question, attached);
  const output = own(answer, 'output');
  if (isObject(output)) {
    const page = output as unknown as StoredTally & Omit<PlaceInList, 'count'>;
    return { ...page, count: page.checked, tally: page };
  }
  const message = textAt(answer, 'error', 'message');
  throw new UnfinishedError(message ?? 'the objects cannot be judged');
}

/** Both definitions; their text is written on first use. */
class DefinitionPair {
  private written: Readonly<Record<'old' | 'new', SharedJson>> | undefined;

  constructor(
    private readonly old: JsonObject,
    private readonly next: JsonObject,
    /** An API server has compiled the rules of `next`. */
    readonly isTaken = false,
    /** By whose rules values are judged. */
    readonly release?: Release,
  ) {}

  get shared(): Readonly<Record<'old' | 'new', SharedJson>> {
    this.written ??= {
      old: shareJson(judgedPart(this.old)),
      new: shareJson(judgedPart(this.next)),
    };
    return this.written;
  }

  get identity(): string {
    return `${this.shared.old.key} ${this.shared.new.key} ${this.isTaken} ${this.release ?? ''}`;
  }
}

/** Without what repeated attempts differ in: who wrote it, and when. */
function judgedPart(definition: JsonObject): JsonObject {
  const field = (key: string): JsonValue => own(definition, key) ?? null;
  const status = field('status');
  return {
    apiVersion: field('apiVersion'),
    kind: field('kind'),
    metadata: { name: metaOf(definition).name },
    spec: field('spec'),
    status: {
      storedVersions: (isObject(status) ? own(status, 'storedVersions') : undefined) ?? [],
    },
  };
}

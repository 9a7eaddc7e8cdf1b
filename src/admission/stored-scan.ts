/** Scans of stored objects: within a budget, and on in the background for the next attempt. */
import { createHash } from 'node:crypto';
import { objectPages } from '../cluster/object-pages.js';
import { ClusterError, type ClusterView } from '../cluster/view.js';
import {
  addTallies,
  emptyTally,
  planStored,
  type StoredPlan,
  type StoredTally,
} from '../crd/stored/index.js';
import { isObject, own, stringifyJson, type JsonObject } from '../documents/index.js';
import { UnfinishedError, type HeavyJudge } from './reviewer.js';

/** What a scan has seen, and what it could not see. */
export interface StoredScan {
  readonly tally: StoredTally;
  /** Why some objects were not judged. */
  readonly unchecked: readonly string[];
  /** `widgets.example.com`, when nobody gave us the right to list it. */
  readonly forbidden?: string;
}

/** What is known when the budget is used up. */
export interface UnfinishedScan {
  readonly checked: number;
  readonly remaining?: number;
}

export type ScanOutcome =
  { readonly done: StoredScan } | { readonly underWay: UnfinishedScan } | { readonly busy: true };

interface Entry {
  readonly uid: string;
  /** What tells this scan from another of the same definition: costly, so asked only on a retry. */
  readonly identity: () => string;
  readonly finished: Promise<StoredScan>;
  progress: UnfinishedScan;
  /** When it finished. */
  at?: number;
}

/** A finished scan is believed this long: objects change, and whoever mends them tries again. */
const believedMilliseconds = 60_000;
const longestScanMilliseconds = 10 * 60_000;
const mostScans = 4;

/** The scans of one replica, by the definition's uid and both of its specs. */
export class StoredScans {
  private readonly entries = new Set<Entry>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly believed = believedMilliseconds,
  ) {}

  /** Starts a scan, or joins the one that an earlier attempt has started. */
  async scan(
    old: JsonObject,
    next: JsonObject,
    milliseconds: number,
    context: { readonly view: ClusterView; readonly judge: HeavyJudge },
  ): Promise<ScanOutcome | undefined> {
    const plan = planStored(old, next);
    if (plan === undefined) return undefined;
    this.forgetOld();
    let entry = this.find(old, next);
    if (entry === undefined) {
      const running = [...this.entries].filter(({ at }) => at === undefined);
      if (running.length >= mostScans) return { busy: true };
      entry = this.start(plan, old, next, context);
    }
    const started = entry;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds);
    });
    try {
      const scan = await Promise.race([started.finished, late]);
      if (scan === undefined) return { underWay: started.progress };
      return { done: scan };
    } finally {
      clearTimeout(timer);
    }
  }

  private find(old: JsonObject, next: JsonObject): Entry | undefined {
    const uid = uidOf(old);
    const candidates = [...this.entries].filter((entry) => entry.uid === uid);
    if (candidates.length === 0) return undefined;
    const identity = identityOf(old, next);
    return candidates.find((entry) => entry.identity() === identity);
  }

  private start(
    plan: StoredPlan,
    old: JsonObject,
    next: JsonObject,
    context: { readonly view: ClusterView; readonly judge: HeavyJudge },
  ): Entry {
    const onProgress = (progress: UnfinishedScan): void => {
      entry.progress = progress;
    };
    const finished = runScan(plan, old, next, { ...context, onProgress });
    const entry: Entry = {
      uid: uidOf(old),
      identity: lazyIdentity(old, next),
      finished,
      progress: { checked: 0 },
    };
    this.entries.add(entry);
    finished.then(
      (scan) => {
        entry.at = this.now();
        // What took one question can be asked again.
        if (scan.tally.checked === 0 && scan.unchecked.length === 0) this.entries.delete(entry);
        else entry.identity();
      },
      // The one who waits is told; the next attempt starts anew.
      () => this.entries.delete(entry),
    );
    return entry;
  }

  private forgetOld(): void {
    for (const entry of this.entries) {
      if (entry.at !== undefined && this.now() - entry.at > this.believed) {
        this.entries.delete(entry);
      }
    }
  }
}

interface ScanContext {
  readonly view: ClusterView;
  readonly judge: HeavyJudge;
  readonly onProgress: (progress: UnfinishedScan) => void;
}

async function runScan(
  plan: StoredPlan,
  old: JsonObject,
  next: JsonObject,
  { view, judge, onProgress }: ScanContext,
): Promise<StoredScan> {
  const unchecked = plan.notJudged.map(
    (version) => `version ${version} is made by a conversion webhook that comes with the upgrade`,
  );
  const signal = AbortSignal.timeout(longestScanMilliseconds);
  let whole = emptyTally;
  let proven: boolean | undefined;
  for (const { version } of plan.reads) {
    const { group, resource } = plan;
    let tally = emptyTally;
    try {
      for await (const page of objectPages(view, { group, version, resource }, { signal })) {
        if (!page.last) proven ??= await isProvenHarmless(old, next, judge);
        if (proven === true) return { tally: emptyTally, unchecked: [] };
        tally = addTallies(tally, await judgePage(old, next, version, page.objects, judge));
        const { remaining } = page;
        onProgress({ checked: tally.checked, ...(remaining === undefined ? {} : { remaining }) });
      }
    } catch (error) {
      if (error instanceof ClusterError && error.isForbidden) {
        return { tally: whole, unchecked: [], forbidden: `${resource}.${group}` };
      }
      if (!(error instanceof ClusterError) && !(error instanceof UnfinishedError)) throw error;
      const after = tally.checked === 0 ? '' : ` after ${tally.checked} objects`;
      unchecked.push(`${version}${after}: ${error.message}`);
    }
    whole = widest(whole, tally);
  }
  return { tally: whole, unchecked };
}

/** The same objects under another version: the counts of the worse one, once. */
function widest(left: StoredTally, right: StoredTally): StoredTally {
  const harm = ({ refused, pruned }: StoredTally): number => refused * 2 + pruned;
  if (left.checked === 0) return right;
  return harm(right) > harm(left) ? right : left;
}

/** Many objects: containment is cheaper to prove than they are to read. */
async function isProvenHarmless(
  old: JsonObject,
  next: JsonObject,
  judge: HeavyJudge,
): Promise<boolean> {
  try {
    const answer = await judge('crd', { old, new: next, profile: 'proof' });
    const output = own(answer, 'output');
    const effect = isObject(output) ? own(output, 'effect') : undefined;
    return effect === 'safe' || effect === 'behavior';
  } catch (error) {
    if (error instanceof UnfinishedError) return false;
    throw error;
  }
}

async function judgePage(
  old: JsonObject,
  next: JsonObject,
  version: string,
  objects: readonly JsonObject[],
  judge: HeavyJudge,
): Promise<StoredTally> {
  if (objects.length === 0) return emptyTally;
  const input = { old, new: next, version, objects: [...objects] };
  const answer = await judge('crd-stored-objects', input);
  const output = own(answer, 'output');
  if (isObject(output)) return output as unknown as StoredTally;
  const error = own(answer, 'error');
  const message = isObject(error) ? own(error, 'message') : undefined;
  throw new UnfinishedError(typeof message === 'string' ? message : 'the objects cannot be judged');
}

function uidOf(definition: JsonObject): string {
  const metadata = own(definition, 'metadata');
  const uid = isObject(metadata) ? own(metadata, 'uid') : undefined;
  return typeof uid === 'string' ? uid : '';
}

function identityOf(old: JsonObject, next: JsonObject): string {
  const hash = createHash('sha256');
  for (const each of [old, next])
    hash.update(stringifyJson(own(each, 'spec') ?? null)).update('\0');
  return hash.digest('base64');
}

/** Lets go of the definitions once they are known by their hash. */
function lazyIdentity(old: JsonObject, next: JsonObject): () => string {
  let pair: readonly [JsonObject, JsonObject] | undefined = [old, next];
  let identity = '';
  return () => {
    if (pair !== undefined) {
      identity = identityOf(...pair);
      pair = undefined;
    }
    return identity;
  };
}

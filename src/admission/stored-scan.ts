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
  readonly finished: Promise<StoredScan>;
  progress: UnfinishedScan;
  done?: { readonly scan: StoredScan; readonly at: number };
}

/** A finished scan is believed this long: objects change, and whoever mends them tries again. */
const believedMilliseconds = 60_000;
const longestScanMilliseconds = 10 * 60_000;
const mostScans = 4;

/** The scans of one replica, by the definition's uid and both of its specs. */
export class StoredScans {
  private readonly entries = new Map<string, Entry>();

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
    const key = keyOf(old, next);
    let entry = this.entries.get(key);
    if (entry === undefined) {
      const running = [...this.entries.values()].filter(({ done }) => done === undefined);
      if (running.length >= mostScans) return { busy: true };
      entry = this.start(key, plan, old, next, context);
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

  private start(
    key: string,
    plan: StoredPlan,
    old: JsonObject,
    next: JsonObject,
    context: { readonly view: ClusterView; readonly judge: HeavyJudge },
  ): Entry {
    const onProgress = (progress: UnfinishedScan): void => {
      entry.progress = progress;
    };
    const finished = runScan(plan, old, next, { ...context, onProgress });
    const entry: Entry = { finished, progress: { checked: 0 } };
    this.entries.set(key, entry);
    finished.then(
      (scan) => (entry.done = { scan, at: this.now() }),
      // The one who waits is told; the next attempt starts anew.
      () => this.entries.delete(key),
    );
    return entry;
  }

  private forgetOld(): void {
    for (const [key, { done }] of this.entries) {
      if (done !== undefined && this.now() - done.at > this.believed) this.entries.delete(key);
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

function keyOf(old: JsonObject, next: JsonObject): string {
  const metadata = own(old, 'metadata');
  const uid = isObject(metadata) ? own(metadata, 'uid') : undefined;
  const hash = createHash('sha256');
  for (const each of [old, next])
    hash.update(stringifyJson(own(each, 'spec') ?? null)).update('\0');
  return `${typeof uid === 'string' ? uid : ''} ${hash.digest('base64')}`;
}

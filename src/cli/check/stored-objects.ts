/** `--objects`: the stored objects that an upgrade would break, from files or from the cluster. */
import { objectPages, readPage, ClusterError, type ClusterView } from '../../cluster/index.js';
import { compileValidator, type ObjectValidator, type Release } from '../../kubernetes/index.js';
import {
  addTallies,
  emptyTally,
  laterVersionFindings,
  migrationFindings,
  noRightFinding,
  planStored,
  storedFindings,
  StoredJudge,
  type StoredPlan,
  type StoredTally,
  uncheckedFinding,
} from '../../upgrade/index.js';
import {
  InvalidInputError,
  invalidInput,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import {
  type CheckedObjects,
  type GivenObjects,
  type OnHarmed,
  listConsumers,
  type PossibleConsumer,
  placeOfObject,
} from '../../checks/index.js';
import type { ObjectSources } from '../options/object-sources.js';
import { append } from '../../text/long-lists.js';
import { startProgress, type Progress } from '../output.js';
import { manifestObjects } from '../../repository/index.js';
import { withWarnings } from '../options/skipped-files.js';
import { type NetworkOptions } from '../options/flags.js';

interface Listeners extends Pick<GivenObjects, 'onHarmed'> {
  /** Told, in one sentence, of each file or folder that cannot be read or rendered to its end. */
  readonly onUnchecked: (sentence: string) => void;
  /** The Kubernetes release whose rules apply to values; 1.35 by default. */
  readonly release?: Release | undefined;
}

export function givenObjects(
  sources: ObjectSources,
  view: ClusterView | undefined,
  { onHarmed, ...options }: Listeners,
): GivenObjects {
  return {
    source: sources.names.join(', '),
    isReadOnce: sources.hasStandardInput,
    check: (old, next, onEach) =>
      checkObjects(sources, view, [old, next], { onHarmed: onEach, ...options }),
    onHarmed,
  };
}

async function checkObjects(
  sources: ObjectSources,
  view: ClusterView | undefined,
  [old, next]: readonly [JsonObject, JsonObject],
  {
    onHarmed,
    onUnchecked,
    release,
  }: { onHarmed: OnHarmed | undefined } & Omit<Listeners, 'onHarmed'>,
): Promise<CheckedObjects | undefined> {
  if (sources.hasCluster && view === undefined) {
    throw invalidInput(
      '--objects cluster needs a cluster; give OLD as cluster:NAME, --kubeconfig or --state',
    );
  }
  const plan = planStored(old, next);
  if (plan === undefined) return undefined;
  const progress = startProgress(plan.resource);
  const judges = new VersionJudges(plan, old, next, progress, onHarmed, release);
  const subject = { name: `${plan.resource}.${plan.group}`, kind: plan.kind };
  const findings = laterVersionFindings(subject, plan);
  try {
    if (sources.hasCluster && view !== undefined) {
      append(findings, await readCluster(view, plan, subject, judges));
    }
    for await (const objects of sources.read(onUnchecked)) await judges.judgeAll(objects);
  } finally {
    progress.stop();
  }
  const { tally, notJudged } = judges;
  // Read in one version, each object is counted once.
  const isCounted = findings.length === 0 && plan.reads.length === 1;
  const ways = migrationFindings(old, next, isCounted ? tally.checked : undefined);
  return {
    findings: [...storedFindings(subject, tally), ...ways, ...findings],
    tally: { ...tally, ...notJudged },
    readsEach: sources.hasCluster ? plan.reads.length : 1,
  };
}

async function readCluster(
  view: ClusterView,
  plan: StoredPlan,
  subject: { name: string; kind: string },
  judges: VersionJudges,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { version } of plan.reads) {
    try {
      const { group, resource } = plan;
      for await (const page of objectPages(view, { group, version, resource }, readPage)) {
        await judges.judgeAll(page.objects);
      }
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.isForbidden) return [noRightFinding(subject)];
      const data = { name: subject.name, why: `${version}: ${error.message}` };
      findings.push(uncheckedFinding(subject, { id: 'failed', data }));
    }
  }
  return findings;
}

/** A judge for each version under which objects turn up, compiled when the first one does. */
class VersionJudges {
  private readonly judges = new Map<string, StoredJudge | undefined>();
  readonly notJudged = { otherDocuments: 0, unknownVersion: 0 };
  private looked = 0;

  constructor(
    private readonly plan: StoredPlan,
    private readonly old: JsonObject,
    private readonly next: JsonObject,
    private readonly progress: Progress,
    private readonly onHarmed: OnHarmed | undefined,
    private readonly release: Release | undefined,
  ) {}

  get tally(): StoredTally {
    return [...this.judges.values()].reduce(
      (sum, judge) => (judge === undefined ? sum : addTallies(sum, judge.result)),
      emptyTally,
    );
  }

  async judgeAll(objects: readonly JsonValue[]): Promise<void> {
    for (const object of objects) {
      const judge = this.judgeFor(object);
      if (judge === undefined) continue;
      const harmed = judge.judge(object);
      if (harmed !== undefined) await this.onHarmed?.(harmed);
    }
    this.looked += objects.length;
    this.progress.update(this.looked, 0);
  }

  private judgeFor(object: JsonValue): StoredJudge | undefined {
    const { group, kind } = this.plan;
    const apiVersion = isObject(object) ? own(object, 'apiVersion') : undefined;
    const isOfKind =
      isObject(object) &&
      own(object, 'kind') === kind &&
      typeof apiVersion === 'string' &&
      apiVersion.startsWith(`${group}/`);
    if (!isOfKind) {
      this.notJudged.otherDocuments++;
      return undefined;
    }
    const version = apiVersion.slice(group.length + 1);
    if (!this.judges.has(version)) this.judges.set(version, this.start(version));
    const judge = this.judges.get(version);
    if (judge === undefined) this.notJudged.unknownVersion++;
    return judge;
  }

  private start(version: string): StoredJudge | undefined {
    // Without a webhook one list of versions holds for objects of every version.
    const read = this.plan.reads.find((each) => each.version === version) ?? this.plan.reads[0];
    if (read === undefined) return undefined;
    const compile = (definition: JsonObject, name: string): ObjectValidator =>
      compileValidator(definition, name, this.release);
    try {
      return new StoredJudge(
        {
          old: compile(this.old, version),
          next: read.under.map((under) => compile(this.next, under)),
          ...(read.storedAs !== undefined && { storedAs: compile(this.next, read.storedAs) }),
        },
        { leaving: new Set(this.plan.leaving) },
      );
    } catch (error) {
      // A version that the old definition does not know.
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }
}

interface ConsumerOptions extends NetworkOptions {
  readonly consumers: readonly string[];
}

/** Of files, folders and commits, or `cluster`. @throws InvalidInputError */
export async function readPossibleConsumers(
  { consumers: sources, network: usesNetwork }: ConsumerOptions,
  view: ClusterView | undefined,
  onUnchecked: (sentence: string) => void,
): Promise<PossibleConsumer[]> {
  const found: PossibleConsumer[] = [];
  for (const source of sources) {
    if (source === 'cluster') {
      append(found, await inCluster(view, onUnchecked));
      continue;
    }
    const read = withWarnings((options) =>
      manifestObjects(source, { ...options, onUnchecked, usesNetwork }),
    );
    for await (const { documents, objects } of read) {
      for (const manifest of objects) {
        // The examples of a ClusterServiceVersion, which are documents of their own, are no objects of a user.
        if (!documents.includes(manifest.document)) continue;
        found.push({ object: manifest.object, place: await placeOfObject(manifest) });
      }
    }
  }
  return found;
}

async function inCluster(
  view: ClusterView | undefined,
  onUnchecked: (sentence: string) => void,
): Promise<PossibleConsumer[]> {
  if (view === undefined) {
    throw invalidInput(
      '--consumers cluster needs a cluster; give OLD as cluster:NAME, --kubeconfig or --state',
    );
  }
  const { objects, unchecked } = await listConsumers(view);
  for (const sentence of unchecked) onUnchecked(sentence);
  return objects.map((object) => ({ object }));
}

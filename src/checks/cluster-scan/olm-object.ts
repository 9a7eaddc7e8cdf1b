import { addTo } from '../../text/group.js';
import { Judge, type JudgePolicy } from '../../upgrade/index.js';
import { InvalidInputError, metaOf, type JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import {
  type FoundManifest,
  manifestFrom,
  type NamespacedName,
  type OlmKind,
  olmRules,
  readOperatorGroup,
  type RequestOperation,
  RuleContext,
} from '../../olm/index.js';
import {
  ClusterError,
  formatResource,
  lookedUpResources,
  type JudgedState,
  keyInBundle,
  keyOfWanted,
  ReviewView,
  type Answer,
  type AskedKind,
  type NamespaceGroups,
  type Wanted,
  type WantedInBundle,
} from '../../cluster/index.js';
import { append } from '../../text/long-lists.js';

export interface OlmQuestion {
  readonly kind: OlmKind;
  readonly request: RequestOperation;
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
  readonly isByOlm?: boolean;
}

export interface OlmAnswer {
  readonly findings: readonly Finding[];
  /** Checks that could not be made and why, a sentence each. */
  readonly unchecked: readonly string[];
  readonly compared: readonly ComparedDefinition[];
  readonly asked: ReadonlySet<AskedKind>;
}

interface ComparedDefinition {
  readonly current: JsonObject;
  readonly next: JsonObject;
}

export interface JudgeOptions {
  readonly policy: JudgePolicy;
  /** `scan` asks only for what is not followed at all, because it judges thousands of objects. */
  readonly purpose: 'review' | 'scan';
  readonly signal?: AbortSignal;
  readonly rule?: string;
  /** Looks for a manifest in a ConfigMap, off the event loop. */
  readonly unpackInWorker?: (
    configMap: JsonObject,
    question: WantedInBundle,
  ) => Promise<FoundManifest>;
  /** Compares definitions off the event loop. */
  readonly compareInWorker?: (current: JsonObject, next: JsonObject) => Promise<readonly Finding[]>;
}

const bringing: readonly OlmKind[] = ['InstallPlan', 'Subscription', 'ClusterExtension'];
/** A step that refers to a bundle refers to definitions in turn; nothing goes deeper. */
const maxRounds = 3;
const maxReads = 1000;
/** Nor more bundles: a plan brings an operator and what that needs. */
const maxBundles = 50;
const readsAtOnce = 50;

export async function judgeOlmObject(
  state: JudgedState,
  question: OlmQuestion,
  options: JudgeOptions,
): Promise<OlmAnswer> {
  const groups = await groupsNow(state, question, options);
  const answers = new Map<string, Answer>();
  const bundles = new Bundles(state, options);
  const comparisons = new Comparisons(options);
  // Plans and bundles of catalogs bring definitions, which are compared with whole ones.
  const brings = state.knownCatalogs === null ? ['InstallPlan'] : bringing;
  const takesFollowed = options.purpose === 'scan' && !brings.includes(question.kind);
  for (let round = 1; ; round++) {
    const view = new ReviewView(state, answers, { groups, takesFollowed, ...bundles.known });
    const answer = runRules(question, view, comparisons, options.rule);
    const { wanted: objects, wantedInBundles } = view;
    const isComplete = objects.size + wantedInBundles.size === 0 && !comparisons.isWanting;
    if (isComplete || round > maxRounds) return answer;
    await comparisons.finish();
    await bundles.look([...wantedInBundles.values()]);
    const wanted = [...objects.values()];
    if (options.purpose === 'review' && wanted.length > maxReads) {
      const message = `refers to ${wanted.length} objects, and a review reads no more than ${maxReads}`;
      throw new InvalidInputError('E_LIMIT', message, { path: 'request.object' });
    }
    for (let first = 0; first < wanted.length; first += readsAtOnce) {
      await Promise.all(
        wanted.slice(first, first + readsAtOnce).map(async (each) => {
          answers.set(keyOfWanted(each), await read(state, each, options.signal));
        }),
      );
    }
  }
}

function runRules(
  question: OlmQuestion,
  view: ReviewView,
  comparisons: Comparisons,
  only: string | undefined,
): OlmAnswer {
  const compared: ComparedDefinition[] = [];
  const context = new RuleContext({
    ...question,
    view,
    crdSafety: (current, next) => {
      if (question.kind === 'InstallPlan') compared.push({ current, next });
      return comparisons.of(current, next);
    },
  });
  const findings: Finding[] = [];
  const rulesOf = new Map<string, string[]>();
  const note = (why: string, rule: string): void => addTo(rulesOf, why, rule);
  for (const rule of olmRules) {
    if (rule.subject !== question.kind || !rule.requests.includes(question.request)) continue;
    if (only !== undefined && rule.id !== only) continue;
    try {
      append(findings, rule.judge(context));
      for (const reason of view.gaps) note(`not checked completely: ${reason}`, rule.id);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      note(`not checked: ${error.message}`, rule.id);
    }
    view.gaps.clear();
  }
  const unchecked = [...rulesOf].map(([why, rules]) => `${rules.join(', ')} ${why}`);
  return { findings, unchecked, compared, asked: view.asked };
}

/** Manifests of bundles that OLM unpacked into ConfigMaps; each is read once. */
class Bundles {
  private readonly manifests = new Map<string, FoundManifest>();
  private readonly configMaps = new Map<string, Promise<Answer>>();
  /** The answer for all manifests of a bundle that was given up. */
  private readonly givenUp = new Map<string, FoundManifest>();
  /** The answer for all manifests that are still unread when the time is over. */
  private unfinished: FoundManifest | undefined;
  private hasRead = false;

  constructor(
    private readonly state: JudgedState,
    private readonly options: JudgeOptions,
  ) {}

  get known(): { readonly manifests?: ReadonlyMap<string, FoundManifest> } {
    return this.options.unpackInWorker === undefined ? {} : { manifests: this.manifests };
  }

  async look(wanted: readonly WantedInBundle[]): Promise<void> {
    for (const each of wanted.slice(0, maxReads)) {
      this.manifests.set(keyInBundle(each), await this.find(each));
    }
    for (const each of wanted.slice(maxReads)) {
      const unread = `a review reads no more than ${maxReads} manifests`;
      this.manifests.set(keyInBundle(each), { unread, isTooMuch: true });
    }
  }

  private async find(question: WantedInBundle): Promise<FoundManifest> {
    const { bundle, wanted } = question;
    const place = `${bundle.namespace}/${bundle.name}`;
    const givenUp = this.givenUp.get(place);
    if (givenUp !== undefined) return givenUp;
    let reading = this.configMaps.get(place);
    if (reading === undefined) {
      if (this.configMaps.size >= maxBundles) {
        return { unread: `a review reads no more than ${maxBundles} bundles`, isTooMuch: true };
      }
      this.configMaps.set(place, (reading = this.read(bundle)));
    }
    const answer = await reading;
    const { unpackInWorker, signal } = this.options;
    if ('unread' in answer && signal?.aborted === true) {
      return { unread: `ConfigMap ${place} was not read in time`, isTooMuch: true };
    }
    const configMap = 'unread' in answer ? null : answer.object;
    if (!configMap || unpackInWorker === undefined) return manifestFrom(configMap, bundle, wanted);
    if (this.unfinished !== undefined) return this.unfinished;
    const found = await unpackInWorker(configMap, question);
    if (!('unread' in found)) this.hasRead = true;
    else if (found.isUnfinished === true) return (this.unfinished = this.outOfTime(found.unread));
    // A bundle in which one manifest could not be found will not yield the next.
    else if (found.isTooMuch === true) this.givenUp.set(place, found);
    return found;
  }

  /** Others may be in the way of the first of a plan's bundles; before all others there are its own. */
  private outOfTime(unread: string): FoundManifest {
    return this.hasRead ? { unread, isTooMuch: true } : { unread, isUnfinished: true };
  }

  private async read({ namespace, name }: NamespacedName): Promise<Answer> {
    if (this.state.askedLive.has('ConfigMap')) {
      return read(this.state, { kind: 'ConfigMap', namespace, name }, this.options.signal);
    }
    const object = this.state.view.lookUp('ConfigMap', name, namespace);
    return object === null ? { unread: 'ConfigMaps are not read' } : { object };
  }
}

/** Comparisons of definitions: at once where there is no worker to compare them, otherwise by the next round. */
class Comparisons {
  /** By both definitions themselves: what is looked up again is the same object. */
  private readonly done = new Map<JsonObject, Map<JsonObject, readonly Finding[] | Error>>();
  private wanted: { readonly current: JsonObject; readonly next: JsonObject }[] = [];

  constructor(private readonly options: JudgeOptions) {}

  get isWanting(): boolean {
    return this.wanted.length > 0;
  }

  /** @throws InvalidInputError for a definition that cannot be judged */
  of(current: JsonObject, next: JsonObject): readonly Finding[] {
    const known = this.done.get(current)?.get(next);
    if (known instanceof Error) throw known;
    if (known !== undefined) return known;
    if (this.options.compareInWorker === undefined) return this.atOnce(current, next);
    this.wanted.push({ current, next });
    return [];
  }

  /** One after the other, so that all of them together hold no more than one does. */
  async finish(): Promise<void> {
    const { compareInWorker } = this.options;
    if (compareInWorker === undefined) return;
    for (const { current, next } of this.wanted.splice(0)) {
      if (this.done.get(current)?.has(next) === true) continue;
      const found = await compareInWorker(current, next).catch(unjudgeable);
      const others = this.done.get(current) ?? new Map<JsonObject, readonly Finding[] | Error>();
      this.done.set(current, others.set(next, found));
    }
  }

  private atOnce(current: JsonObject, next: JsonObject): readonly Finding[] {
    return Judge.for(this.options.policy, 'review').upgrade(current, next).findings;
  }
}

function unjudgeable(error: unknown): InvalidInputError {
  if (error instanceof InvalidInputError) return error;
  return new InvalidInputError('E_LIMIT', error instanceof Error ? error.message : String(error));
}

/** Of two groups created at the same time each misses the other in what is followed; a list does not. */
async function groupsNow(
  state: JudgedState,
  { kind, request, object }: OlmQuestion,
  { purpose, signal }: JudgeOptions,
): Promise<NamespaceGroups | undefined> {
  const isAsked = kind === 'OperatorGroup' && request === 'CREATE' && purpose === 'review';
  if (!isAsked || state.askedLive.size === 0) return undefined;
  const namespace = metaOf(object).namespace;
  try {
    const list = await state.cluster.list(
      { group: 'operators.coreos.com', resource: 'operatorgroups' },
      { namespace, signal },
    );
    return { namespace, list: list.map(readOperatorGroup) };
  } catch {
    // Falls back to the followed state.
    return undefined;
  }
}

async function read(
  state: JudgedState,
  { kind, name, namespace }: Wanted,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const place = namespace === '' ? undefined : namespace;
  const resource = lookedUpResources[kind];
  try {
    return { object: await state.cluster.get(resource, name, place, signal) };
  } catch (error) {
    if (error instanceof ClusterError && error.isForbidden) {
      return { unread: `the right to get ${formatResource(resource)} is missing` };
    }
    const reason = error instanceof Error ? error.message : String(error);
    return { unread: `${kind} objects cannot be read: ${reason}` };
  }
}

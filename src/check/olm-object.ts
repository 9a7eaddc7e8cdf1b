/** Rules over one object of OLM: what they look up is read, and what cannot be read is named. */
import { judgeUpgrade, referenceProfiles } from '../rules/crd/index.js';
import { InvalidInputError, stringifyJson, type JsonObject } from '../text/documents/index.js';
import type { Finding } from '../finding.js';
import { readOperatorGroup } from '../olm/operator-group.js';
import type { OlmKind, RequestOperation, RuleContext } from '../rules/olm/rule.js';
import { olmRules } from '../rules/olm/table.js';
import type { Profile } from './policy.js';
import { ClusterError, formatResource } from '../facts/cluster/view.js';
import { lookedUpResources } from '../facts/olm-state/kinds.js';
import { metadataText } from '../facts/olm-state/object-store.js';
import type { JudgedState } from '../facts/olm-state/olm-state.js';
import {
  keyOfWanted,
  ReviewView,
  UnknownKindError,
  type Answer,
  type NamespaceGroups,
  type Wanted,
} from '../facts/olm-state/review-view.js';

export interface OlmQuestion {
  readonly kind: OlmKind;
  readonly request: RequestOperation;
  /** The new object; for DELETE the one that goes. */
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
}

export interface OlmAnswer {
  readonly findings: readonly Finding[];
  /** What could not be checked and why, a sentence each. */
  readonly unchecked: readonly string[];
  /** Definitions that the object brings, and what they are to replace. */
  readonly compared: readonly ComparedDefinition[];
}

export interface ComparedDefinition {
  readonly current: JsonObject;
  readonly next: JsonObject;
}

export interface JudgeOptions {
  readonly profile: Profile;
  /**
   * `review` reads what the moment of a request depends on; `scan` asks only for what is not
   * followed at all, because it judges thousands of objects.
   */
  readonly purpose: 'review' | 'scan';
  readonly signal?: AbortSignal;
  /** Compares definitions under profiles that take their time, off the event loop. */
  readonly compareElsewhere?: (
    current: JsonObject,
    next: JsonObject,
  ) => Promise<readonly Finding[]>;
}

/** A step that refers to a bundle refers to definitions in turn; nothing goes deeper. */
const mostRounds = 3;
/** A review reads no more objects than this; the rest counts as not known. */
const mostReads = 100;
const tooMany: Answer = { unread: `a review reads no more than ${mostReads} objects` };

export async function judgeOlmObject(
  state: JudgedState,
  question: OlmQuestion,
  options: JudgeOptions,
): Promise<OlmAnswer> {
  const groups = await groupsNow(state, question, options);
  const answers = new Map<string, Answer>();
  const comparisons = new Comparisons(options);
  // Only plans bring definitions, which are compared with whole ones.
  const takesFollowed = options.purpose === 'scan' && question.kind !== 'InstallPlan';
  for (let round = 1; ; round++) {
    const view = new ReviewView(state, answers, { groups, takesFollowed });
    const answer = runRules(question, view, comparisons);
    const isComplete = view.wanted.size === 0 && !comparisons.isWanting;
    if (isComplete || round > mostRounds) return answer;
    await comparisons.finish();
    const wanted = [...view.wanted.values()];
    for (const each of wanted.slice(mostReads)) answers.set(keyOfWanted(each), tooMany);
    await Promise.all(
      wanted.slice(0, mostReads).map(async (each) => {
        answers.set(keyOfWanted(each), await read(state, each, options.signal));
      }),
    );
  }
}

function runRules(question: OlmQuestion, view: ReviewView, comparisons: Comparisons): OlmAnswer {
  const compared: ComparedDefinition[] = [];
  const context: RuleContext = {
    ...question,
    view,
    crdSafety: (current, next) => {
      compared.push({ current, next });
      return comparisons.of(current, next);
    },
  };
  const findings: Finding[] = [];
  const rulesOf = new Map<string, string[]>();
  const note = (why: string, rule: string): void => {
    rulesOf.set(why, [...(rulesOf.get(why) ?? []), rule]);
  };
  for (const rule of olmRules) {
    if (rule.kind !== question.kind || !rule.requests.includes(question.request)) continue;
    try {
      findings.push(...rule.check(context));
      for (const reason of view.gaps) note(`not checked completely: ${reason}`, rule.name);
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error;
      note(`not checked: ${error.message}`, rule.name);
    }
    view.gaps.clear();
  }
  const unchecked = [...rulesOf].map(([why, rules]) => `${rules.join(', ')} ${why}`);
  return { findings, unchecked, compared };
}

/** Comparisons of definitions: at once under a quick profile, by the next round under another. */
class Comparisons {
  private readonly done = new Map<string, readonly Finding[] | Error>();
  private readonly wanted = new Map<string, Promise<void>>();

  constructor(private readonly options: JudgeOptions) {}

  get isWanting(): boolean {
    return this.wanted.size > 0;
  }

  /** @throws InvalidInputError for a definition that cannot be judged */
  of(current: JsonObject, next: JsonObject): readonly Finding[] {
    const { profile, compareElsewhere } = this.options;
    const quick = referenceProfiles.find((each) => each === profile);
    if (quick !== undefined) return judgeUpgrade(current, next, quick).findings;
    if (compareElsewhere === undefined) {
      throw new InvalidInputError('E_INPUT', `profile ${profile} is not at hand here`);
    }
    const key = `${metadataText(current, 'name')} ${stringifyJson(next)}`;
    const known = this.done.get(key);
    if (known instanceof Error) throw known;
    if (known !== undefined) return known;
    if (!this.wanted.has(key)) {
      const asked = compareElsewhere(current, next).then(
        (findings) => void this.done.set(key, findings),
        (error: unknown) => void this.done.set(key, unjudgeable(error)),
      );
      this.wanted.set(key, asked);
    }
    return [];
  }

  async finish(): Promise<void> {
    await Promise.all(this.wanted.values());
    this.wanted.clear();
  }
}

function unjudgeable(error: unknown): InvalidInputError {
  if (error instanceof InvalidInputError) return error;
  return new InvalidInputError('E_INPUT', error instanceof Error ? error.message : String(error));
}

/**
 * Two groups that are created at the same time each miss the other in what is followed; a list
 * does not.
 */
async function groupsNow(
  state: JudgedState,
  { kind, request, object }: OlmQuestion,
  { purpose, signal }: JudgeOptions,
): Promise<NamespaceGroups | undefined> {
  const isAsked = kind === 'OperatorGroup' && request === 'CREATE' && purpose === 'review';
  if (!isAsked || state.askedLive.size === 0) return undefined;
  const namespace = metadataText(object, 'namespace');
  try {
    const list = await state.cluster.list(
      { group: 'operators.coreos.com', resource: 'operatorgroups' },
      { namespace, ...(signal === undefined ? {} : { signal }) },
    );
    return { namespace, list: list.map(readOperatorGroup) };
  } catch {
    // What is followed is the next best.
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

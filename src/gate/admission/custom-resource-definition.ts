/** Reviews updates of CustomResourceDefinitions. */
import {
  asUnprovable,
  fallbackFindings,
  judgeUpgrade,
  type PairOptions,
  proofMessage,
  proofProfile,
  referenceProfiles,
  newSwitchOff,
  unfinishedProof,
  upgradeMessage,
  UpgradePair,
} from '../../upgrade/index.js';
import {
  type InputErrorCode,
  InvalidInputError,
  type JsonObject,
  type MeasuredJson,
  metaOf,
  own,
  type Place,
  sameJson,
} from '../../text/documents/index.js';
import { textAt, objectsAt } from '../../text/documents/fields.js';
import { shareBytes, type Attached } from '../../checks/index.js';
import { releaseFor } from '../../kubernetes/index.js';
import { identity, rollbackMode, type Policy } from '../../policy/index.js';
import type { Finding, Verdict } from '../../rule/index.js';
import type { Caller } from './disclosure.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { shortName } from './bounds.js';
import { UnfinishedError, type Assessment, type ReviewContext, type Reviewer } from './reviewer.js';
import { digestOfUpdate } from './update-digest.js';

/**
 * Judges UPDATE, from `oldObject` to `object`. On CREATE only switch-offs are checked. `withStoredObjects`
 * judges what a DELETE removes.
 */
export const customResourceDefinitionReviewer: Reviewer = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  family: 'crd-upgrade-safety',
  groupsOf: ({ object, oldObject }) => groupsOf(oldObject ?? object ?? {}),
  assess: (request, context) => inWordsOfTheReview(() => assess(request, context)),
};

/** Judgements call the two definitions `$.old` and `$.new`; a review calls them `oldObject` and `object`. */
async function inWordsOfTheReview<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.where.path === undefined) throw error;
    const path = error.where.path
      .replace(/^\$\.old(?![\w-])/, 'request.oldObject')
      .replace(/^\$\.new(?![\w-])/, 'request.object');
    throw new InvalidInputError(error.code, error.message, { ...error.where, path }, error.details);
  }
}

/** Comparing this many differences on the event loop takes as long as a few usual reviews. */
const overloadLimits = { maxDifferences: 5000, isHurried: true };

/** Definitions in larger reviews are compared in a thread, so that the event loop stays free. */
const quickBytes = 128 * 1024;
/** Definitions with more versions too: each served version is compared with each other one. */
const quickVersions = 8;

async function assess(
  request: AdmissionRequest,
  context: ReviewContext,
): Promise<Assessment | undefined> {
  if (request.operation === 'CREATE') return nothingToCompare(request);
  if (request.operation !== 'UPDATE') return undefined;
  const old = required(request.oldObject, 'request.oldObject');
  const next = required(request.object, 'request.object');
  const name = subjectName(request);
  const { body } = context;
  const update = { old, next, ...(body && { review: shareReview(body, context.caller) }) };
  const isQuick =
    body === undefined ||
    (body.bytes.length <= quickBytes &&
      // Its rule for oneOf prints whole alternatives, at each level of nesting.
      context.policy.profile !== 'olm-v1.10' &&
      [old, next].every((each) => versionsOf(each).length <= quickVersions));
  const [compared, back] = await Promise.all([
    isQuick ? compareQuickly(update, context) : compareInWorker(update, context),
    rollbackOf(update, context),
  ]);
  const profile = referenceProfiles.find((each) => each === context.policy.profile);
  return {
    ...compared,
    findings: [...compared.findings, ...(back?.findings ?? [])],
    ...(back === undefined ? {} : { notes: { rollback: back.sentence } }),
    groups: groupsOf(old),
    command: `olm-guard check crd cluster:${shortName(name)} NEW`,
    fix: `olm-guard check crd cluster:${shortName(name)} NEW --fix FILE`,
    ...(profile !== undefined && context.policy.enforce === 'all' && isDenying(compared)
      ? { effects: () => effectsOf(update, profile, context) }
      : {}),
    patches: (judge) => patchesOf(update, { policy: context.policy, judge }),
    message: (denied) =>
      profile === undefined
        ? proofMessage(name, denied)
        : upgradeMessage(name, profile, denied, versionsOf(old)),
  };
}

/** A definition before and after. */
interface Update {
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** The review that contains both: threads parse its bytes themselves. */
  readonly review?: () => ThreadReview;
}

type ThreadReview = Required<Pick<Attached, 'unread'>> & Pick<Attached, 'key'>;

/** Copies the review's bytes when the first thread needs them; later threads get the same copy. */
function shareReview(body: MeasuredJson, caller: Caller): () => ThreadReview {
  const share = (): ThreadReview => {
    // Without a key no answer is kept: unauthenticated clients could fill the cache.
    const key = caller === 'unauthenticated' ? undefined : digestOfUpdate(body);
    return { unread: { review: shareBytes(body) }, ...(key === undefined ? {} : { key }) };
  };
  let shared: ThreadReview | undefined;
  return () => (shared ??= share());
}

type Comparison = Pick<Assessment, 'findings' | 'previous'>;
type JudgingContext = Pick<ReviewContext, 'policy' | 'judge'>;

/** Compares on the event loop what needs no proof. */
async function compareQuickly(update: Update, context: JudgingContext): Promise<Comparison> {
  const { profile, enforce } = context.policy;
  if (profile === proofProfile) return proveInThread(update, context);
  const compare = (): Comparison => compareByRules(update, context);
  if (enforce === 'all') return compare();
  const pair = UpgradePair.read(update.old, update.next);
  const compared = pair.hasSameObjectSemantics ? compare() : undefined;
  if (compared !== undefined && !isDenying(compared)) return compared;
  try {
    return await compareInThread(update, context, { profile, effects: true });
  } catch (error) {
    unfinished(error);
    return withoutProof(compared ?? compare(), context);
  }
}

/** Compares by the rules of a reference, on the event loop and without a proof. */
function compareByRules(
  { old, next }: Update,
  { policy: { profile, crdify } }: JudgingContext,
  {
    isHurried = false,
    ...limits
  }: Pick<PairOptions, 'maxDifferences'> & { isHurried?: boolean } = {},
): Comparison {
  const pair = UpgradePair.read(old, next, { ...limits, crdify });
  const { findings, previous } = judgeUpgrade(pair, {
    profile,
    effects: 'none',
    isHarmAsked: false,
    // The contract only warns, so it is left out when there is no time.
    contract: isHurried ? 'none' : 'plain',
  });
  return { findings, previous };
}

/**
 * Compares two definitions under the policy's profile in a thread of its own.
 *
 * @throws InvalidInputError for a definition that cannot be judged, or not within a thread's memory
 *   and time
 */
export async function compareInWorker(
  update: Update,
  context: JudgingContext,
): Promise<Comparison> {
  const { profile, enforce } = context.policy;
  if (profile === proofProfile) return proveInThread(update, context);
  try {
    return await compareInThread(update, context, { profile, effects: enforce !== 'all' });
  } catch (error) {
    return withoutProof(await compareAgain(update, context, unfinished(error)), context);
  }
}

/** Compares by the rules alone, where the proof was not finished. @throws InvalidInputError */
async function compareAgain(
  update: Update,
  context: JudgingContext,
  error: UnfinishedError,
): Promise<Comparison> {
  const { profile, enforce } = context.policy;
  // Rules without a proof are cheap enough for the event loop when no thread is free.
  if (error.notBegun !== undefined) return compareByRules(update, context, overloadLimits);
  if (enforce === 'all') throw tooMuch(error);
  const byRules = { ...context, policy: { ...context.policy, enforce: 'all' } } as const;
  return compareInThread(update, byRules, { profile, effects: false }).catch((again: unknown) =>
    compareAgain(update, byRules, unfinished(again)),
  );
}

/** @throws every other error */
function unfinished(error: unknown): UnfinishedError {
  if (error instanceof UnfinishedError) return error;
  throw error;
}

/** Marks the findings, so that the rules decide where no proof was ready in time. */
function withoutProof(compared: Comparison, { policy }: JudgingContext): Comparison {
  if (policy.enforce === 'all' || !isDenying(compared)) return compared;
  return { ...compared, findings: compared.findings.map(asUnprovable) };
}

/** Large definitions take long to compare, so the error is about the object and not about the gate. */
function tooMuch({ message }: UnfinishedError): InvalidInputError {
  return new InvalidInputError('E_LIMIT', `cannot be judged: ${message}`, {
    path: 'request.object',
  });
}

function nothingToCompare(request: AdmissionRequest): Assessment {
  return {
    findings: [],
    previous: () => [],
    message: () => '',
    groups: groupsOf(required(request.object, 'request.object')),
    command: `olm-guard explain ${newSwitchOff.id}`,
  };
}

function isDenying({ findings }: Comparison): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Adds to findings of a reference's rules what each does to objects, if a proof is ready in time. */
async function effectsOf(
  update: Update,
  profile: string,
  context: JudgingContext,
): Promise<(finding: Finding) => Finding> {
  try {
    const { findings } = await compareInThread(update, context, { profile, effects: true });
    const proven = new Map(findings.map((each) => [identity(each), each]));
    return (finding) => {
      const { effect, proof, witness, stored, storedFrom } = proven.get(identity(finding)) ?? {};
      return effect === undefined
        ? finding
        : { ...finding, effect, proof, witness, stored, storedFrom };
    };
  } catch (error) {
    if (error instanceof UnfinishedError || error instanceof InvalidInputError) return same;
    throw error;
  }
}

/** Adds to each finding a patch that ends it, where one is found in time. */
async function patchesOf(
  update: Update,
  { policy, judge }: JudgingContext,
): Promise<(finding: Finding) => Finding> {
  try {
    const how = { profile: policy.profile, ...comparisonOf(policy) };
    const { verdict } = await runTask('definition-patches', update, judge, how);
    const patched = new Map(verdict?.findings.map((each) => [identity(each), each.fix]));
    return (finding) => {
      const fix = patched.get(identity(finding));
      return fix === undefined ? finding : { ...finding, fix };
    };
  } catch (error) {
    if (error instanceof UnfinishedError) return same;
    throw error;
  }
}

const same = (finding: Finding): Finding => finding;

/**
 * Findings of a proof; one that was stopped gives the findings it had.
 *
 * @throws InvalidInputError when the definitions cannot be judged
 */
async function proveInThread(update: Update, context: JudgingContext): Promise<Comparison> {
  const how = { profile: context.policy.profile, effects: false };
  const inTime = async (
    question: Parameters<typeof compareInThread>[2],
    late: (error: UnfinishedError) => readonly Finding[] | Promise<readonly Finding[]>,
  ): Promise<readonly Finding[]> => {
    try {
      return (await compareInThread(update, context, question)).findings;
    } catch (error) {
      if (error instanceof UnfinishedError) return late(error);
      throw error;
    }
  };
  return {
    findings: await inTime(how, async (error) => [
      unfinishedProof(metaOf(update.next).name, error.message),
      ...(await fallBackToRules(update, context)),
    ]),
    // Without findings about the old definition, the ratchet exempts nothing.
    previous: () => inTime({ ...how, ofOld: true }, () => []),
  };
}

async function fallBackToRules(
  update: Update,
  { policy, judge }: JudgingContext,
): Promise<Finding[]> {
  const byRules: Policy = { ...policy, profile: 'olm-v1', enforce: 'all' };
  const { findings } = await compareInWorker(update, { policy: byRules, judge });
  return fallbackFindings(findings);
}

/** Whether the old definition can be put back, if the policy asks: for the audit log, and as a finding. */
async function rollbackOf(
  update: Update,
  { policy, judge }: JudgingContext,
): Promise<{ readonly sentence: string; readonly findings: readonly Finding[] } | undefined> {
  const mode = rollbackMode(policy);
  const { old, next } = update;
  if (mode === undefined || sameJson(own(old, 'spec') ?? null, own(next, 'spec') ?? null)) {
    return undefined;
  }
  try {
    const { verdict } = await runTask('definition-rollback', update, judge, comparisonOf(policy));
    const [finding] = verdict?.findings ?? [];
    if (finding === undefined) return undefined;
    // Nothing is denied because a rollback is possible.
    const isReported = mode !== 'audit' && (mode === 'warn' || finding.severity !== 'info');
    return { sentence: finding.message, findings: isReported ? [finding] : [] };
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    return { sentence: `the rollback was not judged: ${error.message}`, findings: [] };
  }
}

/** Options of a comparison in a thread, without the profile. */
function comparisonOf({ crdify, kubernetes }: Policy): JsonObject {
  const release = releaseFor(kubernetes);
  return { ...(crdify && { crdify: { ...crdify } }), ...(release && { release }) };
}

/** @throws UnfinishedError, InvalidInputError when the definitions cannot be judged */
async function compareInThread(
  update: Update,
  { policy, judge }: JudgingContext,
  how: { readonly profile: string; readonly effects: boolean; readonly ofOld?: true },
): Promise<Comparison> {
  const answer = await runTask('definition-update', update, judge, {
    ...how,
    ...comparisonOf(policy),
  });
  const { verdict, output, error } = answer;
  if (verdict !== undefined) {
    return { findings: verdict.findings, previous: () => output?.previous ?? [] };
  }
  throw new InvalidInputError(
    error?.code ?? 'E_INPUT',
    error?.message ?? 'no verdict',
    error?.where,
  );
}

/** Runs a task about both definitions in a thread. @throws UnfinishedError */
async function runTask(
  task: string,
  { old, next, review }: Update,
  judge: JudgingContext['judge'],
  how: JsonObject = {},
): Promise<DefinitionAnswer> {
  return review === undefined
    ? judge(task, { ...how, old, new: next })
    : judge(task, how, review());
}

interface DefinitionAnswer {
  readonly verdict?: Verdict;
  readonly output?: { readonly previous: readonly Finding[] };
  readonly error?: {
    readonly code: InputErrorCode;
    readonly message: string;
    readonly where?: Place;
  };
}

function required(object: JsonObject | null | undefined, path: string): JsonObject {
  if (object !== null && object !== undefined) return object;
  throw new InvalidInputError('E_INPUT', 'is missing from the review', { path });
}

function versionsOf(definition: JsonObject): string[] {
  return objectsAt(definition, 'spec', 'versions').flatMap((each) => textAt(each, 'name') ?? []);
}

function groupsOf(definition: JsonObject): string[] {
  const group = textAt(definition, 'spec', 'group');
  return group === undefined ? [] : [group];
}

/** Reviews updates of CustomResourceDefinitions. */
import {
  findingsOfOld,
  judgeUpgrade,
  proofMessage,
  referenceProfiles,
  refusedByKubernetes,
  unfinishedProof,
  upgradeMessage,
  type ReferenceProfile,
} from '../../rules/crd/index.js';
import {
  InvalidInputError,
  isObject,
  own,
  type InputErrorCode,
  type JsonObject,
  type Place,
} from '../../text/documents/index.js';
import { switchOffPlanted } from '../../rules/switch-off/switch-off-planted.js';
import type { Finding, Verdict } from '../../finding.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { UnfinishedError, type Assessment, type ReviewContext, type Reviewer } from './reviewer.js';

/** UPDATE judges `oldObject` → `object`; of a CREATE only switch-offs are looked at, and DELETE passes. */
export const customResourceDefinitionReviewer: Reviewer = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  family: 'crd-upgrade-safety',
  assess: (request, context) => inWordsOfTheReview(() => assess(request, context)),
};

/** Judgements name the two definitions `$.old` and `$.new`; whoever sent the review knows other names. */
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

async function assess(
  request: AdmissionRequest,
  context: ReviewContext,
): Promise<Assessment | undefined> {
  if (request.operation === 'CREATE') return nothingToCompare(request);
  if (request.operation !== 'UPDATE') return undefined;
  const old = required(request.oldObject, 'request.oldObject');
  const requested = required(request.object, 'request.object');
  const name = subjectName(request);
  const common = {
    groups: groupsOf(old),
    refusedByKubernetes,
    command: `olm-guard check crd cluster:${name} NEW`,
  };
  const profile = referenceProfiles.find((each) => each === context.policy.profile);
  if (profile === undefined) {
    return { ...common, ...(await assessElsewhere(old, requested, name, context)) };
  }
  const judged = judgeUpgrade(old, requested, profile).findings;
  const isProofAsked = context.policy.enforce === 'proven' && judged.length > 0;
  const findings = isProofAsked ? await proven(judged, old, requested, profile, context) : judged;
  return {
    ...common,
    findings,
    previous: () => findingsOfOld(old, profile, findings),
    message: (denied) => upgradeMessage(name, profile, denied),
  };
}

function nothingToCompare(request: AdmissionRequest): Assessment {
  return {
    findings: [],
    previous: () => [],
    message: () => '',
    groups: groupsOf(required(request.object, 'request.object')),
    refusedByKubernetes,
    command: `olm-guard explain ${switchOffPlanted.id}`,
  };
}

/**
 * The same findings with what each really does to objects. Nobody's answer leaves them undecided:
 * the policy says what that is worth.
 */
async function proven(
  findings: readonly Finding[],
  old: JsonObject,
  requested: JsonObject,
  profile: ReferenceProfile,
  { judge }: ReviewContext,
): Promise<readonly Finding[]> {
  try {
    return findingsIn(await judge('crd', { old, new: requested, profile, effects: true }));
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    return findings.map((finding) => ({ ...finding, effect: 'undecided' }));
  }
}

/** A profile that looks for proof takes its time: a thread of its own judges. */
async function assessElsewhere(
  old: JsonObject,
  requested: JsonObject,
  name: string,
  context: ReviewContext,
): Promise<Pick<Assessment, 'findings' | 'previous' | 'message'>> {
  return {
    findings: await compareElsewhere(old, requested, context),
    previous: async () => {
      try {
        return await compareInTime(old, old, context);
      } catch (error) {
        // Nothing is known of the old definition by itself, so nothing is forgiven for it.
        if (error instanceof UnfinishedError) return [];
        throw error;
      }
    },
    message: (denied) => `${proofMessage(name, denied)}\n${fixHint(name)}`,
  };
}

/**
 * Compares two definitions under the policy's profile in a thread of its own. A proof that nobody
 * finishes is one that decides nothing: the policy says what that is worth.
 *
 * @throws InvalidInputError for a definition that cannot be judged
 */
export async function compareElsewhere(
  old: JsonObject,
  next: JsonObject,
  context: Pick<ReviewContext, 'policy' | 'judge'>,
): Promise<readonly Finding[]> {
  try {
    return await compareInTime(old, next, context);
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    return [unfinishedProof(nameOf(next), error.message)];
  }
}

/** @throws UnfinishedError, InvalidInputError */
async function compareInTime(
  old: JsonObject,
  next: JsonObject,
  { policy, judge }: Pick<ReviewContext, 'policy' | 'judge'>,
): Promise<readonly Finding[]> {
  const { profile, enforce } = policy;
  return findingsIn(await judge('crd', { old, new: next, profile, effects: enforce === 'proven' }));
}

function fixHint(name: string): string {
  return `A change that keeps every object, where there is one: olm-guard check crd cluster:${name} NEW --profile proof --fix FILE`;
}

/** @throws InvalidInputError when the answer says that the input cannot be judged */
function findingsIn(answer: JsonObject): readonly Finding[] {
  const { verdict, error } = answer as {
    readonly verdict?: Verdict;
    readonly error?: { readonly code: InputErrorCode; readonly message: string; where?: Place };
  };
  if (verdict !== undefined) return verdict.findings;
  throw new InvalidInputError(
    error?.code ?? 'E_INPUT',
    error?.message ?? 'no verdict',
    error?.where,
  );
}

function required(object: JsonObject | null | undefined, path: string): JsonObject {
  if (object !== null && object !== undefined) return object;
  throw new InvalidInputError('E_INPUT', 'is missing from the review', { path });
}

function nameOf(definition: JsonObject): string {
  const metadata = own(definition, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

function groupsOf(definition: JsonObject): string[] {
  const spec = own(definition, 'spec');
  const group = isObject(spec) ? own(spec, 'group') : undefined;
  return typeof group === 'string' ? [group] : [];
}

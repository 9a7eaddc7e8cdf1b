/** One review from request to answer: guarantee, assess, decide, answer. */
import { InvalidInputError } from '../../text/documents/index.js';
import { evaluateBypasses, type BypassEvaluation } from '../../check/bypass.js';
import { decide, type DecidedFinding, type Decision } from '../../check/decide.js';
import { explainDecision, explainWarned } from '../../check/explain.js';
import { guarantee, guaranteeAtOnce } from '../../check/guarantees.js';
import type { Policy } from '../../check/policy.js';
import type { AdmissionRequest } from './admission-review.js';
import { boundWarnings, cutAtLine } from './bounds.js';
import { allowed, denied, type AdmissionResponse, type Cause } from './response.js';
import { UnfinishedError, type Assessment, type ReviewContext, type Reviewer } from './reviewer.js';

/** An answer, and what metrics and log say about it. */
export interface Reviewed {
  readonly response: AdmissionResponse;
  readonly decision: Decision['outcome'] | 'unjudged';
  readonly decided: readonly DecidedFinding[];
  readonly bypassed: Decision['bypassed'];
  /** Why the request could not be judged. */
  readonly unjudged?: string;
  /** What broke inside the gate, for the log alone. */
  readonly failure?: unknown;
}

const nothing = { decided: [], bypassed: [] } as const;

/** Reviews one request. Never rejects: what goes wrong is a decision by policy. */
export async function review(
  request: AdmissionRequest,
  reviewers: readonly Reviewer[],
  context: ReviewContext,
): Promise<Reviewed> {
  const { resource } = request;
  const reviewer = reviewers.find(
    (each) => each.resource === resource.resource && each.group === resource.group,
  );
  if (reviewer === undefined || isSpared(request, reviewer)) {
    return { response: allowed(request.uid), decision: 'allowed', ...nothing };
  }
  const policy = policyFor(request, context.policy);
  try {
    const assessment = await reviewer.assess(request, context);
    if (assessment === undefined) {
      return { response: allowed(request.uid), decision: 'allowed', ...nothing };
    }
    return await answer(request, reviewer, assessment, context);
  } catch (error) {
    if (error instanceof InvalidInputError) {
      return unjudged(request.uid, policy, error.describe());
    }
    if (error instanceof UnfinishedError) {
      return unjudged(request.uid, policy, error.message);
    }
    const sentence =
      error instanceof RangeError
        ? 'the object nests too deep to be judged'
        : 'olm-guard failed while judging it; its log says how';
    return { ...unjudged(request.uid, policy, sentence), failure: error };
  }
}

/** Whether nothing the reviewer could say would matter. */
function isSpared(request: AdmissionRequest, { reviewsStatus = false }: Reviewer): boolean {
  const { subResource, ...rest } = guarded(request);
  const isReviewedStatus = subResource === 'status' && reviewsStatus;
  return guaranteeAtOnce(isReviewedStatus ? rest : { ...rest, subResource }) !== undefined;
}

/** A status write is never denied, also where policy denies what cannot be judged. */
export function policyFor(
  { subResource }: Pick<AdmissionRequest, 'subResource'>,
  policy: Policy,
): Policy {
  return subResource === 'status' ? { ...policy, unjudged: 'allow' } : policy;
}

/** The answer to a review that was not or could not be judged: policy says which. */
export function unjudged(uid: string, policy: Policy, sentence: string): Reviewed {
  const common = { decision: 'unjudged', unjudged: sentence, ...nothing } as const;
  if (policy.unjudged === 'deny') {
    const message = `olm-guard could not judge this request, and its policy denies what cannot be judged: ${sentence}`;
    return { response: denied(uid, message, undefined), ...common };
  }
  const warning = `olm-guard could not judge this request and allows it unjudged: ${sentence}`;
  return { response: allowed(uid, boundWarnings([warning])), ...common };
}

async function answer(
  request: AdmissionRequest,
  reviewer: Reviewer,
  assessment: Assessment,
  context: ReviewContext,
): Promise<Reviewed> {
  const { policy, now } = context;
  const { findings } = assessment;
  const subject = { groups: assessment.groups, name: request.name ?? '' };
  const plain = { subject, familyOf: reviewer.familyOf };
  let decision = decide(findings, policy, plain, now);
  let bypass = bypassOf(request, [], context);
  let problems: readonly string[] = [];
  if (!decision.allowed) {
    const owners = await reviewer.owners(request, context);
    problems = owners.problems;
    bypass = bypassOf(request, owners.objects, context);
    const neverDenied = guarantee(guarded(request)) ?? assessment.neverDenied;
    const previous = policy.ratchet ? await assessment.previous() : [];
    const spared = {
      ...plain,
      previous,
      bypasses: bypass.bypasses,
      ...(neverDenied === undefined ? {} : { neverDenied }),
    };
    decision = decide(findings, policy, spared, now);
  }
  const { unchecked = [] } = assessment;
  if (decision.allowed && unchecked.length > 0 && policy.unjudged === 'deny') {
    const spared = guarantee(guarded(request)) ?? assessment.neverDenied;
    if (spared === undefined) return unjudged(request.uid, policy, unchecked.join('; '));
  }
  const warnings = boundWarnings([
    ...unchecked,
    ...explainDecision(
      decision,
      { ...bypass, problems: [...bypass.problems, ...problems] },
      assessment.refusedByKubernetes,
    ),
    ...explainWarned(decision),
  ]);
  const response = decision.allowed
    ? allowed(request.uid, warnings)
    : denial(request, assessment, decision, policy, warnings);
  return {
    response: withAudit(response, decision, assessment.notes),
    decision: decision.outcome === 'allowed' && warnings.length > 0 ? 'warned' : decision.outcome,
    decided: decision.decided,
    bypassed: decision.bypassed,
  };
}

function guarded(request: AdmissionRequest): Parameters<typeof guarantee>[0] {
  return {
    subResource: request.subResource,
    user: request.userInfo?.username,
    object: request.object ?? undefined,
    oldObject: request.oldObject ?? undefined,
  };
}

function bypassOf(
  request: AdmissionRequest,
  owners: NonNullable<Parameters<typeof evaluateBypasses>[0]['owners']>,
  { policy, now }: ReviewContext,
): BypassEvaluation {
  return evaluateBypasses(
    {
      stored: request.oldObject ?? undefined,
      requested: request.object ?? undefined,
      owners,
    },
    policy,
    now,
  );
}

function denial(
  request: AdmissionRequest,
  assessment: Assessment,
  decision: Decision,
  policy: Policy,
  warnings: readonly string[],
): AdmissionResponse {
  const findings = decision.decided
    .filter(({ disposition }) => disposition === 'denied')
    .map(({ finding }) => finding);
  const message = cutAtLine(
    assessment.message(findings),
    policy.budgets.messageBytes,
    (count) => `and ${count} more findings: ${assessment.command}`,
  );
  const causes: Cause[] = findings.slice(0, policy.budgets.causes).map((finding) => ({
    reason: finding.rule,
    message: cutAtLine(finding.message, policy.budgets.messageBytes, () => '…'),
    ...(finding.path === undefined ? {} : { field: finding.path }),
  }));
  const { name, kind } = request;
  const details = {
    ...(name === undefined ? {} : { name }),
    group: kind.group,
    kind: kind.kind,
    causes,
  };
  return denied(request.uid, message, details, warnings);
}

/** Keys are prefixed with the webhook's name by the API server. */
function withAudit(
  response: AdmissionResponse,
  decision: Decision,
  more: Assessment['notes'] = {},
): AdmissionResponse {
  const notes: Record<string, string> = { ...more };
  if (decision.bypassed.length > 0) {
    notes['bypassed-by'] = decision.bypassed
      .map(({ bypass, family }) => `${bypass.by} ${family}: ${bypass.description}`)
      .join('; ');
  }
  const spared = decision.decided.filter(
    ({ disposition, wouldDeny }) => disposition !== 'denied' && wouldDeny,
  );
  if (spared.length > 0) {
    notes['would-deny'] = [...new Set(spared.map(({ finding }) => finding.rule))].join(', ');
  }
  return Object.keys(notes).length === 0 ? response : { ...response, auditAnnotations: notes };
}

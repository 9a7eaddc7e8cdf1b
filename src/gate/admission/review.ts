/** One review from request to answer: guarantee, assess, check, answer. */
import { ClusterError } from '../../cluster/index.js';
import type { Finding } from '../../rule/index.js';
import { unreadableObject } from '../../upgrade/index.js';
import { InvalidInputError, stringifyJson, type JsonValue } from '../../text/documents/index.js';
import {
  type AdmissionRequest,
  subjectName,
  allowed,
  denied,
  type AdmissionResponse,
  type Cause,
} from './admission-review.js';
import { UnfinishedError, type Assessment, type Reviewer, type ReviewContext } from './reviewer.js';
import {
  check,
  type Checked,
  explainExempt,
  explainWarned,
  guarantee,
  type GuardedRequest,
  isNeverDenied,
  annotation,
  doctorAnnotation,
  type Policy,
} from '../../policy/index.js';
import { boundWarnings, cutAtLine, shortPath } from './bounds.js';
import { denialText } from './denial-text.js';
import {
  mayRead,
  disclosureFor,
  readableView,
  type Caller,
  type Disclosure,
} from './disclosure.js';

// Denies objects that the API server accepts and no rule can read, with a finding like any other.

/** Caused by the cluster, the network or a time limit: an object's author may have caused any other error. */
function isInfrastructureError(error: unknown): boolean {
  if (error instanceof UnfinishedError || error instanceof ClusterError) return true;
  const { name, syscall } = error as { readonly name?: unknown; readonly syscall?: unknown };
  return name === 'AbortError' || name === 'TimeoutError' || typeof syscall === 'string';
}

/** An error in the stored object does not deny the request, and neither does a deletion. */
function unreadable(error: unknown, request: AdmissionRequest, reviewer: Reviewer): Assessment {
  const { kind, name = '', operation, oldObject } = request;
  const findings = [findingOf(error, reviewer)];
  const isStored =
    !!oldObject &&
    (operation === 'DELETE' ||
      (error instanceof InvalidInputError &&
        error.where.path?.startsWith('request.oldObject') === true));
  return {
    findings,
    previous: () => (isStored ? findings : []),
    groups: reviewer.groupsOf(request),
    message: (denied) =>
      `${kind.kind} ${name} was refused by olm-guard, which cannot judge what it says: ${denied.map(({ message }) => message).join('; ')}`,
    command: 'olm-guard explain UnreadableObject',
  };
}

function findingOf(error: unknown, { family }: Reviewer): Finding {
  const words =
    error instanceof InvalidInputError
      ? { id: 'unreadable', data: { problem: error.describe() } }
      : { id: 'failed' };
  // Nothing can be proven of an unreadable object; `unprovable` denies it also under `enforce: proven`.
  return { ...unreadableObject.finding(words), family, unprovable: true };
}

/** An answer, and what metrics and log say about it. */
export interface Reviewed {
  readonly response: AdmissionResponse;
  readonly decision: Checked['outcome'] | 'unjudged';
  readonly decided: Checked['decided'];
  readonly bypassed: Checked['bypassed'];
  readonly newSwitchOffs: Checked['newSwitchOffs'];
  /** Why the request could not be judged. */
  readonly unjudged?: string;
  /** A failure of the gate itself; only the log shows it. */
  readonly failure?: unknown;
}

export const nothing = { decided: [], bypassed: [], newSwitchOffs: [] } as const;

const cameThrough = 'olm-guard doctor: this call came through to the gate';

/** Beside whatever else is answered to a dry run that `olm-guard doctor` makes. */
export const doctorWarnings: Readonly<Record<Caller, string>> = {
  'api-server': `${cameThrough}, which knows that an API server sent it`,
  unverified: `${cameThrough}, which cannot tell it from anybody else's`,
  unauthenticated: `${cameThrough}, which takes it for somebody else's`,
};

/** Reviews one request. Never rejects: what goes wrong is a decision by policy. */
export async function review(
  request: AdmissionRequest,
  reviewers: readonly Reviewer[],
  context: ReviewContext,
): Promise<Reviewed> {
  const reviewed = await decide(request, reviewers, context);
  const isDoctor =
    request.dryRun === true &&
    !!request.object &&
    annotation(request.object, doctorAnnotation) !== undefined;
  if (!isDoctor) return reviewed;
  const { response } = reviewed;
  const warnings = [doctorWarnings[context.caller], ...(response.warnings ?? [])];
  return { ...reviewed, response: { ...response, warnings } };
}

async function decide(
  request: AdmissionRequest,
  reviewers: readonly Reviewer[],
  context: ReviewContext,
): Promise<Reviewed> {
  const { resource } = request;
  const reviewer = reviewers.find(
    (each) => each.resource === resource.resource && each.group === resource.group,
  );
  const isStatusReviewed = reviewer?.reviewsStatus?.(request) === true;
  if (reviewer === undefined || isNeverDenied(guarded(request), isStatusReviewed)) {
    return { response: allowed(request.uid), decision: 'allowed', ...nothing };
  }
  const policy = policyFor(request, context.policy);
  try {
    return await judged(request, reviewer, context);
  } catch (error) {
    if (error instanceof UnfinishedError) return unjudged(request.uid, policy, error.message);
    const sentence = 'olm-guard failed while judging it; its log says how';
    return { ...unjudged(request.uid, policy, sentence), failure: error };
  }
}

/** Other requests may be allowed each time; what they break together is reported afterwards. */
const maxAssessments = 5;

/** @throws every error that the request itself does not cause */
async function judged(
  request: AdmissionRequest,
  reviewer: Reviewer,
  context: ReviewContext,
): Promise<Reviewed> {
  let asked: Promise<Disclosure> | undefined;
  const standing = (): Promise<Disclosure> => (asked ??= disclosureFor(request, context));
  const readable = { ...context, view: readableView(context.view, standing) };
  try {
    for (let assessments = 1; ; assessments++) {
      const assessment = await reviewer.assess(request, {
        ...context,
        standing,
        mayRead: (resource, namespace) => mayRead(request, resource, context, namespace),
        mayUpdate: async (object) => {
          try {
            return (await context.view.mayUpdate?.(request.userInfo ?? {}, object)) ?? false;
          } catch {
            return 'unknown';
          }
        },
      });
      if (assessment === undefined) {
        return { response: allowed(request.uid), decision: 'allowed', ...nothing };
      }
      const reviewed = await answer(request, assessment, readable);
      // Nothing may be allowed between the question and the answer: so no await here.
      if (!reviewed.response.allowed || assessment.settle?.() !== false) return reviewed;
      if (assessments >= maxAssessments) return reviewed;
    }
  } catch (error) {
    if (isInfrastructureError(error)) throw error;
    const reviewed = await answer(request, unreadable(error, request, reviewer), readable);
    return error instanceof InvalidInputError ? reviewed : { ...reviewed, failure: error };
  }
}

/** A status write is never denied, nor cleaning up, also where policy denies what cannot be judged. */
function policyFor(request: AdmissionRequest, policy: Policy): Policy {
  return guarantee(guarded(request)) === undefined ? policy : { ...policy, unjudged: 'allow' };
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
  assessment: Assessment,
  context: ReviewContext,
): Promise<Reviewed> {
  const { policy, now, view } = context;
  const checked = await check(
    {
      ...assessment,
      subject: { groups: assessment.groups, name: subjectName(request) },
      request: guarded(request),
    },
    policy,
    { now, view, isAdmission: true },
  );
  const { verdict, outcome, bypassed, newSwitchOffs, unjudged: sentence } = checked;
  if (sentence !== undefined && !verdict.allowed) return unjudged(request.uid, policy, sentence);
  const { proven, ...failed } = await withDetails(checked, assessment, context);
  const redact = proven.length === 0 ? undefined : await assessment.redaction?.();
  const decided =
    redact === undefined
      ? proven
      : proven.map((each) => ({ ...each, finding: redact(each.finding) }));
  // Findings that differ only in what was redacted would reveal how many objects there are.
  const disclosed = redact === undefined ? decided : distinct(decided);
  const warnings = boundWarnings([
    ...verdict.warnings,
    ...explainExempt(disclosed),
    ...explainWarned(disclosed, assessment.command),
  ]);
  const response = verdict.allowed
    ? allowed(request.uid, warnings)
    : denial(request, assessment, disclosed, policy, warnings, now);
  return {
    response: withAudit(response, checked, assessment.notes),
    ...(sentence !== undefined
      ? { decision: 'unjudged', unjudged: sentence }
      : { decision: outcome === 'allowed' && warnings.length > 0 ? 'warned' : outcome }),
    decided,
    bypassed,
    newSwitchOffs,
    ...failed,
  };
}

/** The denial stands, whatever goes wrong while the gate looks for effects and patches. */
async function withDetails(
  { verdict, decided }: Checked,
  { effects, patches, redaction }: Assessment,
  { spare }: ReviewContext,
): Promise<{ readonly proven: Checked['decided'] } & Pick<Reviewed, 'failure'>> {
  let proven = decided;
  if (verdict.allowed) return { proven };
  const inSpareTime = async (): Promise<((finding: Finding) => Finding) | undefined> => {
    // A patch shows what it changes.
    if (patches === undefined || redaction !== undefined) return undefined;
    const judge = spare?.();
    return judge === undefined ? undefined : patches(judge);
  };
  try {
    for (const look of [effects, inSpareTime]) {
      const withDetail = await look?.();
      if (withDetail === undefined) continue;
      proven = proven.map((each) => ({ ...each, finding: withDetail(each.finding) }));
    }
    return { proven };
  } catch (failure) {
    return { proven, failure };
  }
}

function distinct(decided: Checked['decided']): Checked['decided'] {
  const textOf = ({ finding, disposition }: Checked['decided'][number]): string =>
    JSON.stringify([disposition, finding.rule, finding.path, finding.message]);
  return [...new Map(decided.map((each) => [textOf(each), each])).values()];
}

function guarded(request: AdmissionRequest): GuardedRequest {
  return {
    subResource: request.subResource,
    user: request.userInfo?.username,
    groups: request.userInfo?.groups ?? undefined,
    object: request.object ?? undefined,
    oldObject: request.oldObject ?? undefined,
  };
}

function denial(
  request: AdmissionRequest,
  assessment: Assessment,
  decided: Checked['decided'],
  policy: Policy,
  warnings: readonly string[],
  now: Date,
): AdmissionResponse {
  const findings = decided
    .filter(({ disposition }) => disposition === 'denied')
    .map(({ finding }) => finding);
  const message = denialText(findings, request, assessment, policy, now);
  const causes = causesOf(findings, policy);
  const { kind } = request;
  const name = subjectName(request);
  const details = { ...(name === '' ? {} : { name }), group: kind.group, kind: kind.kind, causes };
  return denied(request.uid, message, details, warnings);
}

/** Reason of a cause whose message is a JSON Patch (RFC 6902) of the object that was sent. */
const patchReason = 'JSONPatch';
const maxPatches = 5;
/** Part of a patch is none: longer ones are left out. */
const maxPatchLength = 1024;

function causesOf(findings: readonly Finding[], { budgets }: Policy): Cause[] {
  const patches = new Set<string>();
  const causes = findings.slice(0, budgets.causes).flatMap((finding): Cause[] => {
    const field = finding.path === undefined ? {} : { field: shortPath(finding.path) };
    const text = cutAtLine(finding.message, budgets.messageBytes, () => '…');
    const cause = { reason: finding.rule, message: text, ...field };
    const patch = Array.isArray(finding.fix) ? stringifyJson(finding.fix as JsonValue) : '';
    const isLeftOut = patch === '' || patch.length > maxPatchLength || patches.has(patch);
    if (isLeftOut || patches.size >= maxPatches) return [cause];
    patches.add(patch);
    return [cause, { reason: patchReason, message: patch, ...field }];
  });
  return causes.slice(0, budgets.causes);
}

/** Keys are prefixed with the webhook's name by the API server. */
function withAudit(
  response: AdmissionResponse,
  { bypassed, decided, newSwitchOffs }: Checked,
  more: Assessment['notes'] = {},
): AdmissionResponse {
  const notes: Record<string, string> = { ...more };
  if (bypassed.length > 0) {
    notes['bypassed-by'] = bypassed
      .map(({ bypass, family }) => `${bypass.by} ${family}: ${bypass.description}`)
      .join('; ');
  }
  if (newSwitchOffs.length > 0) {
    notes['new-switch-off'] = newSwitchOffs
      .map(({ description, counts }) => `${description}${counts ? '' : ' (does not count)'}`)
      .join('; ');
  }
  const downgraded = decided.filter(
    ({ disposition, wouldDeny }) => disposition !== 'denied' && wouldDeny,
  );
  if (downgraded.length > 0) {
    notes['would-deny'] = [...new Set(downgraded.map(({ finding }) => finding.rule))].join(', ');
  }
  return Object.keys(notes).length === 0 ? response : { ...response, auditAnnotations: notes };
}

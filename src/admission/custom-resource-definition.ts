/** Reviews updates of CustomResourceDefinitions. */
import {
  findingsOfOld,
  judgeUpgrade,
  referenceProfiles,
  refusedByKubernetes,
  upgradeMessage,
} from '../crd/index.js';
import {
  InvalidInputError,
  isObject,
  own,
  type InputErrorCode,
  type JsonObject,
  type Place,
} from '../documents/index.js';
import type { Finding, Verdict } from '../finding.js';
import type { AdmissionRequest } from './admission-review.js';
import { ownersOf } from './owners.js';
import type { Assessment, ReviewContext, Reviewer } from './reviewer.js';

/** UPDATE judges `oldObject` → `object`; CREATE and DELETE pass. */
export const customResourceDefinitionReviewer: Reviewer = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  familyOf: () => 'crd-upgrade-safety',
  assess,
  owners: (request, context) => ownersOf(request.oldObject ?? undefined, context),
};

async function assess(
  request: AdmissionRequest,
  context: ReviewContext,
): Promise<Assessment | undefined> {
  if (request.operation !== 'UPDATE') return undefined;
  const old = required(request.oldObject, '$.request.oldObject');
  const requested = required(request.object, '$.request.object');
  const name = request.name ?? '';
  const common = {
    groups: groupsOf(old),
    refusedByKubernetes,
    command: `olm-guard check crd cluster:${name} NEW`,
  };
  const profile = referenceProfiles.find((each) => each === context.policy.profile);
  if (profile === undefined) {
    return { ...common, ...(await assessElsewhere(old, requested, name, context)) };
  }
  const { findings } = judgeUpgrade(old, requested, profile);
  return {
    ...common,
    findings,
    previous: () => findingsOfOld(old, profile, findings),
    message: (denied) => upgradeMessage(name, profile, denied),
  };
}

/** A profile that looks for proof takes its time: a thread of its own judges. */
async function assessElsewhere(
  old: JsonObject,
  requested: JsonObject,
  name: string,
  context: ReviewContext,
): Promise<Pick<Assessment, 'findings' | 'previous' | 'message'>> {
  const ask = (next: JsonObject): Promise<readonly Finding[]> =>
    compareElsewhere(old, next, context);
  return {
    findings: await ask(requested),
    previous: () => ask(old),
    message: (denied) => {
      const lines = denied.map(({ message }) => message).join('\n');
      return `validating upgrade for CRD "${name}" failed: ${lines}`;
    },
  };
}

/**
 * Compares two definitions under the policy's profile in a thread of its own.
 *
 * @throws InvalidInputError for a definition that cannot be judged
 */
export async function compareElsewhere(
  old: JsonObject,
  next: JsonObject,
  { policy, judge }: Pick<ReviewContext, 'policy' | 'judge'>,
): Promise<readonly Finding[]> {
  return findingsIn(await judge('crd', { old, new: next, profile: policy.profile }));
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
  throw new InvalidInputError('E_INPUT', 'is missing from the review of an update', { path });
}

function groupsOf(definition: JsonObject): string[] {
  const spec = own(definition, 'spec');
  const group = isObject(spec) ? own(spec, 'group') : undefined;
  return typeof group === 'string' ? [group] : [];
}

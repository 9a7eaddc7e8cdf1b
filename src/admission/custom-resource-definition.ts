/** Reviews updates of CustomResourceDefinitions. */
import {
  findingsOfOld,
  judgeUpgrade,
  referenceProfiles,
  refusedByKubernetes,
  upgradeMessage,
  type ReferenceProfile,
} from '../crd/index.js';
import { InvalidInputError, isObject, own, type JsonObject } from '../documents/index.js';
import type { Policy } from '../policy/policy.js';
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

function assess(request: AdmissionRequest, { policy }: ReviewContext): Assessment | undefined {
  if (request.operation !== 'UPDATE') return undefined;
  const old = required(request.oldObject, '$.request.oldObject');
  const requested = required(request.object, '$.request.object');
  const profile = referenceProfile(policy.profile);
  const judgement = judgeUpgrade(old, requested, profile);
  const name = request.name ?? '';
  return {
    findings: judgement.findings,
    previous: () => findingsOfOld(old, profile, judgement.findings),
    groups: groupsOf(old),
    message: (denied) => upgradeMessage(name, profile, denied),
    refusedByKubernetes,
    command: `olm-guard check crd cluster:${name} NEW`,
  };
}

function referenceProfile(profile: Policy['profile']): ReferenceProfile {
  const known = referenceProfiles.find((each) => each === profile);
  if (known !== undefined) return known;
  throw new InvalidInputError('E_INPUT', `the gate does not know the profile "${profile}"`);
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

/** Who owns the definition under review: several operators depend on each of its served versions. */
import type { OlmState } from '../../facts/olm-state/olm-state.js';
import { UnknownKindError } from '../../facts/olm-state/review-view.js';
import { servedVersionRemoved } from '../../rules/contract/served-version-removed.js';
import { heedOwners, type Owner } from '../../rules/olm/shared-definition.js';
import { subjectName } from './admission-review.js';
import type { Reviewer } from './reviewer.js';

/** Reads who owns the definition only where a version of it goes. */
export function withSharedOwners(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const assessment = await inner.assess(request, context);
      const isAsked = assessment?.findings.some(({ rule }) => rule === servedVersionRemoved.id);
      if (assessment === undefined || isAsked !== true) return assessment;
      if ((await context.standing()).withheld !== undefined) return assessment;
      const owners = (): readonly Owner[] => ownersOf(subjectName(request), state);
      return { ...assessment, findings: heedOwners(assessment.findings, owners) };
    },
  };
}

function ownersOf(definition: string, { view }: OlmState): readonly Owner[] {
  try {
    return view.csvsOwningCrd(definition);
  } catch (error) {
    if (error instanceof UnknownKindError) return [];
    throw error;
  }
}

/** Who owns the definition under review: several operators depend on each of its served versions. */
import type { OlmState } from '../facts/olm-state/olm-state.js';
import { servedVersionRemoved } from '../../upgrade/index.js';
import { escalateForSharedOwners, type Owner } from '../../olm/index.js';
import { subjectName } from './admission-review.js';
import type { Reviewer } from './reviewer.js';

/** Reads who owns the definition only where a version of it goes; what it cannot see it names. */
export function withSharedOwners(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const assessment = await inner.assess(request, context);
      const isAsked = assessment?.findings.some(({ rule }) => rule === servedVersionRemoved.id);
      if (assessment === undefined || isAsked !== true) return assessment;
      const { withheld } = await context.standing();
      const unseen = withheld ?? state.unknown('ClusterServiceVersion');
      if (unseen !== undefined) {
        const sentence = `whether several ClusterServiceVersions own it is not known: ${unseen}`;
        return { ...assessment, unchecked: [...(assessment.unchecked ?? []), sentence] };
      }
      const owners = (): readonly Owner[] => state.view.csvsOwningCrd(subjectName(request));
      return { ...assessment, findings: escalateForSharedOwners(assessment.findings, owners) };
    },
  };
}

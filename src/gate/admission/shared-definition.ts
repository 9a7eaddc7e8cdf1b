/** The effect of a removed version on the operators that own the definition, and on all that rely on it. */
import type { OlmState } from '../../cluster/index.js';
import { servedVersionRemoved } from '../../upgrade/index.js';
import { escalateForSharedOwners } from '../../olm/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import {
  nothingFound,
  type ConsumerVerdicts,
  type DefinitionConsumers,
} from './definition-consumers.js';
import type { AssessContext, Reviewer } from './reviewer.js';

/** Reads who owns and who needs it only where the update takes something away; what it cannot see it names. */
export function withConsumers(
  inner: Reviewer,
  state: OlmState,
  consumers: DefinitionConsumers,
): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const [assessment, lost] = await Promise.all([
        inner.assess(request, context),
        lostBy(request, consumers, context),
      ]);
      if (assessment === undefined) return assessment;
      const isVersionGone = assessment.findings.some(
        ({ rule }) => rule === servedVersionRemoved.id,
      );
      const { withheld } = isVersionGone ? await context.standing() : {};
      const isKnown =
        withheld === undefined && state.unknown('ClusterServiceVersion') === undefined;
      const findings = isKnown
        ? escalateForSharedOwners(assessment.findings, () =>
            state.view.csvsOwningCrd(subjectName(request)),
          )
        : assessment.findings;
      return {
        ...assessment,
        findings: [...findings, ...lost.findings],
        unchecked: [...(assessment.unchecked ?? []), ...lost.unchecked],
      };
    },
  };
}

function lostBy(
  { operation, oldObject: old, object: next }: AdmissionRequest,
  consumers: DefinitionConsumers,
  context: AssessContext,
): Promise<ConsumerVerdicts> {
  if (operation !== 'UPDATE' || !old || !next) return Promise.resolve(nothingFound);
  return consumers.judge({ old, next }, context);
}

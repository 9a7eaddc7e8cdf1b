/** Who owns the definition under review: several operators depend on each of its served versions. */
import type { OlmState } from '../../facts/olm-state/olm-state.js';
import type { Csv } from '../../olm/cluster-service-version.js';
import { UnknownKindError } from '../../facts/olm-state/review-view.js';
import { servedVersionRemoved } from '../../rules/contract/served-version-removed.js';
import { subjectName } from './admission-review.js';
import type { Reviewer } from './reviewer.js';

/**
 * A version that goes is an error where several ClusterServiceVersions own the definition.
 *
 * Source: OpenShift documentation, "Operator multitenancy" and "CRD upgrades": all currently served
 * versions must be present in the new definition when several ClusterServiceVersions own it.
 */
export function withSharedOwners(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const assessment = await inner.assess(request, context);
      const isAsked = assessment?.findings.some(({ rule }) => rule === servedVersionRemoved.id);
      if (assessment === undefined || isAsked !== true) return assessment;
      if ((await context.standing()).withheld !== undefined) return assessment;
      if (!isShared(ownersOf(subjectName(request), state))) return assessment;
      const findings = assessment.findings.map((finding) =>
        finding.rule === servedVersionRemoved.id
          ? {
              ...finding,
              severity: 'error' as const,
              message: `${finding.message}; several ClusterServiceVersions own the definition, and each may need the version`,
            }
          : finding,
      );
      return { ...assessment, findings };
    },
  };
}

/** Of those that replace each other one counts. */
function isShared(owners: readonly Csv[]): boolean {
  const replaced = new Set(owners.map(({ namespace, replaces }) => `${namespace}/${replaces}`));
  return owners.filter(({ namespace, name }) => !replaced.has(`${namespace}/${name}`)).length > 1;
}

function ownersOf(definition: string, { view }: OlmState): readonly Csv[] {
  try {
    return view.csvsOwningCrd(definition);
  } catch (error) {
    if (error instanceof UnknownKindError) return [];
    throw error;
  }
}

import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule, type Problem } from '../rule.js';
import { activeMembers, apisOf, isActive, reviewGroup, rivalGroups } from './group-review.js';
import type { Csv } from '../../../objects/classic-objects.js';
import { ApiSet, apiText } from '../../../operator-groups/api-set.js';
import {
  type ApiClash,
  describeClash,
  findClashes,
  ownerConflictMessage,
  staticGroupMessage,
} from '../../../operator-groups/intersection.js';
import {
  checkInstallModes,
  type OperatorGroup,
  readableApis,
} from '../../../operator-groups/objects.js';
import { groupSurface, targetNamespacesAnnotation } from '../../../operator-groups/surface.js';
import { firstNames } from '../../../../text/shortened.js';
import { exampleOperator, exampleGroup, settledGroup } from '../examples.js';

export const operatorGroupTargets = defineOperatorGroupRule({
  id: 'OperatorGroupTargets',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'The targets of an OperatorGroup can be worked out: no empty name in targetNamespaces, and a valid selector.',
  why: 'OLM cannot work out the targets of such a group: it logs the error, writes no status, and the group never becomes usable. An invalid selector is an error even beside targetNamespaces.',
  otherwise:
    'TargetNamespaces cannot contain NamespaceAll: […], or the error of an invalid selector',
  instead:
    'For a group of all namespaces leave out both targetNamespaces and selector; correct an invalid selector, or remove it.',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
  example: {
    after: exampleGroup("targetNamespaces: [pets, '']", { name: 'all' }),
    says: 'TargetNamespaces cannot contain NamespaceAll',
    accepted: exampleGroup('', { name: 'all' }),
  },
  *judge(context) {
    const { targetError } = context.fact(reviewGroup);
    if (targetError === null) return;
    const isSelector = !targetError.startsWith('TargetNamespaces');
    yield {
      message: targetError,
      path: isSelector ? '$.spec.selector' : '$.spec.targetNamespaces',
      fix: isSelector
        ? 'Correct the selector, or remove it.'
        : 'Take the empty name out of targetNamespaces; for all namespaces, leave out targetNamespaces and selector.',
    };
  },
});

export const operatorGroupIntersection = defineOperatorGroupRule({
  id: 'OperatorGroupIntersection',
  severity: 'error',
  protects: 'other-namespaces',
  checks:
    'Two OperatorGroups whose targets share a namespace do not provide the same API; their own namespaces count as targets.',
  withoutNames: 'an OperatorGroup that shares a target namespace provides the same API',
  why: 'OLM accepts the group and later fails ClusterServiceVersions with InterOperatorGroupOwnerConflict, naming neither the other group nor the API, and removes their deployments. It is an error when an active member or a static group loses by it; when nothing but an annotation claims the API it is a warning.',
  otherwise: ownerConflictMessage,
  instead: 'Narrow the targets of one group, or move both operators into one.',
  source: from.olm(
    'pkg/controller/operators/olm/groups.go',
    'GroupIntersection',
    'ReconcileAPIIntersection',
  ),
  example: {
    before: `
${exampleOperator({ isSucceeded: true })}
      ---
      { kind: OperatorGroup, metadata: { name: rival, namespace: zoo, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }`,
    after: exampleGroup(),
    says: 'Cat.v1.example.com is already provided by OperatorGroup rival of namespace zoo',
    accepted: exampleGroup('targetNamespaces: [farm]', { name: 'farm', namespace: 'farm' }),
  },
  *judge(context) {
    const { group, surface, members } = context.fact(reviewGroup);
    const active = activeMembers(members);
    const provided = apisOf(active);
    const claimed = provided.union(surface.providedAPIs);
    for (const rival of rivalGroups(context.view, surface, claimed)) {
      // Of two groups in one namespace OLM compares neither: members fail with TooManyOperatorGroups.
      if (rival.namespace === group.namespace) continue;
      const theirs = activeMembers(context.view.csvsIn(rival.namespace));
      for (const clash of findClashes(surface, [groupSurface(rival)], claimed)) {
        yield describe(clash, { group, rival, active, theirs });
      }
    }
  },
});

interface Parties {
  readonly group: OperatorGroup;
  readonly rival: OperatorGroup;
  readonly active: readonly Csv[];
  readonly theirs: readonly Csv[];
}

function describe(clash: ApiClash, { group, rival, active, theirs }: Parties): Problem {
  const ours = providersOf(clash.api, active);
  const rivals = providersOf(clash.api, theirs);
  const losers = [...new Set([...ours, ...rivals])];
  const isKept = losers.length > 0 || (group.staticProvidedAPIs && rival.staticProvidedAPIs);
  const consequence =
    losers.length === 0
      ? ''
      : `; OLM will fail ${firstNames(losers)} with InterOperatorGroupOwnerConflict`;
  return {
    severity: isKept ? 'error' : 'warning',
    message: `${ownerConflictMessage}: ${describeClash(clash)}${rival.staticProvidedAPIs ? ' (static)' : ''}${consequence}`,
    path: '$.spec',
    cause: `${clash.group} ${clash.api}`,
    fix: `Choose targets that share no namespace with OperatorGroup ${rival.namespace}/${rival.name}.`,
  };
}

function providersOf(api: string, csvs: readonly Csv[]): string[] {
  return csvs
    .filter((csv) => [...new ApiSet(readableApis(csv))].some((own) => apiText(own) === api))
    .map((csv) => `${csv.namespace}/${csv.name}`);
}

export const unsupportedMembers = defineOperatorGroupRule({
  id: 'UnsupportedMembers',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'Every ClusterServiceVersion of the namespace supports the targets of its OperatorGroup by its install modes.',
  withoutNames: 'an active operator does not support its targets',
  why: 'OLM fails a member that does not with UnsupportedOperatorGroup. For members that their group fails already it is a warning.',
  otherwise:
    'UnsupportedOperatorGroup: … InstallModeType not supported, cannot configure to watch …',
  instead: 'Choose targets that all members support, or install the operator in another namespace.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
  ),
  messages: { unsupported: 'OLM will fail ClusterServiceVersion {csv} with {reason}: {message}' },
  example: {
    before: `
      ${settledGroup()}
      ---
${exampleOperator({ modes: ['OwnNamespace'], isSucceeded: true })}`,
    after: exampleGroup('targetNamespaces: [zoo]'),
    says: 'OLM will fail ClusterServiceVersion cats.v1 with UnsupportedOperatorGroup',
    accepted: exampleGroup(),
  },
  *judge(context) {
    const { group, members } = context.fact(reviewGroup);
    if (group.statusNamespaces.length === 0) return;
    const targets = targetNamespacesAnnotation(group.statusNamespaces).split(',');
    for (const csv of members) {
      const refusal = checkInstallModes(csv.installModes, csv.namespace, targets);
      if (refusal === null) continue;
      yield {
        severity: isActive(csv) ? 'error' : 'warning',
        id: 'unsupported',
        data: { csv: csv.name, reason: refusal.reason, message: refusal.message },
        path: '$.spec',
        cause: csv.name,
      };
    }
  },
});

export const staticProvidedApis = defineOperatorGroupRule({
  id: 'StaticProvidedAPIs',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'A static OperatorGroup lists every API of its active members in olm.providedAPIs.',
  withoutNames: 'an active operator provides an API that it does not list',
  why: 'OLM never writes olm.providedAPIs of a static group; a member with an API that is not listed fails with CannotModifyStaticOperatorGroupProvidedAPIs and loses its deployments.',
  otherwise: staticGroupMessage,
  instead:
    'List all APIs as <kind>.<version>.<group> in olm.providedAPIs before, or together with, making the group static.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/registry/resolver/cache/operators.go', 'GVKStringToProvidedAPISet'),
  ),
  example: {
    before: `
      ${settledGroup()}
      ---
${exampleOperator({ isSucceeded: true })}`,
    after: exampleGroup('targetNamespaces: [pets], staticProvidedAPIs: true'),
    says: 'cats.v1 provides Cat.v1.example.com, which olm.providedAPIs does not list',
    accepted: exampleGroup('targetNamespaces: [pets], staticProvidedAPIs: true', {
      apis: 'Cat.v1.example.com',
    }),
  },
  *judge(context) {
    const { group, members, surface } = context.fact(reviewGroup);
    if (!group.staticProvidedAPIs) return;
    for (const csv of activeMembers(members)) {
      const missing = readableApis(csv).difference(surface.providedAPIs).texts();
      if (missing.length === 0) continue;
      yield {
        message: `${staticGroupMessage}: ${csv.name} provides ${firstNames(missing)}, which olm.providedAPIs does not list`,
        path: '$.metadata.annotations["olm.providedAPIs"]',
        cause: csv.name,
        fix: `Add ${missing.join(',')} to olm.providedAPIs.`,
      };
    }
  },
});

export const multipleOperatorGroups = defineOperatorGroupRule({
  id: 'MultipleOperatorGroups',
  aliases: ['MultipleOperatorGroupsFound'],
  requests: ['CREATE'],
  severity: 'warning',
  protects: 'own-namespace',
  blocksUpgrade: true,
  checks: 'A namespace does not get a second OperatorGroup.',
  withoutNames: 'its namespace has an OperatorGroup already',
  why: 'With two groups every ClusterServiceVersion of the namespace fails with TooManyOperatorGroups, and no InstallPlan goes on. It is an error where an active member fails by it. Elsewhere it is a warning, because GitOps may be about to delete the other group; the enforcing overlay denies that too.',
  otherwise: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  instead:
    'Delete the OperatorGroup that is there first, or change it instead of creating another.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'syncOperatorGroups'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  messages: {
    taken:
      'namespace {namespace} has an OperatorGroup already: {names}; members fail with TooManyOperatorGroups while there are several',
    fails:
      'namespace {namespace} has an OperatorGroup already: {names}; OLM will fail {members} with TooManyOperatorGroups',
  },
  example: {
    before: settledGroup(),
    after: exampleGroup('targetNamespaces: [pets]', { name: 'second' }),
    says: 'namespace pets has an OperatorGroup already: pets',
    accepted: exampleGroup(),
  },
  *judge(context) {
    const { group, siblings, members } = context.fact(reviewGroup);
    if (siblings.length === 0) return;
    const { namespace } = group;
    const names = siblings.map((other) => other.name);
    const failing = activeMembers(members).map(({ name }) => name);
    yield {
      ...(failing.length > 0
        ? {
            severity: 'error',
            id: 'fails',
            data: { namespace, names, members: firstNames(failing) },
          }
        : { id: 'taken', data: { namespace, names } }),
      fix: `Delete OperatorGroup ${names[0] ?? ''}, or change it instead of creating another.`,
    };
  },
});

export const groupFailureRules = [
  operatorGroupTargets,
  operatorGroupIntersection,
  unsupportedMembers,
  staticProvidedApis,
  multipleOperatorGroups,
];

import type { Membership } from '../../../operator-groups/membership.js';
import {
  defineOlmRule,
  type OlmRule,
  type OlmRuleBody,
  type Problem,
  type RuleContext,
  defineCsvRule,
} from '../rule.js';
import { membershipOf, reviewedCsv } from './csv-review.js';
import { from, sources } from '../../../../rule/index.js';
import { exampleOperator, exampleGroup, settledGroup } from '../examples.js';
import { firstNames } from '../../../../text/shortened.js';
import { metaOf } from '../../../../text/documents/index.js';
import { checkInstallModes, providedApis } from '../../../operator-groups/objects.js';
import {
  describeClash,
  ownerConflictMessage,
  staticGroupMessage,
} from '../../../operator-groups/intersection.js';

interface Row extends Omit<OlmRuleBody, 'family' | 'judge'> {
  readonly problems: (membership: Membership, context: RuleContext) => Iterable<Problem>;
}

function membershipRule({ problems, ...row }: Row): OlmRule {
  return defineOlmRule({
    ...row,
    subject: 'ClusterServiceVersion',
    family: 'operator-groups',
    judge(context) {
      const membership = context.fact(membershipOf);
      return membership === null ? [] : problems(membership, context);
    },
  });
}

function* whenFailing(reason: string, membership: Membership, path: string): Iterable<Problem> {
  if (membership.state === 'failed' && membership.reason === reason) {
    yield { message: `${reason}: ${membership.message}`, path };
  }
}

/** A rule by the name of the reason with which OLM fails the ClusterServiceVersion. */
function failureRule({
  path = '$.metadata.namespace',
  ...row
}: Omit<Row, 'problems'> & { readonly path?: string }): OlmRule {
  return membershipRule({
    ...row,
    problems: (membership) => whenFailing(row.id, membership, path),
  });
}

export const noOperatorGroup = failureRule({
  id: 'NoOperatorGroup',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The namespace of a ClusterServiceVersion has an OperatorGroup.',
  withoutNames: 'its namespace has no OperatorGroup',
  why: 'A ClusterServiceVersion is installed only in a namespace with exactly one OperatorGroup. It fails until the group is there, and then goes on by itself.',
  otherwise: 'csv in namespace with no operatorgroups',
  instead: 'Create the OperatorGroup first, or install where there is one.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  example: {
    before: settledGroup('zoo'),
    after: exampleOperator(),
    says: 'NoOperatorGroup: csv in namespace with no operatorgroups',
    accepted: exampleOperator({ namespace: 'zoo' }),
  },
});

export const tooManyOperatorGroups = membershipRule({
  id: 'TooManyOperatorGroups',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'The namespace of a ClusterServiceVersion has one OperatorGroup only.',
  withoutNames: 'its namespace has several OperatorGroups',
  why: 'OLM does not choose between several: the ClusterServiceVersion fails until all but one are deleted.',
  otherwise: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  instead: 'Delete all OperatorGroups of the namespace but one first.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  example: {
    before: `
      ${settledGroup()}
      ---
      ${settledGroup('pets', 'second')}
      ---
      ${settledGroup('zoo')}`,
    after: exampleOperator(),
    says: 'TooManyOperatorGroups: csv created in namespace with multiple operatorgroups',
    accepted: exampleOperator({ namespace: 'zoo' }),
  },
  *problems(membership, { object, view }) {
    const { namespace } = metaOf(object);
    const names = firstNames(view.groupsIn(namespace).map(({ name }) => name));
    const fix = `Delete all but one of the OperatorGroups of ${namespace} first: ${names}.`;
    for (const each of whenFailing('TooManyOperatorGroups', membership, '$.metadata.namespace'))
      yield { ...each, fix };
  },
});

export const noTargetNamespaces = failureRule({
  id: 'NoTargetNamespaces',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The OperatorGroup of a ClusterServiceVersion targets a namespace.',
  withoutNames: 'the OperatorGroup of its namespace targets no namespace',
  why: 'The selector of the group matches no namespace. The ClusterServiceVersion fails until one gets the label.',
  otherwise: 'no targetNamespaces are matched operatorgroups namespace selection',
  instead: 'Label a namespace first, or correct the selector of the OperatorGroup.',
  source: from.olm(
    'pkg/controller/operators/olm/operator.go',
    'operatorGroupForCSV',
    'transitionCSVState',
  ),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { selector: { matchLabels: { env: production } } }, status: { namespaces: [] } }
      ---
      ${settledGroup('zoo')}`,
    after: exampleOperator(),
    says: 'NoTargetNamespaces: no targetNamespaces are matched',
    accepted: exampleOperator({ namespace: 'zoo' }),
  },
});

export const invalidInstallModes = defineCsvRule({
  id: 'InvalidInstallModes',
  severity: 'error',
  checks: 'A ClusterServiceVersion names each install mode once.',
  why: 'OLM fails a ClusterServiceVersion whose spec.installModes names a type twice, whatever the OperatorGroup.',
  otherwise: 'InstallMode list contains duplicates, cannot make set: […]',
  instead: 'List each type of spec.installModes once.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'NewInstallModeSet'),
  ),
  example: {
    before: settledGroup(),
    after: exampleOperator({ modes: ['OwnNamespace', 'OwnNamespace'] }),
    says: 'InvalidInstallModes: InstallMode list contains duplicates',
    accepted: exampleOperator({ modes: ['OwnNamespace'] }),
  },
  // No group makes it right, so none is asked for.
  *judge(context) {
    const csv = reviewedCsv(context);
    if (csv === null || providedApis(csv).error !== null) return;
    const refusal = checkInstallModes(csv.installModes, csv.namespace, []);
    if (refusal?.reason !== 'InvalidInstallModes') return;
    yield { message: `${refusal.reason}: ${refusal.message}`, path: '$.spec.installModes' };
  },
});

export const unsupportedOperatorGroup = membershipRule({
  id: 'UnsupportedOperatorGroup',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'The install modes of a ClusterServiceVersion support the targets of its OperatorGroup.',
  withoutNames: 'its install modes do not support the targets of its OperatorGroup',
  why: 'OLM fails it otherwise. A type that is left out is unsupported; nothing is inferred from others.',
  otherwise: '… InstallModeType not supported, cannot configure to watch …',
  instead: 'Install the operator where the group fits, or change the group.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
  ),
  example: {
    before: settledGroup(),
    after: exampleOperator({ modes: ['AllNamespaces'] }),
    says: 'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace',
    accepted: exampleOperator({ modes: ['OwnNamespace'] }),
  },
  *problems(membership) {
    const { group } = membership;
    for (const problem of whenFailing(
      'UnsupportedOperatorGroup',
      membership,
      '$.spec.installModes',
    )) {
      const targets = group?.statusNamespaces ?? [];
      const selects = targets.includes('') ? 'all namespaces' : firstNames(targets);
      yield {
        ...problem,
        fix: `Install the operator where the group fits, or change OperatorGroup ${group?.name ?? ''}.`,
        message: `${problem.message} (OperatorGroup ${group?.name ?? ''} selects ${selects})`,
      };
    }
  },
});

export const cannotModifyStaticOperatorGroupProvidedApis = membershipRule({
  id: 'CannotModifyStaticOperatorGroupProvidedAPIs',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'A ClusterServiceVersion in a static OperatorGroup provides only APIs that the group lists.',
  withoutNames: 'its static OperatorGroup does not list one of its APIs',
  why: 'OLM does not touch olm.providedAPIs of a static group, so it fails an operator with another API.',
  otherwise: staticGroupMessage,
  instead: 'Add the APIs to olm.providedAPIs of the OperatorGroup first.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/operators/olm/groups.go', 'ReconcileAPIIntersection'),
  ),
  example: {
    before: exampleGroup('targetNamespaces: [pets], staticProvidedAPIs: true', {
      apis: 'Cat.v1.example.com',
      status: 'pets',
    }),
    after: exampleOperator({ name: 'dogs.v1', owns: 'dogs' }),
    says: 'OperatorGroup pets does not list Dog.v1.example.com',
    accepted: exampleOperator(),
  },
  *problems({ intersection, group }) {
    if (intersection === null || group?.staticProvidedAPIs !== true) return;
    const { result, clashes, missing } = intersection;
    if (result === 'AddAPIs') {
      yield {
        message: `${staticGroupMessage}: OperatorGroup ${group.name} does not list ${firstNames(missing)}`,
        path: '$.spec',
        fix: `Add ${missing.join(',')} to olm.providedAPIs of OperatorGroup ${group.name}.`,
      };
    } else if (result === 'RemoveAPIs') {
      const [clash] = clashes;
      const why = clash === undefined ? '' : `: ${describeClash(clash)}`;
      yield { message: `${staticGroupMessage}${why}`, path: '$.spec' };
    }
  },
});

export const interOperatorGroupOwnerConflict = membershipRule({
  id: 'InterOperatorGroupOwnerConflict',
  aliases: ['OperatorGroupMembership'],
  severity: 'error',
  protects: 'other-namespaces',
  checks:
    'No other OperatorGroup provides an API of a ClusterServiceVersion for a namespace that both groups target; the own namespaces count.',
  withoutNames: 'an OperatorGroup that shares a target namespace provides one of its APIs',
  why: 'OLM fails the ClusterServiceVersion and removes its deployments.',
  otherwise: ownerConflictMessage,
  instead: 'Use the operator that is there, or choose groups that share no namespace.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm(
      'pkg/controller/operators/olm/groups.go',
      'GroupIntersection',
      'ReconcileAPIIntersection',
    ),
  ),
  example: {
    before: `
      ${settledGroup()}
      ---
      { kind: OperatorGroup, metadata: { name: rival, namespace: zoo, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }`,
    after: exampleOperator(),
    says: 'Cat.v1.example.com is already provided by OperatorGroup rival of namespace zoo',
    accepted: exampleOperator({ name: 'dogs.v1', owns: 'dogs' }),
  },
  *problems({ intersection, group }) {
    if (intersection === null || intersection.clashes.length === 0) return;
    // On a static group this ends in the rule about static groups instead.
    if (intersection.result === 'RemoveAPIs' && group?.staticProvidedAPIs === true) return;
    for (const clash of intersection.clashes) {
      yield {
        message: `${ownerConflictMessage}: ${describeClash(clash)}`,
        path: '$.spec',
        cause: `${clash.group} ${clash.api}`,
        fix: `Use the operator of OperatorGroup ${clash.group.split('/').reverse().join('/')}, or choose groups that share no namespace.`,
      };
    }
  },
});

export const groupMembershipRules = [
  noOperatorGroup,
  tooManyOperatorGroups,
  noTargetNamespaces,
  invalidInstallModes,
  unsupportedOperatorGroup,
  cannotModifyStaticOperatorGroupProvidedApis,
  interOperatorGroupOwnerConflict,
];

import { describeClash } from '../../olm/operator-groups/clash-text.js';
import {
  ownerConflictMessage,
  staticGroupMessage,
} from '../../olm/operator-groups/intersection.js';
import type { Membership } from '../../olm/operator-groups/membership.js';
import { defineRule, type OlmRule, type Problem, type RuleDefinition } from './rule.js';
import { membershipOf } from './csv-review.js';
import { namesText } from './group-review.js';
import { from, sources } from '../source.js';

type Row = Pick<RuleDefinition, 'name' | 'mode' | 'prevents' | 'source' | 'explain'> & {
  readonly problems: (membership: Membership) => Iterable<Problem>;
};

function membershipRule({ problems, ...row }: Row): OlmRule {
  return defineRule({
    ...row,
    kind: 'ClusterServiceVersion',
    requests: ['CREATE', 'UPDATE'],
    family: 'operator-groups',
    check(context) {
      const membership = membershipOf(context);
      return membership === null ? [] : problems(membership);
    },
  });
}

/** The problem of a membership that fails for this very reason. */
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
    problems: (membership) => whenFailing(row.name, membership, path),
  });
}

export const noOperatorGroup = failureRule({
  name: 'NoOperatorGroup',
  mode: 'warn',
  prevents: 'csv in namespace with no operatorgroups',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  explain:
    'A ClusterServiceVersion is installed only in a namespace with exactly one OperatorGroup. It fails until the group is there, and then goes on by itself.',
});

export const tooManyOperatorGroups = failureRule({
  name: 'TooManyOperatorGroups',
  mode: 'deny',
  prevents: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  explain:
    'A namespace must hold exactly one OperatorGroup. OLM does not choose between several: the ClusterServiceVersion fails until all but one are deleted.',
});

export const noTargetNamespaces = failureRule({
  name: 'NoTargetNamespaces',
  mode: 'warn',
  prevents: 'no targetNamespaces are matched operatorgroups namespace selection',
  source: from.olm(
    'pkg/controller/operators/olm/operator.go',
    'operatorGroupForCSV',
    'transitionCSVState',
  ),
  explain:
    'The selector of the OperatorGroup matches no namespace. The ClusterServiceVersion fails until one gets the label.',
});

export const invalidInstallModes = failureRule({
  name: 'InvalidInstallModes',
  path: '$.spec.installModes',
  mode: 'deny',
  prevents: 'InstallMode list contains duplicates, cannot make set: […]',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'NewInstallModeSet'),
  ),
  explain:
    'spec.installModes names a type twice. OLM fails such a ClusterServiceVersion. Keep one entry per type.',
});

export const unsupportedOperatorGroup = membershipRule({
  name: 'UnsupportedOperatorGroup',
  mode: 'deny',
  prevents: '… InstallModeType not supported, cannot configure to watch …',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
  ),
  explain:
    'The install modes do not support the targets of the OperatorGroup. A type that is left out is unsupported; nothing is inferred from others. ' +
    'Install the operator where the group fits, or change the group.',
  *problems(membership) {
    const { group } = membership;
    for (const problem of whenFailing(
      'UnsupportedOperatorGroup',
      membership,
      '$.spec.installModes',
    )) {
      const targets = group?.statusNamespaces ?? [];
      const selects = targets.includes('') ? 'all namespaces' : namesText(targets);
      yield {
        ...problem,
        message: `${problem.message} (OperatorGroup ${group?.name ?? ''} selects ${selects})`,
      };
    }
  },
});

export const interOperatorGroupOwnerConflict = membershipRule({
  name: 'InterOperatorGroupOwnerConflict',
  mode: 'deny',
  prevents: ownerConflictMessage,
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm(
      'pkg/controller/operators/olm/groups.go',
      'GroupIntersection',
      'ReconcileAPIIntersection',
    ),
  ),
  explain:
    'Another OperatorGroup already provides an API of this operator for a namespace that both groups target; the own namespaces count. ' +
    'OLM fails the ClusterServiceVersion and removes its deployments. Use the operator that is there, or choose groups that share no namespace.',
  *problems({ intersection, group }) {
    if (intersection === null || intersection.clashes.length === 0) return;
    // On a static group this ends in the rule about static groups instead.
    if (intersection.result === 'RemoveAPIs' && group?.staticProvidedAPIs === true) return;
    for (const clash of intersection.clashes) {
      yield {
        message: `${ownerConflictMessage}: ${describeClash(clash)}`,
        path: '$.spec',
        cause: `${clash.group} ${clash.api}`,
      };
    }
  },
});

export const cannotModifyStaticGroup = membershipRule({
  name: 'CannotModifyStaticOperatorGroupProvidedAPIs',
  mode: 'deny',
  prevents: staticGroupMessage,
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/operators/olm/groups.go', 'ReconcileAPIIntersection'),
  ),
  explain:
    'The OperatorGroup is static: OLM does not touch its olm.providedAPIs, so only operators with the APIs listed there may be members. List the APIs on the group first.',
  *problems({ intersection, group }) {
    if (intersection === null || group?.staticProvidedAPIs !== true) return;
    const { result, clashes, missing } = intersection;
    if (result === 'AddAPIs') {
      yield {
        message: `${staticGroupMessage}: OperatorGroup ${group.name} does not list ${namesText(missing)}`,
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

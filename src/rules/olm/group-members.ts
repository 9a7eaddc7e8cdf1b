import { checkInstallModes } from '../../olm/operator-groups/install-modes.js';
import { targetNamespacesAnnotation } from '../../olm/operator-groups/targets.js';
import { defineRule } from './rule.js';
import { activeMembers, isActive, namesText, reviewGroup } from './group-review.js';
import { from, sources } from '../source.js';

export const unsupportedMembers = defineRule({
  name: 'UnsupportedMembers',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents:
    'UnsupportedOperatorGroup: … InstallModeType not supported, cannot configure to watch …',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
  ),
  explain:
    'Every ClusterServiceVersion of the namespace must support the targets of the group by its install modes; one that does not fails with UnsupportedOperatorGroup. ' +
    'Choose targets that all members support, or install the operator elsewhere. Members that their group fails already only warn.',
  *check(context) {
    const { group, members } = reviewGroup(context);
    if (group.statusNamespaces.length === 0) return;
    const targets = targetNamespacesAnnotation(group.statusNamespaces).split(',');
    for (const csv of members) {
      const refusal = checkInstallModes(csv.installModes, csv.namespace, targets);
      if (refusal === null) continue;
      yield {
        severity: isActive(csv) ? 'error' : 'warning',
        message: `${refusal.reason} awaits ClusterServiceVersion ${csv.name}: ${refusal.message}`,
        path: '$.spec',
        cause: csv.name,
      };
    }
  },
});

export const groupInUse = defineRule({
  name: 'OperatorGroupInUse',
  kind: 'OperatorGroup',
  requests: ['DELETE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'csv in namespace with no operatorgroups',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  explain:
    'Without its group every member fails with NoOperatorGroup, and the copies in target namespaces go. It recovers when a group comes back.',
  *check(context) {
    const { members, siblings } = reviewGroup(context);
    const active = activeMembers(members);
    if (active.length === 0 || siblings.length > 0) return;
    yield {
      message: `NoOperatorGroup awaits active members: ${namesText(active.map((csv) => csv.name))}`,
    };
  },
});

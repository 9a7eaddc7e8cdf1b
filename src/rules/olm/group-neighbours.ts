import { defineRule } from './rule.js';
import { namesText, reviewGroup } from './group-review.js';
import { from, sources } from '../source.js';
import { metaOf } from '../../text/documents/index.js';

export const multipleOperatorGroups = defineRule({
  name: 'MultipleOperatorGroups',
  kind: 'OperatorGroup',
  requests: ['CREATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'syncOperatorGroups'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  explain:
    'A namespace must hold exactly one group. With two, every ClusterServiceVersion fails with TooManyOperatorGroups, and no InstallPlan goes on. ' +
    'It only warns because GitOps may be about to delete the other; the enforcing overlay denies it.',
  *check(context) {
    const { group, siblings } = reviewGroup(context);
    if (siblings.length === 0) return;
    const names = siblings.map((other) => other.name);
    yield {
      message: `namespace ${group.namespace} has an OperatorGroup already: ${namesText(names)}; members fail with TooManyOperatorGroups while there are several`,
      fix: `Delete OperatorGroup ${names[0] ?? ''}, or change it instead of creating another.`,
    };
  },
});

export const groupRoleCollision = defineRule({
  name: 'GroupRoleCollision',
  kind: 'OperatorGroup',
  requests: ['CREATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents:
    'nothing is said: OLM up to v0.25 (OpenShift 4.12) adopts or overwrites a ClusterRole of the same name',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getClusterRoleName'),
    from.issue('operator-framework/operator-lifecycle-manager', 1392),
  ),
  explain:
    'OLM up to v0.25 calls the roles of a group <name>-admin, <name>-edit and <name>-view. A ClusterRole of that name which belongs to something else is changed by it. ' +
    'Later versions use names with a hash, which cannot collide. Choose a name that no ClusterRole starts with.',
  *check(context) {
    const { group } = reviewGroup(context);
    const taken = ['admin', 'edit', 'view']
      .map((suffix) => `${group.name}-${suffix}`)
      .filter((name) => {
        const role = context.view.lookUp('ClusterRole', name);
        if (role === undefined || role === null) return false;
        const label = (key: string) => metaOf(role).label(key);
        return (
          label('olm.owner') !== group.name || label('olm.owner.namespace') !== group.namespace
        );
      });
    if (taken.length === 0) return;
    yield {
      message: `ClusterRoles of that name belong to something else: ${namesText(taken)}`,
      path: '$.metadata.name',
    };
  },
});

export const groupServiceAccount = defineRule({
  name: 'ServiceAccountNotFound',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents:
    'ServiceAccount … not found; please make sure the service account exists. sa=… operatorgroup=…',
  source: sources(
    from.olm('pkg/lib/scoped/syncer.go', 'SyncOperatorGroup'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  explain:
    'OLM installs the operators of the group with the rights of spec.serviceAccountName. Until it exists, the group does not settle and InstallPlans wait.',
  *check(context) {
    const { group } = reviewGroup(context);
    const name = group.serviceAccountName;
    if (name === '' || context.view.lookUp('ServiceAccount', name, group.namespace) !== undefined)
      return;
    yield {
      message: `ServiceAccount ${name} not found in namespace ${group.namespace}`,
      path: '$.spec.serviceAccountName',
    };
  },
});

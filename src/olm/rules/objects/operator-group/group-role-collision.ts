import { metaOf } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

export const groupRoleCollision = defineOperatorGroupRule({
  id: 'GroupRoleCollision',
  requests: ['CREATE'],
  severity: 'warning',
  protects: 'other-namespaces',
  checks:
    'No ClusterRole of something else has the name of a role that OLM makes for the OperatorGroup.',
  withoutNames: 'a ClusterRole of something else has the name of one of its roles',
  why: 'OLM up to v0.25 calls the roles of a group <name>-admin, <name>-edit and <name>-view, and changes a ClusterRole of that name which belongs to something else. Later versions use names with a hash, which cannot collide.',
  otherwise:
    'OLM reports no error: OLM up to v0.25 (OpenShift 4.12) adopts or overwrites a ClusterRole of the same name',
  instead: 'Give the OperatorGroup a name with which no ClusterRole begins.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getClusterRoleName'),
    from.issue('operator-framework/operator-lifecycle-manager', 1392),
  ),
  messages: { collision: 'ClusterRoles of that name belong to something else: {taken}' },
  example: {
    before: '{ kind: ClusterRole, metadata: { name: pets-edit } }',
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
    says: 'ClusterRoles of that name belong to something else: pets-edit',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets-group, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
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
      id: 'collision',
      data: { taken },
      path: '$.metadata.name',
    };
  },
});

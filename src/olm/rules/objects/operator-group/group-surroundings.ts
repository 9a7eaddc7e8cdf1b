import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { activeMembers, reviewGroup } from './group-review.js';
import { readOperatorGroup } from '../../../objects/classic-objects.js';
import { ApiSet } from '../../../operator-groups/api-set.js';
import { readableApis } from '../../../operator-groups/objects.js';
import { metaOf } from '../../../../text/documents/index.js';
import { exampleOperator, exampleGroup, settledGroup } from '../examples.js';

export const operatorGroupNameTaken = defineOperatorGroupRule({
  id: 'OperatorGroupNameTaken',
  requests: ['CREATE'],
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'No OperatorGroup of another namespace has the name of the new one.',
  withoutNames: 'an OperatorGroup of another namespace has its name',
  why: 'OLM up to v0.25 (OpenShift 4.12) names the ClusterRoles of a group <name>-admin, <name>-edit and <name>-view, so two groups of one name share them and overwrite each other. Later versions put a hash of the namespace into the name.',
  otherwise:
    'OLM reports no error: up to v0.25, groups of one name overwrite each other’s ClusterRoles',
  instead: 'Give this OperatorGroup a name that no other namespace uses for one.',
  source: from.openShift('Operator groups'),
  messages: {
    taken:
      'an OperatorGroup of that name is in namespace {names}: up to OLM v0.25 they share their ClusterRoles',
  },
  example: {
    before: settledGroup('zoo', 'pets'),
    after: exampleGroup(),
    says: 'an OperatorGroup of that name is in namespace zoo',
    accepted: exampleGroup('targetNamespaces: [pets]', { name: 'pets-group' }),
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const namespaces = context.view
      .groupsCovering([''])
      .filter(({ name, namespace }) => name === group.name && namespace !== group.namespace)
      .map(({ namespace }) => namespace);
    if (namespaces.length === 0) return;
    yield { id: 'taken', data: { names: namespaces.sort() }, path: '$.metadata.name' };
  },
});

export const staticProtectionLost = defineOperatorGroupRule({
  id: 'StaticProtectionLost',
  requests: ['UPDATE'],
  severity: 'warning',
  protects: 'other-namespaces',
  checks: 'A static OperatorGroup stays static and keeps the APIs that it lists.',
  withoutNames: 'active operators lose the protection of its list of APIs',
  why: 'A static group protects APIs that no member provides yet. Once it is no longer static, or lists fewer of them, other groups over the same namespaces may provide them.',
  otherwise: 'OLM reports no error: OLM removes from olm.providedAPIs what no member provides',
  instead:
    'Keep spec.staticProvidedAPIs: true and every API of olm.providedAPIs; APIs may be added.',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'pruneProvidedAPIs'),
  messages: { lost: 'these APIs are no longer protected by the group: {lost}' },
  example: {
    before: exampleGroup('targetNamespaces: [pets], staticProvidedAPIs: true', {
      apis: 'Cat.v1.example.com',
      status: 'pets',
    }),
    after: exampleGroup('targetNamespaces: [pets]', { apis: 'Cat.v1.example.com' }),
    says: 'these APIs are no longer protected by the group: Cat.v1.example.com',
    accepted: exampleGroup('targetNamespaces: [pets], staticProvidedAPIs: true', {
      apis: 'Cat.v1.example.com,Dog.v1.example.com',
    }),
  },
  *judge(context) {
    if (context.oldObject === null) return;
    const old = readOperatorGroup(context.oldObject);
    if (!old.staticProvidedAPIs) return;
    const { group, members, surface } = context.fact(reviewGroup);
    const kept = group.staticProvidedAPIs
      ? surface.providedAPIs
      : new ApiSet(members.flatMap((csv) => [...readableApis(csv)]));
    const lost = ApiSet.parse(old.providedAPIs ?? '')
      .difference(kept)
      .texts();
    if (lost.length === 0) return;
    yield { id: 'lost', data: { lost } };
  },
});

export const serviceAccountNotFound = defineOperatorGroupRule({
  id: 'ServiceAccountNotFound',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The service account that an OperatorGroup names exists in its namespace.',
  withoutNames: 'its namespace does not have this ServiceAccount',
  why: 'OLM installs the operators of the group with the rights of spec.serviceAccountName. Until it exists, the group does not settle and InstallPlans wait.',
  otherwise:
    'ServiceAccount … not found; please make sure the service account exists. sa=… operatorgroup=…',
  instead: 'Create the ServiceAccount and its roles first.',
  source: sources(
    from.olm('pkg/lib/scoped/syncer.go', 'SyncOperatorGroup'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  messages: { notFound: 'ServiceAccount {name} not found in namespace {namespace}' },
  example: {
    before: '{ kind: ServiceAccount, metadata: { name: installer, namespace: pets } }',
    after: exampleGroup('targetNamespaces: [pets], serviceAccountName: instaler'),
    says: 'ServiceAccount instaler not found in namespace pets',
    accepted: exampleGroup('targetNamespaces: [pets], serviceAccountName: installer'),
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const name = group.serviceAccountName;
    if (name === '' || context.view.lookUp('ServiceAccount', name, group.namespace) !== undefined)
      return;
    yield {
      id: 'notFound',
      data: { name, namespace: group.namespace },
      path: '$.spec.serviceAccountName',
    };
  },
});

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
    after: exampleGroup(),
    says: 'ClusterRoles of that name belong to something else: pets-edit',
    accepted: exampleGroup('targetNamespaces: [pets]', { name: 'pets-group' }),
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
    yield { id: 'collision', data: { taken }, path: '$.metadata.name' };
  },
});

export const operatorGroupInUse = defineOperatorGroupRule({
  id: 'OperatorGroupInUse',
  requests: ['DELETE'],
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'An OperatorGroup that is deleted has no active members.',
  withoutNames: 'active operators depend on it',
  why: 'Without its group every member fails with NoOperatorGroup, and its copies in target namespaces are removed. It recovers when a group comes back.',
  otherwise: 'csv in namespace with no operatorgroups',
  instead: 'Change the group instead, or remove the operators first.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  messages: { inUse: 'OLM will fail {names} with NoOperatorGroup' },
  example: {
    before: exampleOperator({ isSucceeded: true }),
    after: exampleGroup(),
    says: 'OLM will fail cats.v1 with NoOperatorGroup',
    accepted: exampleGroup('targetNamespaces: [empty]', { name: 'empty', namespace: 'empty' }),
  },
  *judge(context) {
    const { members, siblings } = context.fact(reviewGroup);
    const active = activeMembers(members);
    if (active.length === 0 || siblings.length > 0) return;
    yield {
      id: 'inUse',
      data: { names: active.map((csv) => csv.name) },
    };
  },
});

export const groupSurroundingRules = [
  operatorGroupNameTaken,
  staticProtectionLost,
  serviceAccountNotFound,
  groupRoleCollision,
  operatorGroupInUse,
];

import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

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
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets], serviceAccountName: instaler } }',
    says: 'ServiceAccount instaler not found in namespace pets',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets], serviceAccountName: installer } }',
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

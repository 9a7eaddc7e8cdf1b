import { exampleSubscription } from '../example-objects.js';
import { readSubscription } from '../../../objects/subscription.js';
import { from, sources } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';

export const subscriptionOperatorGroup = defineSubscriptionRule({
  id: 'SubscriptionOperatorGroup',
  requests: ['CREATE'],
  family: 'operator-groups',
  severity: 'warning',
  blocksUpgrade: true,
  checks: 'The namespace of a new Subscription has exactly one OperatorGroup.',
  withoutNames: 'its namespace does not have exactly one OperatorGroup',
  why: 'Without exactly one nothing is resolved, and the Subscription shows no condition that says so.',
  otherwise: 'found 0 operatorGroups, expected 1 (only in the log of OLM)',
  instead: 'Create the OperatorGroup first, or delete all but one.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
    from.olm('pkg/controller/registry/resolver/fail_forward.go', 'IsFailForwardEnabled'),
  ),
  messages: {
    groupCount:
      'found {count} operatorGroups, expected 1: nothing in namespace {namespace} is resolved until then, and OLM says so only in its log',
  },
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }',
    after: exampleSubscription(),
    says: 'found 0 operatorGroups, expected 1',
    accepted:
      '{ kind: Subscription, metadata: { name: queue, namespace: zoo }, spec: { name: queue, source: community, sourceNamespace: olm } }',
  },
  *judge({ object, view }) {
    const { namespace } = readSubscription(object);
    const count = view.groupsIn(namespace).length;
    if (count === 1) return;
    yield {
      id: 'groupCount',
      data: { count, namespace },
      path: '$.metadata.namespace',
    };
  },
});

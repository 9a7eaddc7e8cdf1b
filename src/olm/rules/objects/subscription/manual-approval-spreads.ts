import { exampleSubscription } from '../example-objects.js';
import { readSubscription } from '../../../objects/subscription.js';
import { from, sources } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';

export const manualApprovalSpreads = defineSubscriptionRule({
  id: 'ManualApprovalSpreads',
  family: 'install-plans',
  severity: 'warning',
  checks: 'The Subscriptions of a namespace agree whether InstallPlans wait for approval.',
  withoutNames: 'its approval differs from that of another Subscription in its namespace',
  why: 'Operators of one namespace share their InstallPlans, and one Subscription with approval Manual makes every plan of the namespace wait.',
  otherwise:
    'OLM reports no error: InstallPlans of all operators of the namespace wait for approval',
  instead: 'Give operators that are to be updated on their own a namespace of their own.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
    from.openShift('Multitenancy and Operator colocation'),
  ),
  messages: {
    holdsBack: 'approval Manual also holds back updates of {others} in namespace {namespace}',
    waits: 'updates will wait for approval: {others} in namespace {namespace} is Manual',
  },
  example: {
    before: exampleSubscription('', { package: 'topic', name: 'topic' }),
    after: exampleSubscription('installPlanApproval: Manual'),
    says: 'approval Manual also holds back updates of topic in namespace work',
    accepted: exampleSubscription('installPlanApproval: Automatic'),
  },
  *judge({ object, view }) {
    const { namespace, name, isManual } = readSubscription(object);
    const others = view
      .subscriptionsIn(namespace)
      .filter((other) => other.name !== name && other.isManual !== isManual)
      .map((other) => other.name);
    if (others.length === 0) return;
    yield {
      id: isManual ? 'holdsBack' : 'waits',
      data: { others, namespace },
      path: '$.spec.installPlanApproval',
    };
  },
});

import { exampleSubscription } from '../example-objects.js';
import { readSubscription } from '../../../objects/subscription.js';
import { from, sources } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';

export const duplicateSubscription = defineSubscriptionRule({
  id: 'DuplicateSubscription',
  family: 'resolution',
  severity: 'warning',
  checks: 'A namespace has one Subscription of a package.',
  withoutNames: 'its namespace has a Subscription to this package already',
  why: 'A namespace holds one operator of a package, so two Subscriptions of it block each other, and with them every other operator of the namespace.',
  otherwise: 'constraints not satisfiable: … originate from package …',
  instead: 'Change the Subscription that is there, or subscribe in another namespace.',
  source: sources(
    from.olm('pkg/controller/registry/resolver/resolver.go', 'addInvariants'),
    from.olm(
      'pkg/controller/registry/resolver/variable_types.go',
      'NewSinglePackageInstanceVariable',
    ),
  ),
  messages: {
    duplicate:
      'package {wanted} is subscribed to already by {names}; a namespace holds one operator of a package',
  },
  example: {
    before: exampleSubscription('', { name: 'first' }),
    after: exampleSubscription('', { name: 'second' }),
    says: 'package queue is subscribed to already by first',
    accepted: exampleSubscription('', { package: 'topic', name: 'second' }),
  },
  *judge({ object, view }) {
    const { namespace, name, package: wanted } = readSubscription(object);
    const others = view
      .subscriptionsIn(namespace)
      .filter((other) => other.name !== name && other.package === wanted);
    if (others.length === 0) return;
    yield {
      id: 'duplicate',
      data: { wanted, names: others.map((other) => other.name) },
      path: '$.spec.name',
    };
  },
});

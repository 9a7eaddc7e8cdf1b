import type { JsonObject } from '../../text/documents/index.js';
import { aGroup, anObject, describeRule } from './testing/harness.js';
import * as rules from './subscription-rules.js';

function aCatalog(
  name: string,
  namespace: string,
  state: string | null,
  message?: string,
): JsonObject {
  const status = {
    ...(state === null ? {} : { connectionState: { lastObservedState: state } }),
    ...(message === undefined ? {} : { message }),
  };
  return anObject('CatalogSource', name, namespace, { spec: {}, status });
}

function aSubscription(name: string, spec: JsonObject = {}): JsonObject {
  return anObject('Subscription', name, 'ns', {
    spec: { name: 'cats', source: 'c', sourceNamespace: 'olm', channel: 'stable', ...spec },
  });
}
const sub = aSubscription('s');

describeRule(rules.catalogSourcesUnhealthy, [
  {
    when: 'all ready',
    object: sub,
    cluster: [aCatalog('c', 'olm', 'READY'), aCatalog('d', 'ns', 'READY')],
    says: [],
  },
  {
    when: 'unhealthy elsewhere',
    object: sub,
    cluster: [aCatalog('c', 'far', 'CONNECTING')],
    says: [],
  },
  {
    when: 'the global namespace and the own one count',
    object: sub,
    cluster: [
      aCatalog('c', 'olm', 'TRANSIENT_FAILURE'),
      aCatalog('d', 'ns', null, 'image and address unset'),
    ],
    says: [
      'warning: catalog ns/d was never reached: image and address unset; nothing in namespace ns is resolved',
      'warning: catalog olm/c is TRANSIENT_FAILURE; nothing in namespace ns is resolved until it is READY',
    ],
  },
]);

describeRule(rules.catalogSourceMissing, [
  { when: 'the global catalog', object: sub, cluster: [aCatalog('c', 'olm', null)], says: [] },
  { when: 'missing', object: sub, says: ['warning: targeted catalogsource olm/c missing'] },
  {
    when: 'in a namespace that is not looked at',
    object: aSubscription('s', { sourceNamespace: 'far' }),
    cluster: [aCatalog('c', 'far', 'READY')],
    says: ['warning: targeted catalogsource far/c is not visible in namespace ns'],
  },
]);

describeRule(rules.subscriptionOperatorGroup, [
  { when: 'one', object: sub, cluster: [aGroup()], says: [] },
  { when: 'none', object: sub, says: ['warning: found 0 operatorGroups, expected 1'] },
  {
    when: 'two',
    object: sub,
    cluster: [aGroup(), aGroup({ name: 'h' })],
    says: ['warning: found 2 operatorGroups'],
  },
]);

describeRule(rules.duplicateSubscription, [
  {
    when: 'another package',
    object: sub,
    cluster: [aSubscription('t', { name: 'dogs' })],
    says: [],
  },
  { when: 'itself', object: sub, old: sub, says: [] },
  {
    when: 'the same package',
    object: sub,
    cluster: [aSubscription('t')],
    says: ['warning: package cats is subscribed to already by t'],
  },
]);

describeRule(rules.manualApprovalSpreads, [
  { when: 'all automatic', object: sub, cluster: [aSubscription('t')], says: [] },
  {
    when: 'manual beside automatic',
    object: aSubscription('s', { installPlanApproval: 'Manual' }),
    cluster: [aSubscription('t', { installPlanApproval: 'Automatic' })],
    says: ['warning: approval Manual also holds back updates of t in namespace ns'],
  },
  {
    when: 'automatic beside manual',
    object: sub,
    cluster: [aSubscription('t', { installPlanApproval: 'Manual' })],
    says: ['warning: updates will wait for approval: t in namespace ns is Manual'],
  },
]);

import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { readSubscription } from '../../objects/classic-objects.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { sinceText } from './reported-condition.js';
import { defineScanRule } from './rule.js';

export const updatePending = defineScanRule({
  id: 'UpdatePending',
  severity: 'info',
  family: 'install-plans',
  kinds: ['Subscription'],
  otherwise: 'UpgradePending',
  source: sources(
    from.olm('pkg/controller/operators/catalog/subscription/state.go', 'UpdateSync'),
    from.openShift('Operator Lifecycle Manager workflow'),
  ),
  checks:
    'Subscriptions whose channel has a newer version than the installed one: status.installedCSV is not status.currentCSV.',
  why: 'An update that waits for an approval, or that cannot be installed, stays pending forever, and nothing reports it.',
  instead:
    'Approve the InstallPlan, or see by olm-guard resolve what holds the update back; a change of the catalog may also end it.',
  messages: {
    unapproved:
      '{installed} is installed, and the update to {current} waits for the approval of an InstallPlan{since}',
    pending: '{installed} is installed, and the update to {current} is pending{since}',
  },
  example: {
    after: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: Subscription
      metadata: { name: queue, namespace: work }
      spec: { name: queue, source: community, sourceNamespace: olm, installPlanApproval: Manual }
      status: { installedCSV: queue.v1.0.0, currentCSV: queue.v2.0.0, state: UpgradePending }`,
    says: 'queue.v1.0.0 is installed, and the update to queue.v2.0.0 waits for the approval of an InstallPlan',
    accepted: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: Subscription
      metadata: { name: queue, namespace: work }
      spec: { name: queue, source: community, sourceNamespace: olm, installPlanApproval: Manual }
      status: { installedCSV: queue.v2.0.0, currentCSV: queue.v2.0.0, state: AtLatestKnown }`,
  },
  *judge({ view, objects, now }) {
    for (const object of objects('Subscription')) {
      const installed = textAt(object, 'status', 'installedCSV') ?? '';
      const current = textAt(object, 'status', 'currentCSV') ?? '';
      if (installed === '' || current === '' || installed === current) continue;
      const { namespace } = readSubscription(object);
      const isManual = view.subscriptionsIn(namespace).some((each) => each.isManual);
      yield {
        object,
        id: isManual ? 'unapproved' : 'pending',
        data: { installed, current, since: since(object, now) },
        cause: `${installed} ${current}`,
      };
    }
  },
});

/** OLM says in a condition when a plan began to wait, and else only when it last wrote the status. */
function since(subscription: JsonObject, now: Date): string {
  const condition = objectsAt(subscription, 'status', 'conditions').find(
    (each) => textAt(each, 'type') === 'InstallPlanPending',
  );
  const time =
    textAt(condition, 'lastTransitionTime') ?? textAt(subscription, 'status', 'lastUpdated') ?? '';
  return sinceText(time, now);
}

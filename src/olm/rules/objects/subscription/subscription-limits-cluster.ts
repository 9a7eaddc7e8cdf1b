import { exampleSubscription } from '../example-objects.js';
import { limitAhead, limitSource } from '../cluster-version/catalog-limit.js';
import { defineOlmRule } from '../rule.js';
import { bundleAhead, subscribed } from './subscribed-package.js';

export const subscriptionLimitsCluster = defineOlmRule({
  id: 'SubscriptionLimitsCluster',
  subject: 'Subscription',
  family: 'resolution',
  severity: 'warning',
  protects: 'cluster',
  checks:
    'The bundle that OLM installs next for a Subscription works on the next minor version of OpenShift, as far as the catalog is known here.',
  withoutNames: 'the bundle that OLM installs next keeps OpenShift at its minor version',
  why: 'OLM installs it all the same, and the cluster refuses its next update afterwards.',
  otherwise:
    'ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  instead: 'Update the cluster first, or wait for a release without the limit.',
  source: limitSource,
  messages: { limits: '{sentence}' },
  example: {
    before: `
      { kind: ClusterVersion, metadata: { name: version }, status: { desired: { version: 4.18.3 } } }
      ---
      { schema: olm.package, name: cats, defaultChannel: stable }
      ---
      { schema: olm.channel, package: cats, name: stable, entries: [{ name: cats.v1.0.0 }] }
      ---
      { schema: olm.channel, package: cats, name: next, entries: [{ name: cats.v2.0.0 }] }
      ---
      { schema: olm.bundle, package: cats, name: cats.v1.0.0, image: quay.io/example/cats:1, properties: [{ type: olm.package, value: { packageName: cats, version: 1.0.0 } }, { type: olm.maxOpenShiftVersion, value: "4.18" }] }
      ---
      { schema: olm.bundle, package: cats, name: cats.v2.0.0, image: quay.io/example/cats:2, properties: [{ type: olm.package, value: { packageName: cats, version: 2.0.0 } }] }`,
    after: exampleSubscription('channel: stable', { package: 'cats' }),
    says: 'cats.v1.0.0 works on OpenShift up to 4.18: once it is installed, the cluster (4.18.3) does not go to its next minor version',
    accepted: exampleSubscription('channel: next', { package: 'cats' }),
  },
  *judge(context) {
    const catalog = context.fact(subscribed)?.catalog;
    const sentence = limitAhead(
      catalog === undefined ? [] : [catalog],
      context.fact(bundleAhead)?.name,
      context.view,
    );
    if (sentence !== undefined) yield { id: 'limits', data: { sentence }, path: '$.spec' };
  },
});

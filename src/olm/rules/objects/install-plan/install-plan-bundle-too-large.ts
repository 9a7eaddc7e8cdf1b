import { pendingSteps } from '../../../objects/install-plan.js';
import { from } from '../../../../rule/index.js';
import { checkedKinds, examplePlanOfCsv, planRule } from './plan-rule.js';

export const installPlanBundleTooLarge = planRule({
  id: 'InstallPlanBundleTooLarge',
  family: 'install-plans',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'Bundles that an approved InstallPlan refers to can be read whole and in time: at most 50 bundles, 1,000 manifests in them, 16 MiB of each unpacked, and no YAML whose aliases stand for a multiple of what is written; what was not read when the review’s time ended counts as too large, whoever was slow.',
  withoutNames: 'a bundle that it refers to cannot be read whole',
  why: 'Steps may refer to a ConfigMap into which a bundle was unpacked. What is hidden in one that cannot be read would be installed unchecked, so it does not pass.',
  otherwise: 'OLM reports no error: what is hidden in it would be installed unchecked',
  instead:
    'Unpack the bundle anew: delete the ConfigMap and the InstallPlan. If only time ran out, try again.',
  source: from.olm('pkg/controller/operators/catalog/manifests.go', 'ManifestForStep'),
  messages: { tooLarge: '{kind} {name} cannot be checked: {unread}' },
  example: {
    before: `
      kind: ConfigMap
      metadata: { name: unpacked, namespace: olm }
      data:
        manifest: |
          kind: ClusterServiceVersion
          a: &a [x, x, x, x, x, x, x, x, x, x]
          b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
          c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
          d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
          metadata: { name: cats.v1 }
          e: [*d, *d]`,
    after: examplePlanOfCsv(),
    says: 'ClusterServiceVersion cats.v1 cannot be checked: ConfigMap olm/unpacked holds a manifest that',
    accepted: examplePlanOfCsv('OwnNamespace'),
  },
  *judge({ object, view }) {
    for (const { kind, name, unread, isTooMuch } of pendingSteps(object, checkedKinds, view)) {
      if (!isTooMuch || unread === null) continue;
      yield { id: 'tooLarge', data: { kind, name, unread }, cause: `${kind} ${name}` };
    }
  },
});

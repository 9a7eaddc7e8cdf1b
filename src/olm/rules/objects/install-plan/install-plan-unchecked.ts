import { objectsAt } from '../../../../text/documents/fields.js';
import { pendingSteps } from '../../../objects/install-plan.js';
import { from } from '../../../../rule/index.js';
import type { RuleContext } from '../rule.js';
import { checkedKinds, examplePlanOfCsv, planRule } from './plan-rule.js';

export const installPlanUnchecked = planRule({
  id: 'InstallPlanUnchecked',
  family: 'install-plans',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'Every step of an approved InstallPlan with a CustomResourceDefinition or a ClusterServiceVersion could be read.',
  why: 'Steps may refer to a ConfigMap into which a bundle was unpacked. Where it cannot be read, or a definition on the cluster is known by name only, the step goes unchecked, and this says so; where policy denies what cannot be judged, the approval is denied.',
  otherwise: 'OLM reports no error: what could not be read was not checked',
  instead:
    'Let olm-guard read ConfigMaps of the catalog namespace, or check the bundle by itself: olm-guard check bundle.',
  source: from.olm('pkg/controller/operators/catalog/manifests.go', 'ManifestForStep'),
  messages: { unchecked: '{kind} {name} was not checked: {reason}' },
  example: {
    after: examplePlanOfCsv(),
    says: 'ClusterServiceVersion cats.v1 was not checked: its manifest is in ConfigMap olm/unpacked, which does not exist',
    accepted: examplePlanOfCsv('OwnNamespace'),
  },
  *judge({ object, view }) {
    for (const { kind, name, unread, isTooMuch } of pendingSteps(object, checkedKinds, view)) {
      if (isTooMuch) continue;
      const reason =
        unread ?? (kind === 'CustomResourceDefinition' ? unknownDefinition(name, view) : null);
      if (reason === null) continue;
      yield { id: 'unchecked', data: { kind, name, reason }, cause: `${kind} ${name}` };
    }
  },
});

function unknownDefinition(name: string, view: RuleContext['view']): string | null {
  const current = view.lookUp('CustomResourceDefinition', name);
  if (current === undefined) return null;
  const isKnown = current !== null && objectsAt(current, 'spec', 'versions').length > 0;
  return isKnown ? null : 'the definition on the cluster is not in view';
}

import { readOperatorGroup } from '../../../objects/operator-group.js';
import { ApiSet } from '../../../operator-groups/api-set.js';
import { readableApis } from '../../../operator-groups/objects.js';
import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

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
    before:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets], staticProvidedAPIs: true }, status: { namespaces: [pets] } }",
    after:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets] } }",
    says: 'these APIs are no longer protected by the group: Cat.v1.example.com',
    accepted:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1.example.com,Dog.v1.example.com' } }, spec: { targetNamespaces: [pets], staticProvidedAPIs: true } }",
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

import { ApiSet } from '../../../operator-groups/api-set.js';
import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

export const unreadableProvidedApis = defineOperatorGroupRule({
  id: 'UnreadableProvidedAPIs',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'Every entry of olm.providedAPIs is a <kind>.<version>.<group>.',
  why: 'OLM ignores an entry with fewer than two dots, so it protects nothing.',
  otherwise: 'OLM reports no error: OLM ignores an entry that is no <kind>.<version>.<group>',
  instead: 'Write <kind>.<version>.<group>, separated by commas.',
  source: from.olm(
    'pkg/controller/registry/resolver/cache/operators.go',
    'GVKStringToProvidedAPISet',
  ),
  messages: { unreadable: 'olm.providedAPIs has entries that OLM ignores: {ignored}' },
  example: {
    after:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1' } }, spec: { targetNamespaces: [pets] } }",
    says: 'olm.providedAPIs has entries that OLM ignores: Cat.v1',
    accepted:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets] } }",
  },
  *judge(context) {
    const annotation = context.fact(reviewGroup).group.providedAPIs ?? '';
    const ignored = annotation
      .replaceAll(' ', '')
      .split(',')
      .filter((entry) => entry !== '' && ApiSet.parse(entry).size === 0);
    if (ignored.length === 0) return;
    yield {
      id: 'unreadable',
      data: { ignored },
      path: '$.metadata.annotations["olm.providedAPIs"]',
    };
  },
});

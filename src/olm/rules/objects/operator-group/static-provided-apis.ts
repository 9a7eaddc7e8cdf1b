import { staticGroupMessage } from '../../../operator-groups/intersection.js';
import { readableApis } from '../../../operator-groups/objects.js';
import { from, sources } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { defineOperatorGroupRule } from '../rule.js';
import { activeMembers, reviewGroup } from './group-review.js';
import { exampleOperator } from '../example-operator.js';

export const staticProvidedApis = defineOperatorGroupRule({
  id: 'StaticProvidedAPIs',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'A static OperatorGroup lists every API of its active members in olm.providedAPIs.',
  withoutNames: 'an active operator provides an API that it does not list',
  why: 'OLM never writes olm.providedAPIs of a static group; a member with an API that is not listed fails with CannotModifyStaticOperatorGroupProvidedAPIs and loses its deployments.',
  otherwise: staticGroupMessage,
  instead:
    'List all APIs as <kind>.<version>.<group> in olm.providedAPIs before, or together with, making the group static.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/registry/resolver/cache/operators.go', 'GVKStringToProvidedAPISet'),
  ),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
${exampleOperator({ isSucceeded: true })}`,
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets], staticProvidedAPIs: true } }',
    says: 'cats.v1 provides Cat.v1.example.com, which olm.providedAPIs does not list',
    accepted:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets], staticProvidedAPIs: true } }",
  },
  *judge(context) {
    const { group, members, surface } = context.fact(reviewGroup);
    if (!group.staticProvidedAPIs) return;
    for (const csv of activeMembers(members)) {
      const missing = readableApis(csv).difference(surface.providedAPIs).texts();
      if (missing.length === 0) continue;
      yield {
        message: `${staticGroupMessage}: ${csv.name} provides ${firstNames(missing)}, which olm.providedAPIs does not list`,
        path: '$.metadata.annotations["olm.providedAPIs"]',
        cause: csv.name,
        fix: `Add ${missing.join(',')} to olm.providedAPIs.`,
      };
    }
  },
});

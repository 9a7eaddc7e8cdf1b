import { describeClash } from '../../../operator-groups/clash-text.js';
import { staticGroupMessage } from '../../../operator-groups/intersection.js';
import { from, sources } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { membershipRule } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const cannotModifyStaticOperatorGroupProvidedApis = membershipRule({
  id: 'CannotModifyStaticOperatorGroupProvidedAPIs',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'A ClusterServiceVersion in a static OperatorGroup provides only APIs that the group lists.',
  withoutNames: 'its static OperatorGroup does not list one of its APIs',
  why: 'OLM does not touch olm.providedAPIs of a static group, so it fails an operator with another API.',
  otherwise: staticGroupMessage,
  instead: 'Add the APIs to olm.providedAPIs of the OperatorGroup first.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/operators/olm/groups.go', 'ReconcileAPIIntersection'),
  ),
  example: {
    before:
      "{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets], staticProvidedAPIs: true }, status: { namespaces: [pets] } }",
    after: exampleOperator({ name: 'dogs.v1', owns: 'dogs' }),
    says: 'OperatorGroup pets does not list Dog.v1.example.com',
    accepted: exampleOperator(),
  },
  *problems({ intersection, group }) {
    if (intersection === null || group?.staticProvidedAPIs !== true) return;
    const { result, clashes, missing } = intersection;
    if (result === 'AddAPIs') {
      yield {
        message: `${staticGroupMessage}: OperatorGroup ${group.name} does not list ${firstNames(missing)}`,
        path: '$.spec',
        fix: `Add ${missing.join(',')} to olm.providedAPIs of OperatorGroup ${group.name}.`,
      };
    } else if (result === 'RemoveAPIs') {
      const [clash] = clashes;
      const why = clash === undefined ? '' : `: ${describeClash(clash)}`;
      yield { message: `${staticGroupMessage}${why}`, path: '$.spec' };
    }
  },
});

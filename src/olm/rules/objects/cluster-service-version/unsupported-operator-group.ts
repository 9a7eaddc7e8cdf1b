import { from, sources } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { membershipRule, whenFailing } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const unsupportedOperatorGroup = membershipRule({
  id: 'UnsupportedOperatorGroup',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'The install modes of a ClusterServiceVersion support the targets of its OperatorGroup.',
  withoutNames: 'its install modes do not support the targets of its OperatorGroup',
  why: 'OLM fails it otherwise. A type that is left out is unsupported; nothing is inferred from others.',
  otherwise: '… InstallModeType not supported, cannot configure to watch …',
  instead: 'Install the operator where the group fits, or change the group.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
  ),
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }',
    after: exampleOperator({ modes: ['AllNamespaces'] }),
    says: 'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace',
    accepted: exampleOperator({ modes: ['OwnNamespace'] }),
  },
  *problems(membership) {
    const { group } = membership;
    for (const problem of whenFailing(
      'UnsupportedOperatorGroup',
      membership,
      '$.spec.installModes',
    )) {
      const targets = group?.statusNamespaces ?? [];
      const selects = targets.includes('') ? 'all namespaces' : firstNames(targets);
      yield {
        ...problem,
        fix: `Install the operator where the group fits, or change OperatorGroup ${group?.name ?? ''}.`,
        message: `${problem.message} (OperatorGroup ${group?.name ?? ''} selects ${selects})`,
      };
    }
  },
});

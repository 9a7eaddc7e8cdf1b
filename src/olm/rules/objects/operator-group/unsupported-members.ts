import { checkInstallModes } from '../../../operator-groups/install-modes.js';
import { targetNamespacesAnnotation } from '../../../operator-groups/targets.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { isActive, reviewGroup } from './group-review.js';
import { exampleOperator } from '../example-operator.js';

export const unsupportedMembers = defineOperatorGroupRule({
  id: 'UnsupportedMembers',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'Every ClusterServiceVersion of the namespace supports the targets of its OperatorGroup by its install modes.',
  withoutNames: 'an active operator does not support its targets',
  why: 'OLM fails a member that does not with UnsupportedOperatorGroup. For members that their group fails already it is a warning.',
  otherwise:
    'UnsupportedOperatorGroup: … InstallModeType not supported, cannot configure to watch …',
  instead: 'Choose targets that all members support, or install the operator in another namespace.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'Supports'),
  ),
  messages: { unsupported: 'OLM will fail ClusterServiceVersion {csv} with {reason}: {message}' },
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
${exampleOperator({ modes: ['OwnNamespace'], isSucceeded: true })}`,
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [zoo] } }',
    says: 'OLM will fail ClusterServiceVersion cats.v1 with UnsupportedOperatorGroup',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group, members } = context.fact(reviewGroup);
    if (group.statusNamespaces.length === 0) return;
    const targets = targetNamespacesAnnotation(group.statusNamespaces).split(',');
    for (const csv of members) {
      const refusal = checkInstallModes(csv.installModes, csv.namespace, targets);
      if (refusal === null) continue;
      yield {
        severity: isActive(csv) ? 'error' : 'warning',
        id: 'unsupported',
        data: { csv: csv.name, reason: refusal.reason, message: refusal.message },
        path: '$.spec',
        cause: csv.name,
      };
    }
  },
});

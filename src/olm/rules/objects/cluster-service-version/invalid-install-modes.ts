import { from, sources } from '../../../../rule/index.js';
import { failureRule } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const invalidInstallModes = failureRule({
  id: 'InvalidInstallModes',
  path: '$.spec.installModes',
  severity: 'error',
  protects: 'own-namespace',
  blocksUpgrade: false,
  checks: 'A ClusterServiceVersion names each install mode once.',
  why: 'OLM fails a ClusterServiceVersion whose spec.installModes names a type twice, whatever the OperatorGroup.',
  otherwise: 'InstallMode list contains duplicates, cannot make set: […]',
  instead: 'Keep one entry per type.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion.go', 'NewInstallModeSet'),
  ),
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }',
    after: exampleOperator({ modes: ['OwnNamespace', 'OwnNamespace'] }),
    says: 'InvalidInstallModes: InstallMode list contains duplicates',
    accepted: exampleOperator({ modes: ['OwnNamespace'] }),
  },
});

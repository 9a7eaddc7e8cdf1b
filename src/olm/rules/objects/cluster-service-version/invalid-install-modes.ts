import { from, sources } from '../../../../rule/index.js';
import { checkInstallModes } from '../../../operator-groups/install-modes.js';
import { providedApis } from '../../../operator-groups/objects.js';
import { exampleOperator } from '../example-operator.js';
import { defineOlmRule } from '../rule.js';
import { reviewedCsv } from './csv-review.js';

export const invalidInstallModes = defineOlmRule({
  id: 'InvalidInstallModes',
  subject: 'ClusterServiceVersion',
  family: 'operator-groups',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'A ClusterServiceVersion names each install mode once.',
  why: 'OLM fails a ClusterServiceVersion whose spec.installModes names a type twice, whatever the OperatorGroup.',
  otherwise: 'InstallMode list contains duplicates, cannot make set: […]',
  instead: 'List each type of spec.installModes once.',
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
  // No group makes it right, so none is asked for.
  *judge(context) {
    const csv = reviewedCsv(context);
    if (csv === null || providedApis(csv).error !== null) return;
    const refusal = checkInstallModes(csv.installModes, csv.namespace, []);
    if (refusal?.reason !== 'InvalidInstallModes') return;
    yield { message: `${refusal.reason}: ${refusal.message}`, path: '$.spec.installModes' };
  },
});

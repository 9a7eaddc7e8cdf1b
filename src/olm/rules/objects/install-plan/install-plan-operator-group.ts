import { metaOf } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { planRule } from './plan-rule.js';

const prefix = 'attenuated service account query failed - ';

export const installPlanOperatorGroup = planRule({
  id: 'InstallPlanOperatorGroup',
  family: 'install-plans',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'The namespace of an approved InstallPlan has exactly one OperatorGroup with targets, and the service account that it names.',
  withoutNames: 'its namespace does not have exactly one OperatorGroup',
  why: 'The plan runs with the rights that the one OperatorGroup stands for. With several groups OLM only repeats its message until all but one are gone. A missing group, or a service account that is not there yet, is a warning: the plan goes on by itself once they come.',
  otherwise: `${prefix}more than one operator group(s) are managing this namespace count=2`,
  instead: 'Delete all OperatorGroups but one before the plan is approved.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncInstallPlans'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: second, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }`,
    after:
      '{ kind: InstallPlan, metadata: { name: install-1, namespace: pets }, spec: { approved: true } }',
    says: 'more than one operator group(s) are managing this namespace count=2: pets, second',
    accepted:
      '{ kind: InstallPlan, metadata: { name: install-1, namespace: zoo }, spec: { approved: true } }',
  },
  *judge({ object, view }) {
    const namespace = metaOf(object).namespace;
    const groups = view.groupsIn(namespace);
    const managing = groups.filter((group) => group.statusNamespaces.length > 0);
    const [group] = managing;
    if (group === undefined) {
      yield {
        message: `${prefix}no operator group found that is managing this namespace`,
        severity: 'warning',
        fix: `create an OperatorGroup in namespace ${namespace}, or wait until the one there has targets`,
      };
    } else if (managing.length > 1) {
      yield {
        message: `${prefix}more than one operator group(s) are managing this namespace count=${managing.length}: ${firstNames(managing.map((each) => each.name))}`,
      };
    } else if (group.serviceAccountName !== '' && !group.serviceAccountSynced) {
      yield {
        message: `${prefix}please make sure the service account exists. sa=${group.serviceAccountName} operatorgroup=${group.namespace}/${group.name}`,
        severity: 'warning',
        fix: `create ServiceAccount ${group.serviceAccountName} in namespace ${group.namespace}`,
      };
    }
  },
});

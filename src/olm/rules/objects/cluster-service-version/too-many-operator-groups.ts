import { from } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { metaOf } from '../../../../text/documents/index.js';
import { membershipRule, whenFailing } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const tooManyOperatorGroups = membershipRule({
  id: 'TooManyOperatorGroups',
  severity: 'error',
  protects: 'own-namespace',
  checks: 'The namespace of a ClusterServiceVersion has one OperatorGroup only.',
  withoutNames: 'its namespace has several OperatorGroups',
  why: 'OLM does not choose between several: the ClusterServiceVersion fails until all but one are deleted.',
  otherwise: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  instead: 'Delete all OperatorGroups of the namespace but one first.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: second, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }`,
    after: exampleOperator(),
    says: 'TooManyOperatorGroups: csv created in namespace with multiple operatorgroups',
    accepted: exampleOperator({ namespace: 'zoo' }),
  },
  *problems(membership, { object, view }) {
    const { namespace } = metaOf(object);
    const names = firstNames(view.groupsIn(namespace).map(({ name }) => name));
    const fix = `Delete all but one of the OperatorGroups of ${namespace} first: ${names}.`;
    for (const each of whenFailing('TooManyOperatorGroups', membership, '$.metadata.namespace'))
      yield { ...each, fix };
  },
});

import { from } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';
import { reviewedCsv } from './csv-review.js';
import { exampleOperator } from '../example-operator.js';

export const sharedCrdVersions = defineOlmRule({
  id: 'SharedCRDVersions',
  subject: 'ClusterServiceVersion',
  family: 'operator-groups',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'Operators in several namespaces that own one CustomResourceDefinition have the same version.',
  withoutNames: 'another version of an operator owns one of its definitions',
  why: 'CustomResourceDefinitions are cluster-wide: several versions of an operator can run side by side only if theirs are identical.',
  otherwise:
    'OLM reports no error: two versions of an operator reconcile under one CustomResourceDefinition',
  instead:
    'Install the same version in both namespaces, or one whose CustomResourceDefinition is identical.',
  source: from.openShift('Multitenancy and Operator colocation'),
  messages: {
    shared:
      '{crd} is also owned by another version of an operator: {owners}; only identical CRDs can be shared',
  },
  example: {
    before: exampleOperator({ namespace: 'zoo', more: 'version: 1.0.0' }),
    after: exampleOperator({ name: 'cats.v2', more: 'version: 2.0.0' }),
    says: 'cats.example.com is also owned by another version of an operator: zoo/cats.v1',
    accepted: exampleOperator({ more: 'version: 1.0.0' }),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    for (const crd of csv.ownedCrds) {
      const others = context.view
        .csvsOwningCrd(crd.name)
        .filter((other) => other.namespace !== csv.namespace && other.version !== csv.version);
      if (others.length === 0) continue;
      const owners = others.map((other) => `${other.namespace}/${other.name}`);
      yield {
        id: 'shared',
        data: { crd: crd.name, owners },
        path: '$.spec.customresourcedefinitions.owned',
        cause: crd.name,
      };
    }
  },
});

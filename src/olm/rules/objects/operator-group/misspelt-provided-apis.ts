import { metaOf } from '../../../../text/documents/index.js';
import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';

const annotation = 'olm.providedAPIs';

export const misspeltProvidedApis = defineOperatorGroupRule({
  id: 'MisspeltProvidedAPIs',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The annotation olm.providedAPIs is written in the case in which OLM reads it.',
  why: 'Keys of annotations are case-sensitive: OLM does not see olm.providedapis, so the APIs that it names are not protected.',
  otherwise: 'OLM reports no error: OLM ignores the annotation',
  instead: 'Write olm.providedAPIs.',
  source: from.olmApi('pkg/operators/v1/operatorgroup_types.go'),
  messages: { misspelt: 'OLM does not read {misspelt}, only {annotation}' },
  example: {
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedapis: Cat.v1.example.com } }, spec: { targetNamespaces: [pets] } }',
    says: 'OLM does not read olm.providedapis, only olm.providedAPIs',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets, annotations: { olm.providedAPIs: Cat.v1.example.com } }, spec: { targetNamespaces: [pets] } }',
  },
  *judge({ object }) {
    const misspelt = [...metaOf(object).annotations.keys()].filter(
      (key) => key !== annotation && key.toLowerCase() === annotation.toLowerCase(),
    );
    if (misspelt.length === 0) return;
    yield {
      id: 'misspelt',
      data: { misspelt, annotation },
      path: '$.metadata.annotations',
      fix: `Write ${annotation}.`,
    };
  },
});

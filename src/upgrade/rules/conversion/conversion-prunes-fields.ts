import { defineRule, from, sameInBothVersions, sources } from '../../../rule/index.js';

export const conversionPrunesFields = defineRule({
  id: 'ConversionPrunesFields',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'Conversion strategy None between served versions whose schemas have different fields; also where a webhook is given up for it.',
  why: 'With None only the apiVersion changes, and the API server prunes what the other version does not declare: who updates an object in that version deletes those fields.',
  instead: 'Give both versions the same fields, or convert by a webhook.',
  source: sources(
    from.apiextensions('pkg/apiserver/conversion/nop_converter.go', 'Convert'),
    from.kubernetesPages('Versions in CustomResourceDefinitions'),
  ),
  messages: {
    prunes: '{to} does not have {fields} of {from}: an update in {to} deletes it',
    webhookGone:
      'no webhook converts any more, and {to} does not have {fields} of {from}: an update in {to} deletes it',
  },
  example: {
    after: `
      spec:
        versions:
          - name: v1
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer }, color: { type: string } } } } } }
          - name: v2
            served: true
            storage: false
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } }`,
    accepted: sameInBothVersions,
    says: 'v2 does not have ^.spec.color of v1',
  },
});

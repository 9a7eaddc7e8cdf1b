import { from } from '../source.js';
import { defineRule } from '../rule.js';

export const conversionUnstable = defineRule({
  id: 'ConversionUnstable',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'A conversion that gives something else the second time, in company of other objects, or for the version that the object has already.',
  why: 'Objects change although nobody wrote them: controllers see differences that are none, and write for ever.',
  instead: 'Let the answer depend on the object and the asked version alone.',
  source: from.us('docs/commands.md'),
  example: {
    before: `
      spec:
        versions:
          - name: v1
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } }
          - name: v2
            served: true
            storage: false
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } }`,
    after: `converted: { v2: [{ spec: { size: 1 } }, { spec: { size: 2 } }, { spec: { size: 3 } }] }`,
    says: 'is converted otherwise',
  },
});

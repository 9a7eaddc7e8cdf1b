import { defineRefusalRule, validation } from './rule.js';

export const printerColumns = defineRefusalRule({
  id: 'PrinterColumns',
  checks: 'Columns of kubectl get without a name, of an unknown type or with no JSON path.',
  why: 'The definition is refused as a whole.',
  instead:
    'Give each column a name, one of the types boolean, date, integer, number and string, and a jsonPath that begins with a dot.',
  source: validation('ValidateCustomResourceColumnDefinition'),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, additionalPrinterColumns: [{ name: Age, type: text, jsonPath: .metadata.creationTimestamp }] }] }',
    says: 'must be one of boolean,date,integer,number,string',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, additionalPrinterColumns: [{ name: Age, type: date, jsonPath: .metadata.creationTimestamp }] }] }',
  },
  covers: ({ field }) => field.includes('additionalPrinterColumns['),
});

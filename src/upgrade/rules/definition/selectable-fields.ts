import { defineRefusalRule, validation } from './rule.js';

export const selectableFields = defineRefusalRule({
  id: 'SelectableFields',
  checks:
    'Selectable fields that are not strings, integers or booleans of the schema, or more than eight of them.',
  why: 'The definition is refused as a whole; before 1.31 such fields are dropped silently.',
  instead: 'Name fields of type string, integer or boolean by a path such as .spec.color.',
  source: validation('ValidateCustomResourceSelectableFields'),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, selectableFields: [{ jsonPath: .spec.color }] }] }',
    says: 'is an invalid path',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { color: { type: string } } } } } }, selectableFields: [{ jsonPath: .spec.color }] }] }',
  },
  covers: ({ field }) => field.includes('selectableFields'),
});

import { defineRefusalRule, validation } from './rule.js';

export const celSettings = defineRefusalRule({
  id: 'CelSettings',
  checks:
    'A message, reason, fieldPath or optionalOldSelf of a validation rule that no server takes.',
  why: 'The definition is refused as a whole.',
  instead:
    'Give a message of one line, a reason that the API reference names, a fieldPath to a declared field, and optionalOldSelf only where the rule reads oldSelf.',
  source: validation('ValidateCustomResourceDefinitionOpenAPISchema'),
  example: {
    after:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.size > 0, fieldPath: .sise }] }',
    says: 'must be a valid path',
    accepted:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.size > 0, fieldPath: .size }] }',
  },
  covers: ({ field }) => /x-kubernetes-validations\[\d+\]\./.test(field),
});

import { defineRefusalRule, validation } from './rule.js';

export const conversionSettings = defineRefusalRule({
  id: 'ConversionSettings',
  checks: 'Conversion settings that no API server takes.',
  why: 'The definition is refused as a whole.',
  instead:
    'With strategy Webhook give exactly one of url and service, and conversionReviewVersions with v1; with None give neither.',
  source: validation('validateCustomResourceConversion'),
  example: {
    after:
      'spec: { conversion: { strategy: Webhook }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
    says: 'required when strategy is set to Webhook',
    accepted:
      'spec: { conversion: { strategy: None }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
  },
  covers: ({ field }) =>
    field.startsWith('spec.conversion') || field === 'spec.preserveUnknownFields',
});

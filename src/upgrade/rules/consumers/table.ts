import type { Rule } from '../../../rule/index.js';
import { compatibilityRequirementUnmet } from './compatibility-requirement-unmet.js';
import { consumerFieldRemoved } from './consumer-field-removed.js';
import { consumerSubresourceRemoved } from './consumer-subresource-removed.js';
import { consumerVersionRemoved } from './consumer-version-removed.js';

export const consumerRules: readonly Rule[] = [
  consumerVersionRemoved,
  consumerFieldRemoved,
  consumerSubresourceRemoved,
  compatibilityRequirementUnmet,
];

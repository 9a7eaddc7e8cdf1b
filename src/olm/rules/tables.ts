import type { Rule } from '../../rule/index.js';
import { bundleRules } from './bundle/rules.js';
import { lintRules } from './bundle/lint-rules.js';
import { catalogDiffRules } from './catalog-diff/rules.js';
import { catalogRules } from './catalog/rules.js';
import { scanRules } from './cluster/table.js';
import { olmRules } from './objects/table.js';
import { resolutionRules } from './resolution/rules.js';

/** Every rule of this area. */
export const rulesOfOlm: readonly Rule[] = [
  ...olmRules,
  ...[bundleRules, lintRules, catalogRules, catalogDiffRules, resolutionRules].flatMap(
    Object.values<Rule>,
  ),
  ...scanRules,
];

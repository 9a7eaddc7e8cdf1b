import type { ScanRule } from './rule.js';
import { classicFailingRules } from './classic-failing.js';
import { latentRiskRules, targetNamespacesOverlap } from './latent-risks.js';
import { upgradeBlockerRules } from './upgrade-blockers.js';
import { v1FailingRules } from './v1-failing.js';

export const scanRules: readonly ScanRule[] = [
  targetNamespacesOverlap,
  ...upgradeBlockerRules,
  ...latentRiskRules,
  ...classicFailingRules,
  ...v1FailingRules,
];

/** Every rule by the name that its findings carry, with the check family that policies name it by. */
import { upgradeRuleNames } from '../crd/index.js';
import type { Family } from '../finding.js';

export const familyOfRule: ReadonlyMap<string, Family> = new Map(
  upgradeRuleNames.map((name): [string, Family] => [name, 'crd-upgrade-safety']),
);

export const ruleNames: ReadonlySet<string> = new Set(familyOfRule.keys());

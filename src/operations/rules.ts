/** Every rule by the name that its findings carry, with the check family that policies name it by. */
import { validationRules, warningRules } from '../rules/catalog/index.js';
import { rules } from '../rules/registry.js';
import { namesOf } from '../rules/rule.js';
import type { Family } from '../finding.js';
import { scanRules } from '../rules/cluster/rules.js';
import { rulesOfBundlesAndResolution } from './bundle-rules.js';
import { catalogDiffRules } from '../rules/catalog-diff/index.js';

const rulesOfFamilies: readonly [Family, readonly string[]][] = [
  ...rules.map((rule): [Family, readonly string[]] => [rule.family, namesOf(rule)]),
  ...rulesOfBundlesAndResolution,
  ['catalogs', Object.keys({ ...validationRules, ...warningRules, ...catalogDiffRules })],
];

export const familyOfRule: ReadonlyMap<string, Family> = new Map([
  ...rulesOfFamilies.flatMap(([family, names]) => names.map((name) => [name, family] as const)),
  ...scanRules.map(({ name, family }) => [name, family] as const),
]);

export const ruleNames: ReadonlySet<string> = new Set(familyOfRule.keys());

/** Every rule by the names that its findings carry, with the check family that policies name it by. */
import type { Family } from '../finding.js';
import { rules } from '../rules/registry.js';
import { namesOf } from '../rules/rule.js';

const familyOfRule: ReadonlyMap<string, Family> = new Map(
  rules.flatMap((rule) => namesOf(rule).map((name) => [name, rule.family] as const)),
);

export const ruleNames: ReadonlySet<string> = new Set(familyOfRule.keys());

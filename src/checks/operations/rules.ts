import { type Family, namesOf } from '../../rule/index.js';
import { rules } from '../../policy/index.js';

const familyOfRule: ReadonlyMap<string, Family> = new Map(
  rules.flatMap((rule) => namesOf(rule).map((name) => [name, rule.family] as const)),
);

export const ruleNames: ReadonlySet<string> = new Set(familyOfRule.keys());

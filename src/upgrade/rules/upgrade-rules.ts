/** Every rule of this area. Loading all takes longer than judging: `check crd` and most reviews load only those they need. */
import { chartRules } from './chart/rules.js';
import { contractRules } from './contract/table.js';
import { rollbackRule } from './contract/rollback.js';
import { consumerRules } from './consumers/rules.js';
import { conversionRules } from './conversion/rules.js';
import { rules as crdRules } from './crd/table.js';
import { definitionRules } from './definition/rules.js';
import { namesOf, type Rule } from '../../rule/index.js';
import { objectRules } from './objects/rules.js';
import { frozenChanged, newSwitchOff } from './bookkeeping-rules.js';
import { storedRules } from './stored/rules.js';

export const upgradeRules: readonly Rule[] = [
  ...crdRules,
  ...contractRules,
  rollbackRule,
  ...definitionRules,
  ...storedRules,
  ...objectRules,
  ...chartRules,
  ...conversionRules,
  ...consumerRules,
  newSwitchOff,
  frozenChanged,
];

export type RuleIndex = (name: string) => Rule | undefined;

export function indexByName(rules: readonly Rule[]): RuleIndex {
  const byName = new Map(
    rules.flatMap((rule) => namesOf(rule).map((name) => [name, rule] as const)),
  );
  return (name) => byName.get(name);
}

export const upgradeRuleNamed = indexByName(upgradeRules);

/** Whether the API server refuses what the rule's errors say, whatever is switched off here. */
export function isRefusedByServer(rule: string): boolean {
  return upgradeRuleNamed(rule)?.refusedByServer === true;
}

/** Every rule, in one list: explain, docs/rules and the names that a policy may use are derived from it. */
import { rulesOfOlm } from '../../olm/index.js';
import type { Finding, Remark, Rule } from '../../rule/index.js';
import { indexByName, type RuleIndex, upgradeRules } from '../../upgrade/index.js';

export const rules: readonly Rule[] = [...upgradeRules, ...rulesOfOlm];

/** Finds any rule by its id or an alias, whichever profile calls it so. */
export const ruleNamed: RuleIndex = indexByName(rules);

export function findingNamed(
  name: string,
  remark: Omit<Remark<{ message: string }>, 'rule'>,
): Finding {
  const rule = ruleNamed(name);
  if (rule === undefined) throw new Error(`no rule is called ${name}`);
  return rule.finding({ ...remark, rule: name });
}

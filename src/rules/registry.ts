/** Every rule, in one list: explain, docs/rules.md and the names that a policy may use are derived from it. */
import { bundleRules, lintRules } from './bundle/index.js';
import { catalogRules } from './catalog/index.js';
import { catalogDiffRules } from './catalog-diff/index.js';
import { scanRules } from './cluster/table.js';
import { rules as crdRules } from './crd/table.js';
import { definitionRules } from './definition/table.js';
import { olmRules } from './olm/table.js';
import { resolutionRules } from './resolution/index.js';
import type { Finding } from '../finding.js';
import { namesOf, type Remark, type Rule } from './rule.js';
import { conversionRules } from './conversion/table.js';
import { contractRules } from './contract/table.js';
import { wayBack } from './contract/way-back.js';
import { storedRules } from './stored/table.js';
import { switchOffPlanted } from './switch-off/switch-off-planted.js';

export const rules: readonly Rule[] = [
  ...crdRules,
  ...contractRules,
  wayBack,
  ...definitionRules,
  ...storedRules,
  ...conversionRules,
  switchOffPlanted,
  ...olmRules,
  ...Object.values(bundleRules),
  ...Object.values(lintRules),
  ...Object.values(catalogRules),
  ...Object.values(catalogDiffRules),
  ...Object.values(resolutionRules),
  ...scanRules,
];

const byName: ReadonlyMap<string, Rule> = new Map(
  rules.flatMap((rule) => namesOf(rule).map((name) => [name, rule] as const)),
);

/** The rule of that name, whichever profile calls it so; undefined when there is none. */
export function ruleNamed(name: string): Rule | undefined {
  return byName.get(name);
}

/**
 * A finding under one of the names of a rule, explained where the rule is.
 *
 * @throws Error for a name that no rule has: whoever says it has to register it
 */
export function findingNamed(name: string, remark: Omit<Remark, 'rule'>): Finding {
  const rule = ruleNamed(name);
  if (rule === undefined) throw new Error(`no rule is called ${name}`);
  return rule.finding({ ...remark, rule: name });
}

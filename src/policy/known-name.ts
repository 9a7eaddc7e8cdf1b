/** Names of rules as people write them. It loads every rule, so import it only for a warning. */
import { ruleOfChange } from '../upgrade/index.js';
import { rules } from './rules/registry.js';
import { didYouMean } from '../text/nearest.js';

/** The name of a rule or change; an unknown name is followed by the most similar one. */
export function suggestRuleName(name: string): string {
  const names = [...rules.map(({ id }) => id), ...ruleOfChange.keys()];
  return names.includes(name) ? name : `${name}${didYouMean(name, names)}`;
}

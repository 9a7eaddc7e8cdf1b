/** Names of rules as people write them. Holds every rule: to be loaded when there is something to say. */
import { ruleOfChange } from '../../upgrade/index.js';
import { rules } from '../rules/registry.js';
import { didYouMean } from '../../text/nearest.js';

/** The name of a rule or change; of none with the one that is meant, if there is such. */
export function suggestRuleName(name: string): string {
  const names = [...rules.map(({ id }) => id), ...ruleOfChange.keys()];
  return names.includes(name) ? name : `${name}${didYouMean(name, names)}`;
}

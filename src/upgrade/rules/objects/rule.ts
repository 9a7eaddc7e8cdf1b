/** Rules about objects before they are written: manifests against the definition of their kind. */
import { defineRule, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = { family: 'stored-objects', subject: 'manifests', audience: 'objects' } as const;

type Described = Omit<RuleDescription, keyof typeof common>;

export function defineObjectRule<const Definition extends Described>(
  definition: Definition,
): Rule<Definition & typeof common> {
  return defineRule({ ...definition, ...common });
}

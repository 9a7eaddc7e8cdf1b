/** Rules about the objects that a cluster has stored, and about what a request does to them. */
import { defineRule, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = { family: 'stored-objects', subject: 'stored objects' } as const;

interface Described extends Omit<RuleDescription, keyof typeof common> {
  readonly about: NonNullable<RuleDescription['about']>;
}

export function defineStoredRule(definition: Described): Rule<Described & typeof common> {
  return defineRule({ ...definition, ...common });
}

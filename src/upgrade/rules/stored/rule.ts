/** Rules about the objects that a cluster has stored, and about what a request does to them. */
import { defineRule, type Messages, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = { family: 'stored-objects', subject: 'stored objects' } as const;

interface Described extends Omit<RuleDescription, keyof typeof common> {
  readonly about: NonNullable<RuleDescription['about']>;
  readonly messages: Messages;
}

export function defineStoredRule<const Definition extends Described>(
  definition: Definition,
): Rule<Definition & typeof common> {
  return defineRule<Definition & typeof common>({ ...definition, ...common });
}

/** Rules about Helm charts: what an upgrade, a rollback or an uninstall does to definitions and their objects. */
import { defineRule, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = { family: 'stored-objects', subject: 'chart', audience: 'objects' } as const;

type Described = Omit<RuleDescription, keyof typeof common>;

export function defineChartRule<const Definition extends Described>(
  definition: Definition,
): Rule<Definition & typeof common> {
  return defineRule({ ...definition, ...common });
}

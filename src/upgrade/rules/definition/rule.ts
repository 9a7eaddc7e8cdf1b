/** Rules about what API servers refuse in a CustomResourceDefinition: each knows which refusals are its. */
import type { Refusal } from '../../../kubernetes/index.js';
import { defineRule, from, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = {
  subject: 'CustomResourceDefinition',
  family: 'definition',
  severity: 'error',
  refusedByServer: true,
} as const;

interface Described extends Omit<RuleDescription, keyof typeof common> {
  /** Whether a refusal is of this rule, unless a rule before it in the table has it. */
  readonly covers: (refusal: Refusal) => boolean;
}

export type RefusalRule = Rule<Described & typeof common>;

export function defineRefusalRule(definition: Described): RefusalRule {
  return defineRule({ ...definition, ...common });
}

/** The validation of definitions, which most of these rules come from. */
export const validation = (...functions: string[]): string =>
  from.apiextensions('pkg/apis/apiextensions/validation/validation.go', ...functions);

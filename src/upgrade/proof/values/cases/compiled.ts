/** Rules as trees, as an API server compiles them. */
import {
  CelMistakes,
  type CelType,
  kubernetes,
  type Node,
  NotEvaluable,
  types,
} from '../../../../cel/index.js';
import {
  compileRuleExpression,
  type SchemaNode,
  typeOfSchema,
  type ValidationRule,
} from '../../../../kubernetes/index.js';
import type { Budget } from '../../budget.js';

export function ruleOf(rule: string): ValidationRule {
  return { rule, message: '', messageExpression: '', fieldPath: '', optionalOldSelf: false };
}

export function isTransition({ rule }: ValidationRule): boolean {
  return /\boldSelf\b/.test(rule);
}

export function declaredType(schema: SchemaNode, isResource = false): CelType | undefined {
  return typeOfSchema(schema, isResource || schema.embeddedResource);
}

export function treeOf(
  rule: ValidationRule,
  type: CelType | undefined,
  budget: Budget,
): Node | undefined {
  if (type === undefined || budget.isSpent) return undefined;
  // To compile a character takes the time of two values.
  budget.spend(2 * rule.rule.length);
  const checked = checkedRule(rule, type);
  return checked?.type.kind === types.bool.kind ? checked.tree : undefined;
}

/** Undefined for a rule that does not compile here. */
export function checkedRule(
  rule: ValidationRule,
  type: CelType,
): ReturnType<typeof compileRuleExpression>['checked'] | undefined {
  try {
    return compileRuleExpression(rule.rule, rule, type, kubernetes).checked;
  } catch (error) {
    if (error instanceof CelMistakes || error instanceof NotEvaluable) return undefined;
    throw error;
  }
}

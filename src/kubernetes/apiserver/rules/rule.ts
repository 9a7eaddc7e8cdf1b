import {
  type Budget,
  CelMistakes,
  type CelType,
  childrenOf,
  EvaluationError,
  type Language,
  type Node,
  NoProgram,
  NotEvaluable,
  Panic,
  type Program,
  type Variables,
} from '../../../cel/index.js';
import { byteLength } from '../../../text/go/index.js';
import type { FieldErrorType } from '../field-error.js';
import type { SchemaNode, ValidationRule } from '../schema.js';
import { findField, PathPanic } from './field-path.js';
import { compileRuleExpression } from './rule-expressions.js';
import type { RuleValues } from './rule-values.js';

type RuleResult =
  | {
      readonly type: FieldErrorType;
      readonly detail: string;
      readonly withoutValues?: string;
      readonly fieldPath: string;
      /** Whether an unchanged value is let through. */
      readonly forgivable: boolean;
      /** Whether the rule itself is at fault, and not the value. */
      readonly isOfRule?: true;
    }
  | { readonly reason: string };

export interface CompiledRule {
  readonly usesOld: boolean;
  judge(values: RuleValues, budget: Budget): RuleResult | undefined;
}

const longestMessage = 5 * 1024;

/** Steps for one evaluation of one rule; Kubernetes allows costs of this order. */
const stepsPerRule = 1_000_000;

export function compileRule(
  rule: ValidationRule,
  schema: SchemaNode,
  type: CelType | undefined,
  language: Language,
): CompiledRule {
  if (rule.rule.trim() === '' || type === undefined) return always(undefined);
  try {
    const { checked, program: made } = compileRuleExpression(rule.rule, rule, type, language);
    if (checked.type.kind !== 'bool') {
      return refusing('cel expression must evaluate to a bool');
    }
    const program = made();
    const message = compileMessage(rule, type, language);
    // A message expression that does not compile ends the compilation before the path is read.
    const hasPath = message !== undefined || rule.messageExpression === '';
    const fieldPath = hasPath ? fieldPathOf(rule.fieldPath, schema) : '';
    return new RunnableRule(rule, program, message, mentionsOld(checked.tree), fieldPath);
  } catch (error) {
    if (error instanceof CelMistakes) return refusing(`compilation failed: ${error.message}`);
    if (error instanceof NoProgram) {
      return refusing(`program instantiation failed: ${error.message}`);
    }
    if (error instanceof NotEvaluable) return always({ reason: error.message });
    throw error;
  }
}

/** A path that does not fit the schema is ignored. */
function fieldPathOf(path: string, schema: SchemaNode): string {
  try {
    const found = findField(path, schema, true);
    return typeof found === 'string' ? '' : found.path;
  } catch (error) {
    if (!(error instanceof PathPanic)) throw error;
    return '';
  }
}

function always(result: RuleResult | undefined): CompiledRule {
  return { usesOld: false, judge: () => result };
}

function refusing(problem: string): CompiledRule {
  return always({
    type: 'FieldValueInvalid',
    detail: `rule compile error: ${problem}`,
    fieldPath: '',
    forgivable: false,
    isOfRule: true,
  });
}

/** A message expression that does not compile is as good as none. */
function compileMessage(
  rule: ValidationRule,
  type: CelType,
  language: Language,
): Program | undefined {
  if (rule.messageExpression === '') return undefined;
  try {
    const { messageExpression } = rule;
    const { checked, program } = compileRuleExpression(messageExpression, rule, type, language);
    return checked.type.kind === 'string' ? program() : undefined;
  } catch (error) {
    const isNone =
      error instanceof CelMistakes || error instanceof NoProgram || error instanceof NotEvaluable;
    if (isNone) return undefined;
    throw error;
  }
}

export function mentionsOld(node: Node): boolean {
  if (node.kind === 'identifier' && node.name === 'oldSelf') return true;
  return childrenOf(node).some(mentionsOld);
}

class RunnableRule implements CompiledRule {
  constructor(
    private readonly rule: ValidationRule,
    private readonly program: Program,
    private readonly message: Program | undefined,
    readonly usesOld: boolean,
    private readonly fieldPath: string,
  ) {}

  judge(values: RuleValues, budget: Budget): RuleResult | undefined {
    const { optionalOldSelf } = this.rule;
    if (this.usesOld && !values.hasOld && !optionalOldSelf) return undefined;
    const allowed = Math.min(budget.steps, stepsPerRule);
    const own = { steps: allowed };
    try {
      const variables = this.usesOld && optionalOldSelf ? values.withOptionalOld : values;
      if (this.program.evaluate(variables, own) === true) return undefined;
      return this.refusal(values, own);
    } catch (error) {
      if (error instanceof NotEvaluable) return { reason: error.message };
      if (error instanceof Panic) return this.failure(`internal error: ${error.message}`);
      if (!(error instanceof EvaluationError)) throw error;
      return this.failure(error.message);
    } finally {
      budget.steps -= allowed - Math.max(own.steps, 0);
    }
  }

  /** An error is never forgiven, unlike a rule that is false. */
  private failure(message: string): RuleResult {
    const detail = message.startsWith('no such overload')
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${this.name}`
      : `${message} evaluating rule: ${this.name}`;
    return { type: 'FieldValueInvalid', detail, fieldPath: '', forgivable: false };
  }

  private refusal(variables: Variables, budget: Budget): RuleResult {
    const written =
      this.rule.message === '' ? `failed rule: ${this.name}` : this.rule.message.trim();
    const detail = this.messageText(variables, budget) ?? written;
    const place = { fieldPath: this.fieldPath, forgivable: !this.usesOld };
    // A message that is computed may hold any value; the one that is written holds none.
    const withoutValues = written;
    switch (this.rule.reason) {
      case 'FieldValueForbidden':
      case 'FieldValueRequired':
        return { type: this.rule.reason, detail, withoutValues, ...place };
      case 'FieldValueDuplicate':
        return { type: 'FieldValueDuplicate', detail: '', withoutValues, ...place };
      default:
        return { type: 'FieldValueInvalid', detail, withoutValues, ...place };
    }
  }

  private messageText(variables: Variables, budget: Budget): string | undefined {
    if (this.message === undefined) return undefined;
    try {
      const value = this.message.evaluate(variables, budget);
      const text = typeof value === 'string' ? value.trim() : '';
      return text === '' || text.includes('\n') || byteLength(text) > longestMessage
        ? undefined
        : text;
    } catch (error) {
      if (error instanceof EvaluationError || error instanceof Panic) return undefined;
      if (error instanceof NotEvaluable) return undefined;
      throw error;
    }
  }

  private get name(): string {
    return (this.rule.message === '' ? this.rule.rule : this.rule.message).trim();
  }
}

/** One rule: its expression, its message, and what it says about a value. */
import type { FieldErrorType } from '../apiserver/field-error.js';
import type { SchemaNode, ValidationRule } from '../apiserver/schema.js';
import { compileNode } from './compile.js';
import { CompileError, EvaluationError, NotEvaluable, Panic } from './errors.js';
import type { Expression } from './expression.js';
import { fieldPathOf } from './field-path.js';
import { Frame, type Budget } from './frame.js';
import type { RuleValues } from './rule-values.js';
import { Scope } from './scope.js';
import { parseRule, showMistake, type SyntaxNode } from './syntax.js';
import { optionalOf, types, type CelType } from './types.js';
import { byteLength } from '../text/go/index.js';

/** A refusal, or the reason why nothing can be said. */
export type RuleResult =
  | {
      readonly type: FieldErrorType;
      readonly detail: string;
      /** The rule's own path below the value, with its leading dot or bracket; empty for the value itself. */
      readonly fieldPath: string;
      /** Whether an unchanged value is let through. */
      readonly forgivable: boolean;
    }
  | { readonly reason: string };

export interface CompiledRule {
  /** Undefined when the rule holds or does not apply. */
  judge(values: RuleValues, budget: Budget): RuleResult | undefined;
}

const longestMessage = 5 * 1024;

/** Steps for one evaluation of one rule; Kubernetes allows costs of this order. */
const stepsPerRule = 1_000_000;

export function compileRule(
  rule: ValidationRule,
  schema: SchemaNode,
  type: CelType | undefined,
): CompiledRule {
  if (rule.rule.trim() === '' || type === undefined) return { judge: () => undefined };
  const usesOld = { value: false };
  let expression: Expression;
  try {
    expression = compileText(rule.rule, rule, type, usesOld);
    if (expression.type.name !== 'bool') {
      return always('cel expression must evaluate to a bool');
    }
  } catch (error) {
    if (error instanceof CompileError) {
      if (error.position < 0) return always(`program instantiation failed: ${error.message}`);
      return always(`compilation failed: ${showMistake(rule.rule, error)}`);
    }
    if (error instanceof NotEvaluable) return unjudged(error.message);
    throw error;
  }
  const message = compileMessage(rule, type);
  return new Program(
    rule,
    expression,
    message,
    usesOld.value,
    // A message expression that does not compile ends the compilation before the path is read.
    message === undefined && rule.messageExpression !== ''
      ? ''
      : fieldPathOf(rule.fieldPath, schema),
  );
}

function always(problem: string): CompiledRule {
  const detail = `rule compile error: ${problem}`;
  return { judge: () => ({ type: 'FieldValueInvalid', detail, fieldPath: '', forgivable: false }) };
}

function unjudged(reason: string): CompiledRule {
  return { judge: () => ({ reason }) };
}

function compileText(
  text: string,
  rule: ValidationRule,
  type: CelType,
  usesOld: { value: boolean },
): Expression {
  const tree = parseRule(text);
  usesOld.value = mentionsOld(tree);
  return compileNode(tree, Scope.of(type, rule.optionalOldSelf ? optionalOf(type) : type));
}

/** A message expression that does not compile is as good as none. */
function compileMessage(rule: ValidationRule, type: CelType): Expression | undefined {
  if (rule.messageExpression === '') return undefined;
  try {
    const expression = compileText(rule.messageExpression, rule, type, { value: false });
    return expression.type.name === types.string.name ? expression : undefined;
  } catch (error) {
    if (error instanceof CompileError || error instanceof NotEvaluable) return undefined;
    throw error;
  }
}

function mentionsOld(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(mentionsOld);
  if (typeof node !== 'object' || node === null || !('op' in node)) return false;
  const { op, args } = node as SyntaxNode;
  return op === 'id' ? args === 'oldSelf' : op !== 'value' && mentionsOld(args);
}

class Program implements CompiledRule {
  constructor(
    private readonly rule: ValidationRule,
    private readonly expression: Expression,
    private readonly message: Expression | undefined,
    private readonly usesOld: boolean,
    private readonly fieldPath: string,
  ) {}

  judge(values: RuleValues, budget: Budget): RuleResult | undefined {
    if (this.usesOld && !values.hasOld && !this.rule.optionalOldSelf) return undefined;
    const allowed = Math.min(budget.steps, stepsPerRule);
    const own = { steps: allowed };
    const frame = new Frame(
      () => values.self(),
      () => (this.rule.optionalOldSelf ? values.optionalOldSelf() : values.oldSelf()),
      own,
    );
    try {
      if (this.expression.run(frame) === true) return undefined;
      return this.refusal(frame);
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

  private refusal(frame: Frame): RuleResult {
    const written =
      this.rule.message === '' ? `failed rule: ${this.name}` : this.rule.message.trim();
    const text = this.messageText(frame) ?? written;
    const forgivable = !this.usesOld;
    switch (this.rule.reason) {
      case 'FieldValueForbidden':
      case 'FieldValueRequired':
        return { type: this.rule.reason, detail: text, fieldPath: this.fieldPath, forgivable };
      case 'FieldValueDuplicate':
        return { type: 'FieldValueDuplicate', detail: '', fieldPath: this.fieldPath, forgivable };
      default:
        return { type: 'FieldValueInvalid', detail: text, fieldPath: this.fieldPath, forgivable };
    }
  }

  /** Undefined where the expression fails, or gives nothing that may be shown. */
  private messageText(frame: Frame): string | undefined {
    if (this.message === undefined) return undefined;
    try {
      const value = this.message.run(frame);
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

  /** How errors call the rule. */
  private get name(): string {
    return (this.rule.message === '' ? this.rule.rule : this.rule.message).trim();
  }
}

import {
  type Budget,
  CelMistakes,
  type CelType,
  childrenOf,
  EvaluationError,
  type Language,
  type Node,
  NotEvaluable,
  Panic,
  type Program,
  type Variables,
  type CelValue,
  noValue,
  Optional,
  checkExpression,
  type CheckedExpression,
  compileObserved,
  makeProgram,
  optionalOf,
} from '../../../cel/index.js';
import { byteLength } from '../../../text/go/index.js';
import type { FieldErrorType } from '../field-error.js';
import type { SchemaNode, ValidationRule } from '../schema.js';
import { findField } from './field-names.js';
import type { JsonValue } from '../../../text/documents/index.js';
import { fromJson, readWithoutSchema } from './from-json.js';
import { addTo } from '../../../text/group.js';

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
    // A path that does not fit the schema is ignored.
    const found = hasPath ? findField(rule.fieldPath, schema, true) : '';
    const fieldPath = typeof found === 'object' ? found.path : '';
    return new RunnableRule(rule, program, message, mentionsOld(checked.tree), fieldPath);
  } catch (error) {
    if (error instanceof CelMistakes) {
      const what = error.isOfProgram ? 'program instantiation' : 'compilation';
      return refusing(`${what} failed: ${error.message}`);
    }
    if (error instanceof NotEvaluable) return always({ reason: error.message });
    throw error;
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
    if (error instanceof CelMistakes || error instanceof NotEvaluable) return undefined;
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

/** The values that the rules of one place share, each converted when it is first read. */
export class RuleValues implements Variables {
  private converted: CelValue | undefined;
  private convertedOld: CelValue | undefined;

  constructor(
    private readonly value: JsonValue,
    /** Null counts as none. */
    private readonly old: JsonValue | undefined,
    /** Without one, values are of any type. */
    private readonly schema: SchemaNode | undefined,
    /** Where no rule of the place looks at the old value, its messages cannot do so either. */
    private readonly isOldSeen: boolean,
  ) {}

  /** @throws EvaluationError for data that does not fit its schema */
  get(name: string): CelValue | undefined {
    if (name === 'self') return (this.converted ??= this.read(this.value));
    return name === 'oldSelf' && this.isOldSeen && this.hasOld ? this.oldSelf() : undefined;
  }

  get hasOld(): boolean {
    return this.old !== undefined && this.old !== null;
  }

  /** The variables that `optionalOldSelf` rules see. */
  get withOptionalOld(): Variables {
    return { get: (name) => (name === 'oldSelf' ? this.optionalOldSelf() : this.get(name)) };
  }

  private oldSelf(): CelValue {
    return (this.convertedOld ??= this.read(this.old as JsonValue));
  }

  private read(value: JsonValue): CelValue {
    return this.schema === undefined ? readWithoutSchema(value) : fromJson(value, this.schema);
  }

  /** An old value that does not fit is an error once it is read. */
  private optionalOldSelf(): Optional {
    if (!this.hasOld) return noValue;
    try {
      return new Optional(this.oldSelf());
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const reason = `unsupported conversion to ref.Val: (*errors.errorString)${error.message}`;
      return new Optional(new EvaluationError(reason));
    }
  }
}

export interface RuleExpression {
  /** Shared between rules; must not be changed. */
  readonly checked: CheckedExpression;
  /** @throws CelMistakes, NotEvaluable */
  readonly program: () => Program;
}

interface Known {
  /** The most recent type; the next caller usually needs the same. */
  type: CelType;
  readonly result: RuleExpression;
  readonly isSameIn: (language: Language) => boolean;
}

/** The size of the cache, in declared types and characters: an author of schemas decides how large they are. */
const maxKept = 100_000;

let kept = 0;
const known = new Map<string, Known[]>();

/** The expression of a rule or its message, compiled once for equal types. @param type of `self` @throws as `checkExpression` */
export function compileRuleExpression(
  text: string,
  { optionalOldSelf = false }: Pick<ValidationRule, 'optionalOldSelf'>,
  type: CelType,
  language: Language,
): RuleExpression {
  const key = `${optionalOldSelf} ${text}`;
  const same = known.get(key)?.find((each) => areEqual(each.type, type) && each.isSameIn(language));
  if (same !== undefined) {
    same.type = type;
    return same.result;
  }
  const variables = new Map([
    ['self', type],
    ['oldSelf', optionalOldSelf ? optionalOf(type) : type],
  ]);
  const compiled = compileObserved(language, (observed) => {
    const checked = checkExpression(text, variables, observed);
    return { checked, program: madeProgram(checked, observed) };
  });
  keep(key, { type, ...compiled });
  return compiled.result;
}

function madeProgram(checked: CheckedExpression, language: Language): () => Program {
  try {
    const program = makeProgram(checked, language);
    return () => program;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function keep(key: string, entry: Known): void {
  const size = sizeOf(entry.type) + key.length;
  if (size > maxKept) return;
  if (kept + size > maxKept) {
    known.clear();
    kept = 0;
  }
  kept += size;
  addTo(known, key, entry);
}

function sizeOf({ parameters, fields }: CelType): number {
  let size = 1;
  for (const each of parameters) size += sizeOf(each);
  for (const each of fields?.values() ?? []) size += sizeOf(each);
  return size;
}

/** The last two that were compared and are equal: all rules of a schema are asked about the same two. */
let equal: readonly CelType[] = [];

function areEqual(one: CelType, other: CelType): boolean {
  if (one === equal[0] && other === equal[1]) return true;
  const isEqual = isSame(one, other);
  if (isEqual) equal = [one, other];
  return isEqual;
}

/** Object types of one name can differ in their fields: the name only tells the position in a schema. */
function isSame(one: CelType, other: CelType): boolean {
  if (one === other) return true;
  if (one.kind !== other.kind || one.name !== other.name) return false;
  if (one.parameters.length !== other.parameters.length) return false;
  if (one.fields?.size !== other.fields?.size) return false;
  if (!one.parameters.every((each, index) => isSame(each, other.parameters[index] as CelType))) {
    return false;
  }
  for (const [name, type] of one.fields ?? []) {
    const same = other.fields?.get(name);
    if (same === undefined || !isSame(type, same)) return false;
  }
  return true;
}

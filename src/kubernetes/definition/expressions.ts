/**
 * Errors in the expressions of a schema's rules, and the expressions' costs.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go, and
 * pkg/apis/apiextensions/validation/{validation,cel_validation}.go.
 */
import { breakdown, child, forbidden, invalid, type FieldError } from '../apiserver/field-error.js';
import {
  maxCardinality,
  ofEstimates,
  sizesOfSchema,
  type SchemaSizes,
  typeOfSchema,
} from '../apiserver/rules/declared-types.js';
import { mentionsOld } from '../apiserver/rules/rule.js';
import {
  CelMistakes,
  type CelType,
  type CheckedExpression,
  checkExpression,
  compileObserved,
  CompilerPanic,
  estimatedCost,
  type Language,
  makeProgram,
  NotEvaluable,
  optionalOf,
} from '../../cel/index.js';
import { languageOf } from './languages.js';
import { type ServerTraits, SharedAnswers } from './minors.js';
import type { Requirements } from './custom-resource-definition.js';
import {
  cardinality,
  costMessage,
  noBounds,
  ruleLimit,
  saturated,
  schemaLimit,
  type Bounds,
  type Multiplier,
  withBounds,
  type SchemaFacts,
  holds,
} from './schema-walk.js';
import type { SchemaNode, ValidationRule } from '../apiserver/schema.js';
import { indexed } from './structural.js';
import { append } from '../../text/long-lists.js';

/** A schema with rules whose expressions are looked at; each is compiled once for all that ask. */
export class RuledSchema {
  readonly schema: SchemaNode;
  readonly path: string;
  /** Whether kind, apiVersion and metadata are there without being named. */
  readonly isResource: boolean;
  /** The nearest list or map around it. */
  readonly multiplier: Multiplier | undefined;
  readonly typing: Typing;
  /** Path of the ancestor below which it is unknown which old value belongs to which new one. */
  readonly uncorrelated: string | undefined;
  #declared: { readonly known: Declared | undefined } | undefined;

  constructor(
    place: Omit<RuledSchema, 'declared' | 'size' | 'facts'>,
    readonly facts: SchemaFacts,
  ) {
    this.schema = place.schema;
    this.path = place.path;
    this.isResource = place.isResource;
    this.multiplier = place.multiplier;
    this.typing = place.typing;
    this.uncorrelated = place.uncorrelated;
  }

  get size(): number {
    return this.facts.size(this.schema);
  }

  /** Undefined where values have no type that expressions could know. */
  get declared(): Declared | undefined {
    if (this.typing !== 'own') return undefined;
    return (this.#declared ??= { known: declare(this) }).known;
  }
}

/**
 * The servers' knowledge of the type of a place that rules look at: the type of its schema; none, because
 * the type of a schema around it cannot be made; none, because only lists and maps have typed elements.
 * Any question about the last one ends the request.
 *
 * Source: TypeInfo of pkg/apis/apiextensions/validation/cel_validation.go.
 */
export type Typing = 'own' | 'impossible' | 'absent' | 'fatal';

export function expressionErrors(
  ruled: readonly RuledSchema[],
  path: string,
  requirements: Requirements,
  traits: ServerTraits,
  suppressesCosts: () => boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  let total = 0n;
  for (const each of ruled) {
    const judgement = judgeRules(each, requirements, traits, suppressesCosts);
    append(errors, judgement.errors);
    total = saturated(total + judgement.cost);
  }
  if (total > schemaLimit) {
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    errors.push(forbidden(path, costMessage(what, total, schemaLimit)));
  }
  return errors;
}

function judgeRules(
  { schema, path, multiplier, uncorrelated, typing, declared }: RuledSchema,
  requirements: Requirements,
  traits: ServerTraits,
  suppressesCosts: () => boolean,
): { errors: FieldError[]; cost: bigint } {
  const field = child(path, 'x-kubernetes-validations');
  const isFatal = typing === 'fatal' || (typing === 'absent' && traits.breaksWithoutType);
  if (isFatal) return { errors: [breakdown(field, 'rules of what has no type')], cost: 0n };
  if (declared === undefined) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return { errors: [{ type: 'InternalError', field, detail }], cost: 0n };
  }
  const errors: FieldError[] = [];
  let total = 0n;
  schema.rules.forEach((rule, index) => {
    const place = indexed(path, 'x-kubernetes-validations', index);
    const [field, messageField] = [child(place, 'rule'), child(place, 'messageExpression')];
    const compiled = compileRule(rule, declared, requirements, traits);
    if (compiled.breakdown !== undefined) errors.push(breakdown(field, compiled.breakdown));
    const observe = (at: string, what: string, cost: bigint): void => {
      total = saturated(total + cost);
      if (cost <= ruleLimit || suppressesCosts()) return;
      errors.push(forbidden(at, costMessage(what, cost, ruleLimit)));
    };
    const sizes = declared.sizes(traits);
    const often = cardinality(multiplier, noBounds) ?? maxCardinality(sizes);
    observe(field, 'estimated rule cost', saturated(compiled.cost * often));
    if (compiled.error !== undefined) errors.push(invalid(field, compiled.error));
    const { message } = compiled;
    if (message !== undefined) {
      if ('error' in message) errors.push(invalid(messageField, message.error));
      else observe(messageField, 'estimated messageExpression cost', message.cost);
    }
    if (compiled.usesOld && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      errors.push(invalid(field, detail));
    } else if (!compiled.usesOld && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      errors.push(invalid(child(place, 'optionalOldSelf'), detail));
    }
  });
  return { errors, cost: total };
}

/** An expression of a rule that compiles, and what it costs under other bounds than the schema's. */
export interface CostlyExpression {
  readonly field: string;
  readonly text: string;
  readonly isRule: boolean;
  readonly cost: (bounds: Bounds) => bigint;
}

/** The expressions of one schema's rules that a server counts: messages are not multiplied. */
export function costlyExpressions(
  { schema, path, isResource, multiplier, declared }: RuledSchema,
  traits: ServerTraits,
): CostlyExpression[] {
  if (declared === undefined) return [];
  return schema.rules.flatMap((rule, index) => {
    const place = indexed(path, 'x-kubernetes-validations', index);
    const isOptional = rule.optionalOldSelf === true;
    const costOf = (text: string, kind: 'bool' | 'string', isRule: boolean): CostlyExpression[] => {
      const expression = compileExpression(text, kind, isOptional, declared, traits, false);
      const { checked } = expression;
      if (checked === undefined) return [];
      const cost = (bounds: Bounds): bigint => {
        const sizes =
          bounds.size === 0
            ? declared.sizes(traits)
            : sizesOfSchema(withBounds(schema, bounds), isResource, { ...ofEstimates, ...traits });
        const own =
          bounds.size === 0 ? expression.cost(traits) : estimatedCost(checked, sizes, traits);
        if (!isRule || sizes === undefined) return own;
        return saturated(own * (cardinality(multiplier, bounds) ?? maxCardinality(sizes)));
      };
      return [{ field: child(place, isRule ? 'rule' : 'messageExpression'), text, isRule, cost }];
    };
    const ofRule = costOf(rule.rule, 'bool', true);
    const hasMessage = ofRule.length > 0 && rule.messageExpression !== '';
    return hasMessage ? [...ofRule, ...costOf(rule.messageExpression, 'string', false)] : ofRule;
  });
}

interface Declared {
  readonly type: CelType;
  readonly sizes: (traits: ServerTraits) => SchemaSizes;
  /** By text and kind, in every language that differs for them. */
  readonly compiled: Map<string, Expression[]>;
}

function declare({ schema, isResource }: RuledSchema): Declared | undefined {
  const type = typeOfSchema(schema, isResource);
  const usual = sizesOfSchema(schema, isResource);
  if (type === undefined || usual === undefined) return undefined;
  const isBounded = ({ intOrString, maxLength }: SchemaNode): boolean =>
    intOrString && maxLength !== undefined;
  const hasBounded = holds(schema, isBounded);
  const hasNames = isResource || holds(schema, ({ embeddedResource }) => embeddedResource);
  const counted = new Map([[true, new Map([[false, usual]])]]);
  // Traits that make no difference are left out of the key, so that minors share their estimates.
  const sizes = (traits: ServerTraits): SchemaSizes => {
    const boundsIntOrString = !hasBounded || traits.boundsIntOrString;
    const boundsNames = hasNames && traits.boundsNames;
    const known = counted.get(boundsIntOrString)?.get(boundsNames);
    if (known !== undefined) return known;
    const counting = { ...ofEstimates, boundsIntOrString, boundsNames };
    const found = sizesOfSchema(schema, isResource, counting) ?? usual;
    const byNames = counted.get(boundsIntOrString) ?? new Map<boolean, SchemaSizes>();
    counted.set(boundsIntOrString, byNames.set(boundsNames, found));
    return found;
  };
  return { type, sizes, compiled: new Map() };
}

interface CompiledRule {
  readonly cost: bigint;
  readonly error?: string;
  /** Over what the server breaks down. */
  readonly breakdown?: string;
  readonly usesOld: boolean;
  readonly message?: { readonly error: string } | { readonly cost: bigint };
}

function compileRule(
  rule: ValidationRule,
  declared: Declared,
  requirements: Requirements,
  traits: ServerTraits,
): CompiledRule {
  const isOptional = rule.optionalOldSelf === true;
  const compile = (text: string, kind: 'bool' | 'string', isStored: boolean): Expression =>
    compileExpression(text, kind, isOptional, declared, traits, isStored);
  const compiled = compile(rule.rule, 'bool', requirements.storedRules.has(rule.rule));
  const { usesOld, breakdown } = compiled;
  if (breakdown !== undefined) return { cost: 0n, usesOld, breakdown };
  if (compiled.error !== undefined) return { cost: 0n, usesOld, error: compiled.error };
  const cost = compiled.cost(traits);
  const { messageExpression: text } = rule;
  if (text === '') return { cost, usesOld };
  const message = compile(text, 'string', requirements.storedMessages.has(text));
  if (message.breakdown !== undefined) return { cost, usesOld, breakdown: message.breakdown };
  const judged =
    message.error === undefined
      ? { cost: message.cost(traits) }
      : { error: message.error.replace(/^(?!cel|message)/, 'messageExpression ') };
  return { cost, usesOld, message: judged };
}

interface Expression {
  readonly isSameIn: (language: Language) => boolean;
  readonly checked?: CheckedExpression;
  readonly cost: (traits: ServerTraits) => bigint;
  readonly usesOld: boolean;
  readonly error?: string;
  readonly breakdown?: string;
}

/** Compiled once for all languages in which it means the same. */
function compileExpression(
  text: string,
  kind: 'bool' | 'string',
  isOptional: boolean,
  declared: Declared,
  traits: ServerTraits,
  isStored: boolean,
): Expression {
  const language = languageOf(traits, isStored);
  const key = `${kind} ${isOptional} ${text}`;
  const known = declared.compiled.get(key);
  const same = known?.find(({ isSameIn }) => isSameIn(language));
  if (same !== undefined) return same;
  const { result, isSameIn } = compileObserved(language, (observed) =>
    compile(text, kind, isOptional, declared, observed),
  );
  const expression = { isSameIn, ...result };
  if (known === undefined) declared.compiled.set(key, [expression]);
  else known.push(expression);
  return expression;
}

function compile(
  text: string,
  kind: 'bool' | 'string',
  isOptional: boolean,
  { type, sizes }: Declared,
  language: Language,
): Omit<Expression, 'isSameIn'> {
  const variables = new Map([
    ['self', type],
    ['oldSelf', isOptional ? optionalOf(type) : type],
  ]);
  let usesOld = false;
  try {
    const checked = checkExpression(text, variables, language);
    if (checked.type.kind !== kind) {
      return failed(
        kind === 'bool'
          ? 'cel expression must evaluate to a bool'
          : 'messageExpression must evaluate to a string',
      );
    }
    usesOld = mentionsOld(checked.tree);
    tryProgram(checked, language);
    return { checked, cost: costOf(checked, sizes), usesOld };
  } catch (error) {
    if (error instanceof CelMistakes) {
      const ofProgram = kind === 'bool' ? 'program instantiation' : 'instantiation';
      const what = error.isOfProgram ? ofProgram : 'compilation';
      return failed(`${what} failed: ${error.message}`, usesOld);
    }
    if (error instanceof CompilerPanic) {
      return { cost: free, usesOld, breakdown: `an expression: ${error.message}` };
    }
    if (error instanceof NotEvaluable) return { cost: free, usesOld };
    throw error;
  }
}

/** @throws CelMistakes, CompilerPanic */
function tryProgram(checked: CheckedExpression, language: Language): void {
  try {
    makeProgram(checked, language);
  } catch (error) {
    // Servers can compile expressions that only this evaluator cannot.
    if (!(error instanceof NotEvaluable) || error instanceof CompilerPanic) throw error;
  }
}

const free = (): bigint => 0n;

/** Estimated once for all minors that estimate it the same. */
function costOf(checked: CheckedExpression, sizes: Declared['sizes']): Expression['cost'] {
  const answers = new SharedAnswers<bigint>();
  return (traits) => answers.of(traits, (asked) => estimatedCost(checked, sizes(asked), asked));
}

function failed(error: string, usesOld = false): Omit<Expression, 'isSameIn'> {
  return { cost: free, usesOld, error };
}

/**
 * What is wrong with the expressions of a schema's rules, and what they cost.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go, and
 * pkg/apis/apiextensions/validation/{validation,cel_validation}.go.
 */
import { child, forbidden, invalid, type FieldError } from '../apiserver/field-error.js';
import {
  maxCardinality,
  sizesOfSchema,
  type SchemaSizes,
} from '../apiserver/rules/declared-sizes.js';
import { typeOfSchema } from '../apiserver/rules/declared-types.js';
import {
  CelMistakes,
  checkExpression,
  childrenOf,
  estimatedCost,
  makeProgram,
  NoProgram,
  NotEvaluable,
  optionalOf,
  type CelType,
  type CheckedExpression,
  type Estimation,
  type Language,
  type Node,
} from '../cel/index.js';
import { languageOf } from './languages.js';
import type { ServerTraits } from './minors.js';
import type { RuledSchema } from './open-api-schema.js';
import type { Requirements } from './ratcheting.js';
import {
  cardinality,
  costMessage,
  noBounds,
  ruleLimit,
  saturated,
  schemaLimit,
  type Bounds,
} from './rule-costs.js';
import { boundedNodeOf, nodeOf } from './schema-node.js';
import type { SchemaProps, ValidationRuleProps } from './schema-props.js';
import { indexed } from './structural.js';

/** @param suppressesCosts whether single expressions may cost what they cost */
export function expressionErrors(
  ruled: readonly RuledSchema[],
  path: string,
  requirements: Requirements,
  traits: ServerTraits,
  suppressesCosts: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  let total = 0n;
  for (const each of ruled) {
    const judgement = judgeRules(each, requirements, traits, suppressesCosts);
    errors.push(...judgement.errors);
    total = saturated(total + judgement.cost);
  }
  if (total > schemaLimit) {
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    errors.push(forbidden(path, costMessage(what, total, schemaLimit)));
  }
  return errors;
}

function judgeRules(
  { schema, path, isResource, multiplier, uncorrelated, isUntyped }: RuledSchema,
  requirements: Requirements,
  traits: ServerTraits,
  suppressesCosts: boolean,
): { errors: FieldError[]; cost: bigint } {
  const declared = isUntyped ? undefined : declaredOf(schema, isResource, traits);
  const errors: FieldError[] = [];
  let total = 0n;
  if (declared === undefined) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    const field = child(path, 'x-kubernetes-validations');
    return { errors: [{ type: 'InternalError', field, detail }], cost: 0n };
  }
  schema.rules?.forEach((rule, index) => {
    const place = indexed(path, 'x-kubernetes-validations', index);
    const [field, messageField] = [child(place, 'rule'), child(place, 'messageExpression')];
    const compiled = compileRule(rule, declared, requirements, traits);
    const observe = (at: string, what: string, cost: bigint): void => {
      total = saturated(total + cost);
      if (suppressesCosts || cost <= ruleLimit) return;
      errors.push(forbidden(at, costMessage(what, cost, ruleLimit)));
    };
    const often = cardinality(multiplier, noBounds) ?? maxCardinality(declared.sizes);
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
    } else if (!compiled.usesOld && optionalOldSelfOf(rule, requirements) !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      errors.push(invalid(child(place, 'optionalOldSelf'), detail));
    }
  });
  return { errors, cost: total };
}

/** An expression of a rule that compiles, and what it costs under other bounds than the schema's. */
export interface CostlyExpression {
  /** As a refusal names it. */
  readonly field: string;
  readonly text: string;
  readonly isRule: boolean;
  readonly cost: (bounds: Bounds) => bigint;
}

/** What a server counts of one schema's rules: messages are not multiplied. */
export function costlyExpressions(
  { schema, path, isResource, isUntyped, multiplier }: RuledSchema,
  requirements: Requirements,
  traits: ServerTraits,
): CostlyExpression[] {
  const declared = isUntyped ? undefined : declaredOf(schema, isResource, traits);
  if (declared === undefined) return [];
  return (schema.rules ?? []).flatMap((rule, index) => {
    const place = indexed(path, 'x-kubernetes-validations', index);
    const isOptional = optionalOldSelfOf(rule, requirements) === true;
    const costOf = (text: string, kind: 'bool' | 'string', isRule: boolean): CostlyExpression[] => {
      const expression = compileExpression(text, kind, isOptional, declared, traits, false);
      const { checked } = expression;
      if (checked === undefined) return [];
      const cost = (bounds: Bounds): bigint => {
        const bounded = bounds.size === 0 ? nodeOf(schema) : boundedNodeOf(schema, bounds);
        const sizes =
          bounds.size === 0
            ? declared.sizes
            : sizesOfSchema(bounded, isResource, traits.boundsIntOrString);
        const own = bounds.size === 0 ? expression.cost : estimatedCost(checked, sizes, estimationOf(traits)); // prettier-ignore
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

function optionalOldSelfOf(
  { optionalOldSelf }: ValidationRuleProps,
  { dropsOptionalOldSelf }: Requirements,
): boolean | undefined {
  return dropsOptionalOldSelf ? undefined : optionalOldSelf;
}

/** What expressions know of the values of a schema. */
interface Declared {
  readonly type: CelType;
  readonly sizes: SchemaSizes;
  readonly compiled: Map<string, Expression>;
}

const declarations = new WeakMap<SchemaProps, Map<boolean, Declared | undefined>>();

function declaredOf(
  schema: SchemaProps,
  isResource: boolean,
  { boundsIntOrString }: ServerTraits,
): Declared | undefined {
  let known = declarations.get(schema);
  if (known === undefined)
    declarations.set(schema, (known = new Map<boolean, Declared | undefined>()));
  if (!known.has(boundsIntOrString)) {
    const node = nodeOf(schema);
    const type = typeOfSchema(node, isResource);
    const sizes = sizesOfSchema(node, isResource, boundsIntOrString);
    const declared = type && sizes && { type, sizes, compiled: new Map<string, Expression>() };
    known.set(boundsIntOrString, declared);
  }
  return known.get(boundsIntOrString);
}

interface CompiledRule {
  readonly cost: bigint;
  readonly error?: string;
  readonly usesOld: boolean;
  readonly message?: { readonly error: string } | { readonly cost: bigint };
}

function compileRule(
  rule: ValidationRuleProps,
  declared: Declared,
  requirements: Requirements,
  traits: ServerTraits,
): CompiledRule {
  const isOptional = optionalOldSelfOf(rule, requirements) === true;
  const compile = (text: string, kind: 'bool' | 'string', isStored: boolean): Expression =>
    compileExpression(text, kind, isOptional, declared, traits, isStored);
  const compiled = compile(rule.rule, 'bool', requirements.storedRules.has(rule.rule));
  const { usesOld } = compiled;
  if (compiled.error !== undefined) return { cost: 0n, usesOld, error: compiled.error };
  const { messageExpression: text } = rule;
  if (text === '') return { cost: compiled.cost, usesOld };
  const message = compile(text, 'string', requirements.storedMessages.has(text));
  const told =
    message.error === undefined
      ? { cost: message.cost }
      : { error: message.error.replace(/^(?!cel|message)/, 'messageExpression ') };
  return { cost: compiled.cost, usesOld, message: told };
}

interface Expression {
  /** Undefined for what does not compile. */
  readonly checked?: CheckedExpression;
  readonly cost: bigint;
  readonly usesOld: boolean;
  readonly error?: string;
}

function compileExpression(
  text: string,
  kind: 'bool' | 'string',
  isOptional: boolean,
  declared: Declared,
  traits: ServerTraits,
  isStored: boolean,
): Expression {
  const language = languageOf(traits, isStored);
  const key = JSON.stringify([text, kind, isOptional, traits.celCompatibility, isStored]);
  let expression = declared.compiled.get(key);
  if (expression === undefined) {
    expression = compile(text, kind, isOptional, declared, language, estimationOf(traits));
    declared.compiled.set(key, expression);
  }
  return expression;
}

function compile(
  text: string,
  kind: 'bool' | 'string',
  isOptional: boolean,
  { type, sizes }: Declared,
  language: Language,
  estimation: Estimation,
): Expression {
  const variables = new Map([
    ['self', type],
    ['oldSelf', isOptional ? optionalOf(type) : type],
  ]);
  let checked: CheckedExpression;
  try {
    checked = checkExpression(text, variables, language);
  } catch (error) {
    if (error instanceof CelMistakes) return failed(`compilation failed: ${error.message}`);
    if (error instanceof NotEvaluable) return { cost: 0n, usesOld: false };
    throw error;
  }
  if (checked.type.kind !== kind) {
    return failed(
      kind === 'bool'
        ? 'cel expression must evaluate to a bool'
        : 'messageExpression must evaluate to a string',
    );
  }
  const usesOld = mentionsOld(checked.tree);
  try {
    makeProgram(checked, language);
  } catch (error) {
    if (error instanceof NoProgram) {
      return { cost: 0n, usesOld, error: `program instantiation failed: ${error.message}` };
    }
    if (!(error instanceof NotEvaluable)) throw error;
  }
  return { checked, cost: estimatedCost(checked, sizes, estimation), usesOld };
}

function estimationOf({
  foldSizes,
  costsQuantities,
  costsOpaqueEquality,
}: ServerTraits): Estimation {
  const unestimated = new Set([
    ...(costsQuantities ? [] : ['quantity', 'isQuantity']),
    ...(costsOpaqueEquality ? [] : ['_==_']),
  ]);
  return { foldSizes, unestimated };
}

function failed(error: string): Expression {
  return { cost: 0n, usesOld: false, error };
}

function mentionsOld(node: Node): boolean {
  if (node.kind === 'identifier' && node.name === 'oldSelf') return true;
  return childrenOf(node).some(mentionsOld);
}

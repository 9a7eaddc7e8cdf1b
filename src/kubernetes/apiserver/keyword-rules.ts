/**
 * Numbers (formats, bounds, multiples) and logical operators, of which anyOf and oneOf report the branch with most steps.
 * Source: k8s.io/kube-openapi/pkg/validation/validate/{values,schema_props}.go.
 */
import { type JsonNumber, float64Of, int64Of, formatFloat } from '../../text/go/index.js';
import { NumberText, type JsonValue } from '../../text/documents/index.js';
import { isJsonInteger, truncateToInt64 } from './equality.js';
import {
  badValueError,
  rangeError,
  type SchemaError,
  logicError,
  type Check,
} from './schema-errors.js';
import type { SchemaNode } from './schema.js';
import { append } from '../../text/long-lists.js';

// Formats and ranges of numbers as Kubernetes 1.36 has them: an integer has 64 bits, or the 32 of its
// format, and a number of format float must fit one. Up to 1.35 such formats mean nothing.
//
// Source: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go and
// k8s.io/kube-openapi/pkg/validation/validate/values.go, IsValueValidAgainstRange (both v0.36).

interface NumberRange {
  /** The range's name in an error about a value outside: `integer with format int32`. */
  readonly description: string;
  readonly holds: (value: JsonNumber) => boolean;
}

const numericFormats = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
]);

/** The format if it is one of the type's, else none. */
export function numericFormat(type: string, format: string): string {
  return numericFormats.get(type)?.includes(format) === true ? format : '';
}

/** The range of values of a type; undefined where every number is in it. */
export function numberRange(type: string, format: string): NumberRange | undefined {
  if (type === 'integer') {
    const bits = format === 'int32' ? 32 : 64;
    return {
      description: `integer ${format === '' ? '(default format)' : `with format ${format}`}`,
      holds: (value) => {
        const whole = int64Of(value) ?? int64Of(float64Of(value));
        return whole !== undefined && BigInt.asIntN(bits, whole) === whole;
      },
    };
  }
  if (type !== 'number' || format !== 'float') return undefined;
  return {
    description: 'number with format float',
    holds: (value) => Number.isFinite(Math.fround(float64Of(value))),
  };
}

type NumberRule = (value: JsonNumber, path: string, errors: SchemaError[]) => void;

interface Bound {
  readonly float: number;
  readonly integer: bigint;
  /** The integer as a plain number, or NaN where a plain number cannot hold it. */
  readonly plain: number;
}

function boundOf(value: number): Bound {
  const integer = truncateToInt64(value);
  const plain = Number(integer);
  return { float: value, integer, plain: Number.isSafeInteger(plain) ? plain : NaN };
}

/** The rules of one schema, or undefined where it has none. Its own bounds must be in the range too. */
export function numberRule(schema: SchemaNode, range?: NumberRange): NumberRule | undefined {
  const rules: NumberRule[] = [];
  if (range !== undefined)
    rules.push((value, path, errors) => {
      if (!range.holds(value)) errors.push(rangeError('Checked', range.description, path));
    });
  const { multipleOf, minimum, maximum } = schema;
  if (multipleOf !== undefined) {
    rules.push(ranged('MultipleOf', multipleOf, multipleRule(multipleOf), range));
  }
  if (minimum !== undefined) {
    const rule = boundRule(minimum, schema.exclusiveMinimum, -1);
    rules.push(ranged('Minimum boundary', minimum, rule, range));
  }
  if (maximum !== undefined) {
    const rule = boundRule(maximum, schema.exclusiveMaximum, 1);
    rules.push(ranged('Maximum boundary', maximum, rule, range));
  }
  if (rules.length === 0) return undefined;
  return (value, path, errors) => {
    for (const rule of rules) rule(value, path, errors);
  };
}

/** A bound outside the range is an error by itself, and values are compared with it as doubles. */
function ranged(
  subject: string,
  bound: number,
  rule: NumberRule,
  range: NumberRange | undefined,
): NumberRule {
  if (range === undefined || range.holds(bound)) return rule;
  return (value, path, errors) => {
    errors.push(rangeError(subject, range.description, path));
    const float = formatFloat(float64Of(value));
    rule(new NumberText(/[.e]/.test(float) ? float : `${float}.0`), path, errors);
  };
}

/** `wrongSide` is the sign of value minus bound that breaks the rule. */
function boundRule(value: number, exclusive: boolean, wrongSide: 1 | -1): NumberRule {
  const bound = boundOf(value);
  const wrong = (path: string, limit: string, number: JsonNumber): SchemaError =>
    badValueError(path, `${path} in body should be ${demand}${limit}`, number);
  const demand = `${wrongSide === 1 ? 'less' : 'greater'} than ${exclusive ? '' : 'or equal to '}`;
  const refuses = (sign: number): boolean => sign === wrongSide || (exclusive && sign === 0);
  return (number, path, errors) => {
    if (typeof number === 'number' && Number.isSafeInteger(number) && !Number.isNaN(bound.plain)) {
      if (refuses(Math.sign(number - bound.plain))) {
        errors.push(wrong(path, String(bound.plain), number));
      }
      return;
    }
    const integer = int64Of(number);
    if (integer === undefined) {
      if (refuses(Math.sign(float64Of(number) - bound.float))) {
        errors.push(wrong(path, formatFloat(bound.float), number));
      }
    } else if (refuses(integer > bound.integer ? 1 : integer < bound.integer ? -1 : 0)) {
      errors.push(wrong(path, String(bound.integer), number));
    }
  };
}

function multipleRule(value: number): NumberRule {
  const factor = boundOf(value);
  const notPositive = (path: string, text: string, of: number): SchemaError =>
    badValueError(path, `factor MultipleOf declared for ${path} must be positive: ${text}`, of);
  const wrong = (path: string, text: string, number: JsonNumber): SchemaError =>
    badValueError(path, `${path} in body should be a multiple of ${text}`, number);
  return (number, path, errors) => {
    const integer = int64Of(number);
    if (integer !== undefined) {
      if (factor.integer <= 0n)
        errors.push(notPositive(path, String(factor.integer), Number(factor.integer)));
      else if (integer % factor.integer !== 0n) {
        errors.push(wrong(path, String(factor.integer), number));
      }
      return;
    }
    const float = number instanceof NumberText ? number.value : number;
    if (value <= 0) errors.push(notPositive(path, formatFloat(value), value));
    else if (!isJsonInteger(value < 1 ? (1 / value) * float : float / value)) {
      errors.push(wrong(path, formatFloat(value), number));
    }
  };
}

type Logic = (value: JsonValue, path: string, errors: SchemaError[]) => number;

interface Outcome {
  readonly errors: SchemaError[];
  readonly count: number;
}

/** Undefined where the schema has no logical operator; such a step counts one. */
export function compileLogic(
  schema: SchemaNode,
  compile: (schema: SchemaNode) => Check,
): Logic | undefined {
  const steps: Logic[] = [];
  if (schema.anyOf.length > 0) steps.push(anyOf(schema.anyOf.map(compile)));
  if (schema.oneOf.length > 0) steps.push(oneOf(schema.oneOf.map(compile)));
  if (schema.allOf.length > 0) steps.push(allOf(schema.allOf.map(compile)));
  if (schema.not !== undefined) steps.push(not(compile(schema.not)));
  if (steps.length === 0) return undefined;
  return (value, path, errors) =>
    steps.reduce((count, step) => count + step(value, path, errors), 1);
}

let branches = 0;

/** How many branches of logical operators were asked about values since the process began. */
export function branchesAsked(): number {
  return branches;
}

function run(check: Check, value: JsonValue, path: string): Outcome {
  branches++;
  const errors: SchemaError[] = [];
  return { count: check(value, path, errors, undefined), errors };
}

function anyOf(checks: readonly Check[]): Logic {
  return (value, path, errors) => {
    let best: Outcome | undefined;
    for (const check of checks) {
      const outcome = run(check, value, path);
      if (outcome.errors.length === 0) return outcome.count;
      if (best === undefined || outcome.count > best.count) best = outcome;
    }
    errors.push(logicError(path, 'validate at least one schema (anyOf)'));
    append(errors, best?.errors ?? []);
    return best?.count ?? 0;
  };
}

function oneOf(checks: readonly Check[]): Logic {
  return (value, path, errors) => {
    let best: Outcome | undefined;
    let first: Outcome | undefined;
    let valid = 0;
    for (const check of checks) {
      const outcome = run(check, value, path);
      if (outcome.errors.length === 0) {
        valid++;
        best = undefined;
        first ??= outcome;
      } else if (valid === 0 && (best === undefined || outcome.count > best.count)) best = outcome;
    }
    if (valid === 1) return first?.count ?? 0;
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    errors.push(logicError(path, `validate one and only one schema (oneOf). ${found}`));
    append(errors, best?.errors ?? []);
    return best?.count ?? 0;
  };
}

function allOf(checks: readonly Check[]): Logic {
  return (value, path, errors) => {
    let count = 0;
    let valid = 0;
    for (const check of checks) {
      const outcome = run(check, value, path);
      if (outcome.errors.length === 0) valid++;
      append(errors, outcome.errors);
      count += outcome.count;
    }
    if (valid !== checks.length) {
      const none = valid === 0 ? '. None validated' : '';
      errors.push(logicError(path, `validate all the schemas (allOf)${none}`));
    }
    return count;
  };
}

function not(check: Check): Logic {
  return (value, path, errors) => {
    if (run(check, value, path).errors.length === 0) {
      errors.push(logicError(path, 'not validate the schema (not)'));
    }
    return 0;
  };
}

/** Compares an int64 with the bound cut to one. Source: k8s.io/kube-openapi/pkg/validation/validate/values.go. */
import { NumberText } from '../../text/documents/index.js';
import { isJsonInteger, truncateToInt64 } from './numbers.js';
import type { NumberRange } from './number-ranges.js';
import {
  factorError,
  boundError,
  multipleError,
  rangeError,
  type SchemaError,
} from './schema-errors.js';
import type { SchemaNode } from './schema.js';
import { type JsonNumber, float64Of, formatFloat, int64Of } from '../../text/go/index.js';

export type NumberRule = (value: JsonNumber, path: string, errors: SchemaError[]) => void;

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
  if (range !== undefined) rules.push(rangeRule(range));
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

function rangeRule({ holds, description }: NumberRange): NumberRule {
  return (value, path, errors) => {
    if (!holds(value)) errors.push(rangeError('Checked', description, path));
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
  const demand = `${wrongSide === 1 ? 'less' : 'greater'} than ${exclusive ? '' : 'or equal to '}`;
  const refuses = (sign: number): boolean => sign === wrongSide || (exclusive && sign === 0);
  return (number, path, errors) => {
    if (typeof number === 'number' && Number.isSafeInteger(number) && !Number.isNaN(bound.plain)) {
      if (refuses(Math.sign(number - bound.plain))) {
        errors.push(boundError(path, `${demand}${bound.plain}`, number));
      }
      return;
    }
    const integer = int64Of(number);
    if (integer === undefined) {
      if (refuses(Math.sign(float64Of(number) - bound.float))) {
        errors.push(boundError(path, demand + formatFloat(bound.float), number));
      }
    } else if (refuses(integer > bound.integer ? 1 : integer < bound.integer ? -1 : 0)) {
      errors.push(boundError(path, `${demand}${bound.integer}`, number));
    }
  };
}

function multipleRule(value: number): NumberRule {
  const factor = boundOf(value);
  return (number, path, errors) => {
    const integer = int64Of(number);
    if (integer !== undefined) {
      if (factor.integer <= 0n)
        errors.push(factorError(path, String(factor.integer), Number(factor.integer)));
      else if (integer % factor.integer !== 0n) {
        errors.push(multipleError(path, String(factor.integer), number));
      }
      return;
    }
    const float = number instanceof NumberText ? number.value : number;
    if (value <= 0) errors.push(factorError(path, formatFloat(value), value));
    else if (!isJsonInteger(value < 1 ? (1 / value) * float : float / value)) {
      errors.push(multipleError(path, formatFloat(value), number));
    }
  };
}

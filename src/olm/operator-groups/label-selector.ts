import { labelKeyProblems, labelValueProblems } from './label-syntax.js';
import { marshalTexts, quote } from '../../text/go/index.js';

export type Labels = ReadonlyMap<string, string>;

/** A `metav1.LabelSelector`; absent parts are empty. */
export interface LabelSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else is an error. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** Either a test of labels, or the text with which Kubernetes refuses the selector. */
export type CompiledSelector =
  | { readonly error: string }
  | { readonly error: null; readonly isEmpty: boolean; matches(labels: Labels): boolean };

/**
 * Compiles a selector as Kubernetes does: matchLabels first, then the expressions in order; the first
 * requirement that cannot be built decides the text. Source: apimachinery LabelSelectorAsSelector,
 * labels.NewRequirement.
 */
export function compileSelector(selector: LabelSelector): CompiledSelector {
  const requirements: ((labels: Labels) => boolean)[] = [];
  for (const [key, value] of selector.matchLabels) {
    const error = requirementError('Equals', key, [value]);
    if (error !== null) return { error };
    requirements.push((labels) => labels.get(key) === value);
  }
  for (const { key, operator, values } of selector.matchExpressions) {
    if (!isOperator(operator)) {
      return { error: `${quote(operator)} is not a valid label selector operator` };
    }
    const error = requirementError(operator, key, values);
    if (error !== null) return { error };
    requirements.push((labels) => matchesExpression(operator, labels.get(key), values));
  }
  return {
    error: null,
    isEmpty: requirements.length === 0,
    matches: (labels) => requirements.every((requirement) => requirement(labels)),
  };
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
type Operator = (typeof operators)[number];

function isOperator(operator: string): operator is Operator {
  return operators.some((known) => known === operator);
}

function matchesExpression(
  operator: Operator,
  value: string | undefined,
  values: readonly string[],
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

function requirementError(
  operator: Operator | 'Equals',
  key: string,
  values: readonly string[],
): string | null {
  const errors: string[] = [];
  const keyProblems = labelKeyProblems(key);
  if (keyProblems.length > 0) errors.push(invalid('key', quote(key), keyProblems));
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    errors.push(
      invalid('values', marshalTexts(values), [
        "for 'in', 'notin' operators, values set can't be empty",
      ]),
    );
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    errors.push(
      invalid('values', marshalTexts(values), [
        'values set must be empty for exists and does not exist',
      ]),
    );
  }
  values.forEach((value, index) => {
    const problems = labelValueProblems(value);
    if (problems.length > 0) {
      errors.push(invalid(`values[${index}][${key}]`, quote(value), problems));
    }
  });
  return aggregated(errors);
}

function invalid(field: string, shown: string, problems: readonly string[]): string {
  return `${field}: Invalid value: ${shown}: ${problems.join('; ')}`;
}

function aggregated(errors: readonly string[]): string | null {
  const [first, ...others] = [...new Set(errors)];
  if (first === undefined) return null;
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}

import { qualifiedNameProblems, labelValueProblems } from '../../text/formats/names.js';
import { marshalTexts, quote } from '../../text/go/index.js';

export type Labels = ReadonlyMap<string, string>;

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
 * The first requirement that fails decides the text. Source: apimachinery LabelSelectorAsSelector, NewRequirement.
 */
export function compileSelector(selector: LabelSelector): CompiledSelector {
  const { matchLabels } = selector;
  const asked = new Map<string, AskedOfKey>();
  for (const [key, value] of matchLabels) {
    if (qualifiedNameProblems(key).length + labelValueProblems(value).length === 0) continue;
    const error = requirementError('Equals', key, [value]);
    if (error !== null) return { error };
  }
  for (const { key, operator, values } of selector.matchExpressions) {
    if (!isOperator(operator)) {
      return { error: `${quote(operator)} is not a valid label selector operator` };
    }
    const error = requirementError(operator, key, values);
    if (error !== null) return { error };
    ask(asked, key, operator, values);
  }
  const present = [...asked].filter(([, { mustBe }]) => mustBe).map(([key]) => key);
  return {
    error: null,
    isEmpty: matchLabels.size + asked.size === 0,
    // By the labels and not by the requirements, of which a selector may have thousands.
    matches: (labels) =>
      Math.max(matchLabels.size, present.length) <= labels.size &&
      [...matchLabels].every(([key, value]) => labels.get(key) === value) &&
      present.every((key) => labels.has(key)) &&
      [...labels].every(([key, value]) => takes(asked.get(key), value)),
  };
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
type Operator = (typeof operators)[number];

function isOperator(operator: string): operator is Operator {
  return operators.some((known) => known === operator);
}

interface AskedOfKey {
  mustBe: boolean;
  mustNotBe: boolean;
  oneOf: ReadonlySet<string> | undefined;
  noneOf: Set<string> | undefined;
}

function ask(
  asked: Map<string, AskedOfKey>,
  key: string,
  operator: Operator,
  values: readonly string[],
): void {
  let all = asked.get(key);
  if (all === undefined) {
    all = { mustBe: false, mustNotBe: false, oneOf: undefined, noneOf: undefined };
    asked.set(key, all);
  }
  if (operator === 'NotIn') {
    all.noneOf ??= new Set();
    for (const value of values) all.noneOf.add(value);
  } else if (operator === 'DoesNotExist') all.mustNotBe = true;
  else all.mustBe = true;
  if (operator === 'In') {
    const { oneOf } = all;
    all.oneOf = new Set(oneOf === undefined ? values : values.filter((value) => oneOf.has(value)));
  }
}

function takes(asked: AskedOfKey | undefined, value: string): boolean {
  if (asked === undefined) return true;
  const { mustNotBe, oneOf, noneOf } = asked;
  return !mustNotBe && noneOf?.has(value) !== true && (oneOf?.has(value) ?? true);
}

/** Kubernetes tells every value that is wrong, in texts a hundred times as long. */
const toldProblems = 10;

function requirementError(
  operator: Operator | 'Equals',
  key: string,
  values: readonly string[],
): string | null {
  const errors: string[] = [];
  const keyProblems = qualifiedNameProblems(key);
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
  let wrong = 0;
  values.forEach((value, index) => {
    const problems = labelValueProblems(value);
    if (problems.length === 0 || ++wrong > toldProblems) return;
    errors.push(invalid(`values[${index}][${key}]`, quote(value), problems));
  });
  if (wrong > toldProblems) errors.push(`and ${wrong - toldProblems} more values`);
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

/**
 * CEL rules of `olm.constraint`.
 * Rule: `constraints/cel.go` of operator-framework/api. A rule must be of type bool; a rule that fails
 * while it runs is false.
 */
import {
  CelMistakes,
  compileBare,
  dynamicValue,
  listOf,
  NotEvaluable,
  ValueMap,
  type BareProgram,
} from '../cel/index.js';
import { InvalidInputError, type JsonValue } from '../text/documents/index.js';
import { CelError } from './cel-error.js';
import { constraintLanguage, propertiesVariable } from './cel-language.js';

/** What a rule sees of one property of a bundle. */
export interface CelProperty {
  readonly type: string;
  readonly value: JsonValue;
}

export interface CelRule {
  readonly text: string;
  /** @throws InvalidInputError `E_LIMIT` when the rule takes too many steps on so many properties */
  holds(properties: readonly CelProperty[]): boolean;
}

/** Steps that one evaluation may take. */
const stepBudget = 1_000_000;

/** @throws CelError; InvalidInputError `E_RESOLVE` for a rule that cannot be judged here */
export function compileCel(text: string): CelRule {
  const program = compile(text);
  if (program.type !== 'bool') throw new CelError('cel expressions must have type Bool');
  return {
    text,
    holds(properties) {
      const value = listOf(
        properties.map(
          (property) =>
            new ValueMap([
              ['type', property.type],
              ['value', dynamicValue(property.value)],
            ]),
        ),
      );
      try {
        // A run-time error is false, as in OLM.
        return program.evaluate(value, stepBudget) === true;
      } catch (error) {
        if (!(error instanceof NotEvaluable)) throw error;
        throw new InvalidInputError(
          'E_LIMIT',
          `the CEL rule ${shorten(text)} takes more than ${stepBudget} steps on a bundle with ${properties.length} properties; nest fewer comprehensions`,
        );
      }
    },
  };
}

function compile(text: string): BareProgram {
  try {
    return compileBare(text, propertiesVariable, constraintLanguage);
  } catch (error) {
    if (error instanceof CelMistakes) throw new CelError(error.message);
    if (!(error instanceof NotEvaluable)) throw error;
    throw new InvalidInputError(
      'E_RESOLVE',
      `the CEL rule ${shorten(text)} cannot be judged: ${error.message}; write it without message literals and optional entries`,
    );
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

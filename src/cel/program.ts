/** An expression from its text to what it gives. */
import { within, type Budget } from './budget.js';
import { check } from './checker.js';
import { NotEvaluable } from './errors.js';
import { Frame } from './frame.js';
import type { Language } from './language.js';
import { checkLiterals } from './literal-checks.js';
import { plan } from './plan.js';
import { showMistakes } from './syntax/mistakes.js';
import { parse } from './syntax/parser.js';
import type { Node } from './syntax/tree.js';
import type { CelType } from './types.js';
import type { CelValue } from './values.js';

/** All mistakes of an expression, in cel-go's words. */
export class CelMistakes extends Error {
  override readonly name = 'CelMistakes';
}

export interface CheckedExpression {
  /** Every node with its type, calls with their overloads. */
  readonly tree: Node;
  readonly type: CelType;
}

/** @throws CelMistakes; CompilerPanic; NotEvaluable for what this evaluator does not have */
export function checkExpression(
  text: string,
  variables: ReadonlyMap<string, CelType>,
  language: Language,
): CheckedExpression {
  const { tree, mistakes: ofParsing } = parse(text, language);
  if (tree === undefined) throw new CelMistakes(showMistakes(text, ofParsing));
  const ofTypes = check(tree, variables, language);
  const mistakes =
    ofTypes.length === 0 && language.checksLiterals === true
      ? checkLiterals(tree, language)
      : ofTypes;
  if (mistakes.length > 0) throw new CelMistakes(showMistakes(text, mistakes));
  return { tree, type: tree.type as CelType };
}

export interface Program {
  /** @throws EvaluationError, Panic; NotEvaluable past the budget */
  evaluate(variables: ReadonlyMap<string, () => CelValue>, budget: Budget): CelValue;
}

/** @throws NoProgram, NotEvaluable */
export function makeProgram({ tree }: CheckedExpression, language: Language): Program {
  const run = plan(tree, language);
  return {
    evaluate(variables, budget) {
      try {
        return within(budget, () => run(new Frame(variables)));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new NotEvaluable('the values are too large, or nest too deep');
      }
    },
  };
}

/** Expressions over one variable without a schema: CEL outside of definitions, in a language of its own. */
import { isObject, NumberText, type JsonValue } from '../text/documents/index.js';
import { compileNode } from './compile.js';
import { CompileError, EvaluationError } from './errors.js';
import { Frame } from './frame.js';
import { listOf } from './from-json.js';
import { ValueMap } from './maps.js';
import { Scope, type Language } from './scope.js';
import { parseRule, showMistake, type SyntaxNode } from './syntax.js';
import { syntaxMistakes } from './syntax-mistakes.js';
import type { CelType } from './types.js';
import type { CelValue } from './values.js';

export interface BareProgram {
  /** The name of its type, as `bool`; `dyn` where only the value tells. */
  readonly type: string;
  /**
   * Undefined where the value is an error.
   *
   * @throws NotEvaluable past so many steps
   */
  evaluate(variable: CelValue, steps: number): CelValue | undefined;
}

/** All mistakes of an expression, in cel-go's words. */
export class CelMistakes extends Error {
  override readonly name = 'CelMistakes';
}

/** @throws CelMistakes; NotEvaluable for what this evaluator does not have */
export function compileBare(
  text: string,
  variable: { readonly name: string; readonly type: CelType },
  language: Language,
): BareProgram {
  const scope = Scope.ofVariable(variable.name, variable.type, language);
  try {
    const expression = compileNode(parse(text), scope);
    const mistakes = scope.mistakes ?? [];
    if (mistakes.length > 0) throw new CelMistakes(showAll(text, mistakes));
    return {
      type: expression.type.name,
      evaluate(value, steps) {
        const given = (): CelValue => value;
        try {
          return expression.run(new Frame(given, given, { steps }));
        } catch (error) {
          if (error instanceof EvaluationError) return undefined;
          throw error;
        }
      },
    };
  } catch (error) {
    if (error instanceof CompileError) throw new CelMistakes(showAll(text, [error]));
    throw error;
  }
}

function parse(text: string): SyntaxNode {
  try {
    const tree = parseRule(text);
    // The library takes a comma after the last argument.
    const mistakes = /,\s*\)/.test(text) ? syntaxMistakes(text) : [];
    if (mistakes.length > 0) throw new CelMistakes(showAll(text, mistakes));
    return tree;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const mistakes = syntaxMistakes(text);
    throw new CelMistakes(showAll(text, mistakes.length > 0 ? mistakes : [error]));
  }
}

function showAll(text: string, mistakes: readonly CompileError[]): string {
  // cel-go has no line to show, and counts from the place before it.
  if (text === '') return mistakes.map(({ message }) => `ERROR: <input>:1:0: ${message}`).join('');
  const ofParsing = mistakes.filter(({ phase }) => phase === 'parsing');
  return (ofParsing.length > 0 ? ofParsing : mistakes)
    .toSorted((a, b) => a.position - b.position)
    .map((mistake) => showMistake(text, mistake))
    .join('\n');
}

/** JSON as Go's decoder hands it to cel-go: every number is a double. */
export function dynamicValue(value: JsonValue): CelValue {
  if (value instanceof NumberText) return value.value;
  if (Array.isArray(value)) return listOf(value.map(dynamicValue));
  if (!isObject(value)) return value;
  return new ValueMap(Object.entries(value).map(([key, item]) => [key, dynamicValue(item)]));
}

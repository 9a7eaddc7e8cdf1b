/** Arguments that are literals, which the API server checks before it runs a rule. */
import { parseTimestamp } from '../text/formats/time.js';
import { parseDuration } from '../text/go/index.js';
import { compilePattern } from '../text/go/regexp.js';
import { CompileError, EvaluationError, noSuchOverload } from './errors.js';
import type { Expression } from './expression.js';
import { Frame } from './frame.js';
import type { Implementation } from './signature.js';
import type { SyntaxNode } from './syntax.js';

/** Literals that can never be converted are mistakes of the rule. */
export function checkLiteral(name: string, argument: SyntaxNode | string | undefined): void {
  if (typeof argument !== 'object' || argument.op !== 'value' || typeof argument.args !== 'string')
    return;
  const text = argument.args;
  const valid =
    name === 'matches'
      ? typeof compilePattern(text) !== 'string'
      : name === 'duration'
        ? 'nanoseconds' in parseDuration(text)
        : name !== 'timestamp' || parseTimestamp(text) !== undefined;
  if (!valid) throw new CompileError(`invalid ${name} argument`, argument.pos);
}

const conversions = new Set(['int', 'uint', 'double', 'bool', 'string', 'bytes']);

/** Conversions of literals are made while the program is; one that fails leaves no program. */
export function checkConversion(
  name: string,
  operand: SyntaxNode | string | undefined,
  args: readonly Expression[],
  run: Implementation,
): void {
  if (!conversions.has(name) || typeof operand !== 'object' || !isConstant(operand)) return;
  const frame = new Frame(notThere, notThere, { steps: Infinity });
  try {
    run(
      args.map((arg) => arg.run(frame)),
      frame,
    );
  } catch (error) {
    if (error instanceof EvaluationError) throw new CompileError(error.message, -1);
    throw error;
  }
}

function isConstant({ op, args }: SyntaxNode): boolean {
  if (op !== '-_') return op === 'value';
  const { op: inner, args: value } = args as SyntaxNode;
  return inner === 'value' && (typeof value === 'bigint' || typeof value === 'number');
}

function notThere(): never {
  throw noSuchOverload();
}

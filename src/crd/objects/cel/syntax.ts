/** From a rule's text to its syntax tree, by the CEL library. */
import { Environment } from '@marcbachmann/cel-js';
import { CompileError, NotEvaluable } from './errors.js';

/** A node as the library gives it: the operator decides what `args` are. */
export interface SyntaxNode {
  readonly op: string;
  readonly args: unknown;
  /** Where the operator or the literal stands in the text. */
  readonly pos: number;
}

// Parsing only: names and types are resolved by the compiler.
const environment = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 20_000, maxDepth: 250, maxListElements: 5_000, maxMapEntries: 5_000 },
});

// Syntax of CEL that the library does not read: optional entries of literals, and messages.
const unread = /[[{,]\s*\?|[A-Za-z_]\s*\{|`/;

/**
 * @throws CompileError for text that is no CEL
 * @throws NotEvaluable for CEL that the library does not read
 */
export function parseRule(text: string): SyntaxNode {
  try {
    return environment.parse(text).ast;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    if (unread.test(text) || /exceeded|limit/i.test(reason)) {
      throw new NotEvaluable(`the expression cannot be read: ${reason}`);
    }
    throw new CompileError(`Syntax error: ${reason}`, 0);
  }
}

/** How cel-go shows a mistake: line and column, the line, and a mark beneath. */
export function showMistake(text: string, error: CompileError): string {
  const before = text.slice(0, error.position);
  const line = before.split('\n').length;
  const column = error.position - (before.lastIndexOf('\n') + 1);
  const source = text.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${error.message}\n | ${source}\n | ${'.'.repeat(column)}^`;
}

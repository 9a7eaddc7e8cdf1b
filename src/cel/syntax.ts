/** From a rule's text to its syntax tree, by the CEL library. */
import { Environment } from '@marcbachmann/cel-js';
import { CompileError, NotEvaluable } from './errors.js';

/** A node as the library gives it: the operator decides what `args` are. */
export interface SyntaxNode {
  readonly op: string;
  readonly args: unknown;
  /** Where the operator or the literal stands in the text. */
  readonly pos: number;
  readonly start: number;
  readonly end: number;
  /** The whole text. */
  readonly input: string;
}

/** Where cel-go says that an operator or a call is: at its sign, or at its opening parenthesis. */
export function signPosition(node: SyntaxNode): number {
  const [first, second] = Array.isArray(node.args) ? (node.args as unknown[]) : [];
  const from = (operand: unknown): number => (operand as SyntaxNode).end;
  switch (node.op) {
    case 'call':
      return positionOf(node, '(', node.start);
    case 'rcall':
      return positionOf(node, '(', from(second));
    case '[]':
    case '[?]':
      return positionOf(node, '[', from(first));
    case '?:':
      return positionOf(node, '?', from(first));
    case '!_':
    case '-_':
      return node.start;
    default:
      return positionOf(node, node.op, from(first));
  }
}

/** Where cel-go says that an expression is. */
export function placeOf(node: SyntaxNode): number {
  switch (node.op) {
    case 'id':
    case 'value':
    case 'list':
    case 'map':
      return node.start;
    case '.':
      return node.pos - 1;
    default:
      return signPosition(node);
  }
}

function positionOf(node: SyntaxNode, sign: string, from: number): number {
  const position = node.input.indexOf(sign, from);
  return position < 0 ? node.pos : position;
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
export function showMistake(text: string, { message, position }: CompileError): string {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  const line = text.slice(0, lineStart).split('\n').length;
  const before = [...text.slice(lineStart, position)];
  const [source = ''] = text.slice(lineStart).split('\n', 1);
  const shown = source.replaceAll('\t', ' ');
  const dots = before.map((character) => ((character.codePointAt(0) ?? 0) > 0x7f ? '．' : '.'));
  return `ERROR: <input>:${line}:${before.length + 1}: ${message}\n | ${shown}\n | ${dots.join('')}^`;
}

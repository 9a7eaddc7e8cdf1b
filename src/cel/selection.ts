/** Selecting fields: of objects and maps, and of optional values; dotted names of types. */
import { compileNode } from './compile.js';
import { escapeName } from './escaping.js';
import { CompileError, EvaluationError } from './errors.js';
import type { Expression } from './expression.js';
import { CelMap } from './maps.js';
import type { Scope } from './scope.js';
import type { SyntaxNode } from './syntax.js';
import { optionalOf, runtimeNames, type, types, typeText, type CelType } from './types.js';
import { noValue, Optional, TypeValue } from './values.js';

const typeNames = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'dyn',
  'optional_type',
];

/** The value of a type's name. */
export function typeByName(name: string): Expression | undefined {
  const known =
    typeNames.includes(name) ||
    Object.values(runtimeNames).includes(name) ||
    /^(kubernetes|net)\.[A-Z]\w+$/.test(name);
  if (!known) return undefined;
  const value = new TypeValue(name);
  return { type: type('type', type(name)), run: () => value };
}

/** The dotted name that a chain of selections spells, if it starts at a name that is no variable. */
export function dottedName(node: SyntaxNode, scope: Scope): string | undefined {
  if (node.op === 'id') {
    return scope.find(node.args as string) === undefined ? (node.args as string) : undefined;
  }
  if (node.op !== '.') return undefined;
  const [operand, field] = node.args as [SyntaxNode, string];
  const prefix = dottedName(operand, scope);
  return prefix === undefined ? undefined : `${prefix}.${field}`;
}

export function select(node: SyntaxNode, scope: Scope): Expression {
  const name = dottedName(node, scope);
  const named = name === undefined ? undefined : typeByName(name);
  if (named !== undefined) return named;
  const [operandNode, field] = node.args as [SyntaxNode, string];
  const operand = compileNode(operandNode, scope);
  const content =
    operand.type.name === 'optional_type' ? (operand.type.parameters[0] ?? types.dyn) : undefined;
  if (content !== undefined) {
    return {
      type: optionalOf(fieldType(content, field, dotPosition(node, field))),
      run: optionalField(operand, field),
    };
  }
  const result = fieldType(operand.type, field, dotPosition(node, field));
  return {
    type: result,
    run: (frame) => {
      const value = operand.run(frame);
      if (value instanceof Optional) return optionalFieldOf(value, field);
      const found = value instanceof CelMap ? value.find(field) : undefined;
      if (found === undefined) throw new EvaluationError(`no such key: ${field}`);
      return found;
    },
  };
}

/** cel-go names the place of a selection by its dot. */
function dotPosition(node: SyntaxNode, _field: string): number {
  return node.pos - 1;
}

/** @throws CompileError for a field that the type does not have */
export function fieldType(of: CelType, field: string, position: number): CelType {
  if (of.name === 'dyn') return types.dyn;
  if (of.name === 'map') return of.parameters[1] ?? types.dyn;
  if (of.fields !== undefined) {
    const found = of.fields.get(field) ?? of.fields.get(escapeName(field) ?? field);
    if (found === undefined) throw new CompileError(`undefined field '${field}'`, position);
    return found;
  }
  throw new CompileError(`type '${typeText(of)}' does not support field selection`, position);
}

export function optionalSelect(node: SyntaxNode, scope: Scope): Expression {
  const [operandNode, field] = node.args as [SyntaxNode, string];
  const operand = compileNode(operandNode, scope);
  const content =
    operand.type.name === 'optional_type'
      ? (operand.type.parameters[0] ?? types.dyn)
      : operand.type;
  return {
    type: optionalOf(fieldType(content, field, node.pos - 2)),
    run: optionalField(operand, field),
  };
}

function optionalField(operand: Expression, field: string): Expression['run'] {
  return (frame) => {
    const value = operand.run(frame);
    return optionalFieldOf(value instanceof Optional ? value : new Optional(value), field);
  };
}

function optionalFieldOf(value: Optional, field: string): Optional {
  if (value.value === undefined) return noValue;
  // What has no fields has not this one.
  return value.value instanceof CelMap ? new Optional(value.value.find(field)) : noValue;
}

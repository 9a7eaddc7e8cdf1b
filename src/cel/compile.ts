/**
 * Compiles the syntax tree of a rule into closures and checks its types on the way, as cel-go's
 * checker does: unknown fields, names and overloads are mistakes before anything is evaluated.
 */
import { checkConversion, checkLiteral } from './constant-arguments.js';
import { CompileError, EvaluationError, NotEvaluable, noSuchOverload } from './errors.js';
import type { Expression } from './expression.js';
import { connective, conditional } from './logic.js';
import { compileList, compileMap, literal } from './literals.js';
import { compileMacro } from './macros.js';
import type { Scope } from './scope.js';
import { dottedName, optionalSelect, select, typeByName } from './selection.js';
import { placeOf, signPosition, type SyntaxNode } from './syntax.js';
import { fits, types, typeText, type CelType } from './types.js';
import { noValue, Optional, type CelValue } from './values.js';

const binary = new Map([
  ['+', '_+_'],
  ['-', '_-_'],
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['in', '@in'],
  ['[]', '_[_]'],
  ['[?]', '_[?_]'],
]);

/** @throws CompileError, unless the scope collects mistakes; NotEvaluable */
export function compileNode(node: SyntaxNode, scope: Scope): Expression {
  if (scope.mistakes === undefined) return compileSound(node, scope);
  try {
    return compileSound(node, scope);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    scope.mistakes.push(error);
    return { type: types.mistaken, run: unreachable };
  }
}

/** What has mistakes is never run. */
function unreachable(): never {
  throw noSuchOverload();
}

function compileSound(node: SyntaxNode, scope: Scope): Expression {
  const operator = binary.get(node.op);
  if (operator !== undefined) {
    const [left, right] = node.args as [SyntaxNode, SyntaxNode];
    return compileBinary(
      operator,
      node,
      compileNode(left, scope),
      compileNode(right, scope),
      scope,
    );
  }
  switch (node.op) {
    case 'value':
      return literal(node.args, node.pos);
    case 'id':
      return identifier(node, scope);
    case '.':
      return select(node, scope);
    case '.?':
      return optionalSelect(node, scope);
    case '&&':
    case '||':
      return compileConnective(node, scope);
    case '?:':
      return compileConditional(node, scope);
    case '!_':
    case '-_':
      return compileUnary(node, scope);
    case 'list':
      return compileList(node.args as SyntaxNode[], scope);
    case 'map':
      return compileMap(node.args as [SyntaxNode, SyntaxNode][], scope);
    case 'call': {
      const [name, args] = node.args as [string, SyntaxNode[]];
      return (
        compileMacro(node, name, undefined, args, scope) ??
        call(
          name,
          false,
          node,
          args.map((arg) => compileNode(arg, scope)),
          scope,
        )
      );
    }
    case 'rcall': {
      const [name, receiver, args] = node.args as [string, SyntaxNode, SyntaxNode[]];
      return member(node, name, receiver, args, scope);
    }
    default:
      throw new NotEvaluable(`the operator ${node.op} is not evaluated`);
  }
}

function identifier(node: SyntaxNode, scope: Scope): Expression {
  const name = node.args as string;
  const variable = scope.find(name);
  if (variable === undefined) {
    const named = typeByName(name);
    if (named === undefined) {
      throw new CompileError(`undeclared reference to '${name}' (in container '')`, node.pos);
    }
    return named;
  }
  const { source } = variable;
  if (source === 'self') return { type: variable.type, run: (frame) => frame.self() };
  if (source === 'oldSelf') return { type: variable.type, run: (frame) => frame.oldSelf() };
  return {
    type: variable.type,
    run: (frame) => {
      const value = frame.locals[source];
      if (value instanceof EvaluationError) throw value;
      return value as CelValue;
    },
  };
}

function compileBinary(
  name: string,
  node: SyntaxNode,
  left: Expression,
  right: Expression,
  scope: Scope,
): Expression {
  const isOptional = left.type.name === 'optional_type' && (name === '_[_]' || name === '_[?_]');
  if (isOptional) return optionalIndex(node, left, right, scope);
  const { result, run } = scope.language.functions.resolve(
    name,
    false,
    [left.type, right.type],
    signPosition(node),
  );
  return {
    type: result,
    run: (frame) => {
      frame.spend(1);
      return run([left.run(frame), right.run(frame)], frame);
    },
  };
}

/** Indexing an optional value gives an optional value. */
function optionalIndex(
  node: SyntaxNode,
  left: Expression,
  right: Expression,
  scope: Scope,
): Expression {
  const content = left.type.parameters[0] ?? types.dyn;
  const { result, run } = scope.language.functions.resolve(
    '_[?_]',
    false,
    [content, right.type],
    signPosition(node),
  );
  return {
    type: result,
    run: (frame) => {
      const { value } = left.run(frame) as Optional;
      return value === undefined ? noValue : run([value, right.run(frame)], frame);
    },
  };
}

function compileConnective(node: SyntaxNode, scope: Scope): Expression {
  const [left, right] = (node.args as SyntaxNode[]).map((arg) => compileNode(arg, scope)) as [
    Expression,
    Expression,
  ];
  if (scope.language.namesOperands === true) nameOperands(node, [left, right], scope);
  else mustBeBool(node, left, right);
  return { type: types.bool, run: connective(left.run, right.run, node.op === '||') };
}

function mustBeBool(node: SyntaxNode, left: Expression, right: Expression): void {
  const bad = [left, right].some(({ type: { name } }) => name !== 'bool' && name !== 'dyn');
  if (!bad) return;
  const applied = `(${typeText(left.type)}, ${typeText(right.type)})`;
  throw new CompileError(
    `found no matching overload for '_${node.op}_' applied to '${applied}'`,
    node.pos,
  );
}

/** A mistake for each operand that is no bool. */
function nameOperands(node: SyntaxNode, operands: readonly Expression[], scope: Scope): void {
  for (const [index, { type }] of operands.entries()) {
    if (type.name === 'bool' || type.name === 'dyn') continue;
    const text = `expected type 'bool' but found '${typeText(type)}'`;
    const mistake = new CompileError(text, placeOf((node.args as SyntaxNode[])[index] ?? node));
    if (scope.mistakes === undefined) throw mistake;
    scope.mistakes.push(mistake);
  }
}

function compileConditional(node: SyntaxNode, scope: Scope): Expression {
  const [condition, yes, no] = (node.args as SyntaxNode[]).map((arg) =>
    compileNode(arg, scope),
  ) as [Expression, Expression, Expression];
  if (condition.type.name !== 'bool' && condition.type.name !== 'dyn') {
    const applied = [condition, yes, no].map((part) => typeText(part.type)).join(', ');
    throw new CompileError(
      `found no matching overload for '_?_:_' applied to '(${applied})'`,
      signPosition(node),
    );
  }
  return {
    type: joined(node, condition, yes, no),
    run: conditional(condition.run, yes.run, no.run),
  };
}

/** The type of either branch; dyn in one of them makes the other one's type. */
function joined(node: SyntaxNode, condition: Expression, yes: Expression, no: Expression): CelType {
  if (yes.type.name === 'dyn') return yes.type;
  if (!fits(yes.type, no.type, new Map())) {
    const applied = [condition, yes, no].map((part) => typeText(part.type)).join(', ');
    throw new CompileError(
      `found no matching overload for '_?_:_' applied to '(${applied})'`,
      signPosition(node),
    );
  }
  return no.type.name === 'dyn' ? no.type : yes.type;
}

function compileUnary(node: SyntaxNode, scope: Scope): Expression {
  const operandNode = node.args as SyntaxNode;
  if (node.op === '-_' && operandNode.op === 'value' && typeof operandNode.args === 'bigint') {
    const value = -operandNode.args;
    return literal(value, signPosition(node));
  }
  const operand = compileNode(operandNode, scope);
  const { result, run } = scope.language.functions.resolve(
    node.op,
    false,
    [operand.type],
    signPosition(node),
  );
  return { type: result, run: (frame) => run([operand.run(frame)], frame) };
}

function member(
  node: SyntaxNode,
  name: string,
  receiver: SyntaxNode,
  args: readonly SyntaxNode[],
  scope: Scope,
): Expression {
  const macro = compileMacro(node, name, receiver, args, scope);
  if (macro !== undefined) return macro;
  const namespace = dottedName(receiver, scope);
  if (namespace !== undefined && scope.language.functions.has(`${namespace}.${name}`, false)) {
    return call(
      `${namespace}.${name}`,
      false,
      node,
      args.map((arg) => compileNode(arg, scope)),
      scope,
    );
  }
  const inner = name === 'format' ? scope.mixing() : scope;
  const compiled = [receiver, ...args].map((arg) => compileNode(arg, inner));
  return lazyAlternative(name, node, compiled, scope) ?? call(name, true, node, compiled, scope);
}

/** `or` and `orValue` evaluate their argument only when it is needed. */
function lazyAlternative(
  name: string,
  node: SyntaxNode,
  parts: readonly Expression[],
  { language }: Scope,
): Expression | undefined {
  const [value, alternative] = parts;
  if (!language.functions.hasName(name)) return undefined;
  if ((name !== 'or' && name !== 'orValue') || value === undefined || alternative === undefined)
    return undefined;
  const { result } = language.functions.resolve(
    name,
    true,
    parts.map((part) => part.type),
    node.pos,
  );
  return {
    type: result,
    run: (frame) => {
      const optional = value.run(frame);
      if (!(optional instanceof Optional)) {
        if (name === 'orValue') return optional;
        throw noSuchOverload();
      }
      if (!optional.isPresent) return alternative.run(frame);
      return name === 'or' ? optional : (optional.value as CelValue);
    },
  };
}

function call(
  name: string,
  isMember: boolean,
  node: SyntaxNode,
  args: readonly Expression[],
  { language }: Scope,
): Expression {
  if (!language.functions.hasName(name)) {
    throw new CompileError(
      `undeclared reference to '${name}' (in container '')`,
      signPosition(node),
    );
  }
  const { result, run } = language.functions.resolve(
    name,
    isMember,
    args.map((arg) => arg.type),
    signPosition(node),
  );
  const operands = (node.args as [string, ...(SyntaxNode | SyntaxNode[])[]]).flat();
  if (language.checksLiterals === true) {
    checkLiteral(name, operands.at(-1));
    if (args.length === 1) checkConversion(name, operands[1], args, run);
  }
  return {
    type: result,
    run: (frame) => {
      frame.spend(1);
      return run(
        args.map((arg) => arg.run(frame)),
        frame,
      );
    },
  };
}

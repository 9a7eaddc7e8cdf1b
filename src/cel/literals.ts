/** Literals: scalars, lists and maps. */
import { compileNode } from './compile.js';
import { CompileError } from './errors.js';
import type { Expression } from './expression.js';
import { listOf } from './from-json.js';
import { ValueMap } from './maps.js';
import type { Scope } from './scope.js';
import type { SyntaxNode } from './syntax.js';
import {
  fits,
  listOfType,
  mapOfType,
  type,
  typeNameOf,
  types,
  typeText,
  type CelType,
} from './types.js';
import { maxInt, maxUint, Uint, type CelValue } from './values.js';

export function literal(value: unknown, position: number): Expression {
  const converted = literalValue(value);
  if (typeof converted === 'bigint' && converted > maxInt) {
    throw new CompileError('Syntax error: invalid int literal', position);
  }
  return { type: type(typeNameOf(converted)), run: () => converted };
}

/** The library has a class of its own for unsigned numbers. */
function literalValue(value: unknown): CelValue {
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    const number = BigInt((value as { valueOf(): bigint | number }).valueOf());
    if (number > maxUint) throw new CompileError('Syntax error: invalid uint literal', 0);
    return new Uint(number);
  }
  return value as CelValue;
}

export function compileList(nodes: readonly SyntaxNode[], scope: Scope): Expression {
  const items = nodes.map((node) => compileNode(node, scope));
  return {
    type: listOfType(commonIn(scope, items, nodes)),
    run: (frame) => {
      frame.spend(items.length);
      return listOf(items.map((item) => item.run(frame)));
    },
  };
}

export function compileMap(
  nodes: readonly (readonly [SyntaxNode, SyntaxNode])[],
  scope: Scope,
): Expression {
  const entries = nodes.map(
    ([key, value]) => [compileNode(key, scope), compileNode(value, scope)] as const,
  );
  const typeOf = (place: 0 | 1): CelType =>
    commonIn(
      scope,
      entries.map((entry) => entry[place]),
      nodes.map((entry) => entry[place]),
    );
  return {
    type: mapOfType(typeOf(0), typeOf(1)),
    run: (frame) => {
      frame.spend(entries.length);
      return new ValueMap(
        entries.map(([key, value]) => [key.run(frame), value.run(frame)] as const),
      );
    },
  };
}

function commonIn(
  { mixesTypes, language }: Scope,
  items: readonly Expression[],
  nodes: readonly SyntaxNode[],
): CelType {
  if (mixesTypes) return types.dyn;
  if (language.joinsTypes !== true) return common(items, nodes);
  const [first] = items;
  if (first === undefined) return types.dyn;
  const same = items.every((item) => typeText(item.type) === typeText(first.type));
  return same ? first.type : types.dyn;
}

/** Literals must be of one type; an empty one fits any. */
function common(items: readonly Expression[], nodes: readonly SyntaxNode[]): CelType {
  const [first] = items;
  if (first === undefined) return type('A');
  for (const [index, item] of items.entries()) {
    if (!fits(first.type, item.type, new Map())) {
      throw new CompileError(
        `expected type '${typeText(first.type)}' but found '${typeText(item.type)}'`,
        nodes[index]?.pos ?? 0,
      );
    }
  }
  return items.find((item) => item.type.name === 'dyn')?.type ?? first.type;
}

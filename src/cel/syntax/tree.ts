/**
 * The tree of an expression, with macros expanded: quantifiers and transformations are folds, as in
 * cel-go. The checker writes types and overloads into it.
 */
import type { CelType } from '../types.js';
import type { Overload } from '../overloads.js';
import type { CelValue } from '../values.js';

export type Node =
  Literal | Identifier | Select | Call | ListLiteral | MapLiteral | StructLiteral | Fold | Broken;

interface Place {
  /** Where cel-go says that it is, in UTF-16 units; negative for what has no place. */
  readonly position: number;
  /** The type that the checker found; undefined before. */
  type?: CelType;
  /** The node that it is a copy of, where older cel-go versions have one node for both. */
  readonly copyOf?: Node;
}

interface Literal extends Place {
  readonly kind: 'literal';
  readonly value: CelValue;
}

export interface Identifier extends Place {
  readonly kind: 'identifier';
  readonly name: string;
}

export interface Select extends Place {
  readonly kind: 'select';
  readonly operand: Node;
  readonly field: string;
  readonly isTest: boolean;
  /** The name of a type, where the checker found the whole selection to be one. */
  qualified?: string;
}

export interface Call extends Place {
  readonly kind: 'call';
  /** An operator as `_+_`; the checker completes names such as `isCanonical` to `ip.isCanonical`. */
  name: string;
  target?: Node | undefined;
  readonly args: readonly Node[];
  /** The overloads that the checker found to fit; one, unless types are known only at run time. */
  overloads?: readonly Overload[];
}

export interface ListLiteral extends Place {
  readonly kind: 'list';
  readonly items: readonly Node[];
  /** Indexes of entries such as `?x`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Node;
  readonly value: Node;
  readonly isOptional: boolean;
}

export interface MapLiteral extends Place {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface StructLiteral extends Place {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: Node }[];
}

/** A comprehension: `range.all(variable, …)`. */
export interface Fold extends Place {
  readonly kind: 'fold';
  readonly range: Node;
  readonly variable: string;
  /** Set for a comprehension over both keys and values. */
  readonly secondVariable?: string | undefined;
  readonly accumulator: string;
  readonly initial: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

/** Invalid text that the parser found in place of an expression. */
interface Broken extends Place {
  readonly kind: 'broken';
}

/** The nodes directly below, in the order in which cel-go visits them. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'fold':
      return [node.range, node.initial, node.condition, node.step, node.result];
    default:
      return [];
  }
}

/** The dotted name that a chain of selections is written as, or undefined. */
export function dottedName(node: Node): string | undefined {
  if (node.kind === 'identifier') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const operand = dottedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}

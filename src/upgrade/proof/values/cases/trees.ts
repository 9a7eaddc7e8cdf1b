/** Expressions as the checker gives them: which never fail, which quantify over a list, which ask the same. */
import {
  type CelType,
  type CelValue,
  childrenOf,
  type Node,
  types,
  Uint,
} from '../../../../cel/index.js';
import { compilePattern } from '../../../../text/go/regexp.js';
import { largest } from '../../../../text/long-lists.js';
import { literalOf } from '../scalars.js';
import type { Value, Scope } from './case.js';

/** Followed operand by operand. */
export const logic = new Set(['_&&_', '_||_', '!_', '_?_:_', '_==_', '_!=_']);

/** De Morgan: the operation that holds where the named one is known to be false. */
export const turnedLogic: ReadonlyMap<string, string> = new Map([
  ['!_', '!_'],
  ['_||_', '_&&_'],
  ['_&&_', '_||_'],
  ['_?_:_', '_?_:_'],
]);

export const comparisons = new Set(['_==_', '_<_', '_<=_', '_>_', '_>=_']);

/** Orders of values that have no operators. */
export const orders: ReadonlyMap<string, string> = new Map([
  ...[...comparisons].map((name): [string, string] => [name, name]),
  ['isGreaterThan', '_>_'],
  ['isLessThan', '_<_'],
]);

/** Functions that fail for no value of the types that the checker lets them have. */
const total = new Set(
  'size startsWith endsWith contains lowerAscii upperAscii trim _<_ _<=_ _>_ _>=_'.split(' '),
);

/** Functions of values that are read already, and that say whether a text is one; they are not followed. */
const alsoTotal = new Set(
  'isQuantity isSemver isIP isCIDR isURL isGreaterThan isLessThan compareTo sign'.split(' '),
);

/** Functions that may yield a value though an operand fails: an operand's failure is not surely theirs. */
export const lazy = new Set(['@not_strictly_false', 'or', 'orValue', '_?._', '_[?_]']);

/** Types whose values are read and compared without a failure. */
const plain: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'null',
] as const);

export function isPlainType(type: CelType | undefined): boolean {
  return type !== undefined && plain.has(type.kind);
}

/** A value without a type of its own may have one that a function does not take. */
function isTyped({ type }: Node): boolean {
  return type !== undefined && !['dyn', 'any', 'error', 'parameter'].includes(type.kind);
}

/** Whether a function fails for none of its arguments, if these do not fail. */
export function isTotal(
  name: string,
  operands: readonly Node[],
  container: Value | undefined,
): boolean {
  if (!operands.every(isTyped)) return false;
  const [first, second] = operands;
  // A pattern that comes from data may be no regular expression.
  if (name === 'find')
    return (
      second?.kind === 'literal' &&
      typeof second.value === 'string' &&
      typeof compilePattern(second.value) !== 'string'
    );
  // Each entry is read and compared; those that the rule writes out are known not to fail.
  if (name === '@in')
    return (
      isPlainType(first?.type) &&
      (container?.items !== undefined || isPlainType(second?.type?.parameters.at(-1)))
    );
  return total.has(name) || alsoTotal.has(name);
}

const plainText = /^[ -~]*$/;

/** Whether patterns may be made of it as it is. */
export function isPlainText(text: unknown): text is string {
  return typeof text === 'string' && plainText.test(text);
}

export const textTests: ReadonlyMap<string, (text: string) => string> = new Map([
  ['startsWith', (text) => `^${literalOf(text)}`],
  ['endsWith', (text) => `${literalOf(text)}$`],
  ['contains', literalOf],
  ['matches', (pattern) => pattern],
  ['_==_', (text) => `^${literalOf(text)}$`],
]);

/**
 * Where `find` with `^[…]+` finds a text on which a test comes to true: the pattern of the whole text;
 * false where there is none. Undefined for tests and patterns of other kinds.
 */
export function startIn(pattern: string, name: string, text: string): string | false | undefined {
  const [, set = ''] = /^\^\(?(\[\^?[\w./:@,-]+\])[+*]\)?$/.exec(pattern) ?? [];
  const test = startTests.get(name);
  if (set === '' || test === undefined) return undefined;
  const all = compilePattern(`^${set}*$`);
  const end = `(?:${set.startsWith('[^') ? `[${set.slice(2)}` : `[^${set.slice(1)}`}|$)`;
  return typeof all !== 'string' && all.test(text) && test(set, literalOf(text), end);
}

const startTests: ReadonlyMap<string, (set: string, text: string, end: string) => string> = new Map(
  [
    ['startsWith', (_, text) => `^${text}`],
    ['endsWith', (set, text, end) => `^${set}*${text}${end}`],
    ['contains', (set, text) => `^${set}*${text}`],
    ['_==_', (_, text, end) => `^${text}${end}`],
  ],
);

/** The function that says whether another one fails, as it is asked with the same operands. */
const readBy: ReadonlyMap<string, string> = new Map([
  ['quantity', 'isQuantity'],
  ['semver', 'isSemver'],
  ['ip', 'isIP'],
  ['cidr', 'isCIDR'],
  ['url', 'isURL'],
]);

/** @param key the call with its places written out */
export function isReadBy(node: Node, key: string): string | undefined {
  const name = node.kind === 'call' ? readBy.get(node.name) : undefined;
  return name && `? ${name}${key.slice(key.indexOf('('))}`;
}

export function operandsOf({
  target,
  args,
}: (Node & { kind: 'call' }) | (Node & { target?: never; args?: never })): readonly Node[] {
  return target === undefined ? (args ?? []) : [target, ...args];
}

const quantifiers = new WeakMap<Node, (Node & { kind: 'fold' }) | null>();

/** A quantifier over what `filter` or `map` makes of a list, as one over that list. */
export function overSource(node: Node & { kind: 'fold' }): (Node & { kind: 'fold' }) | null {
  const known = quantifiers.get(node);
  if (known !== undefined) return known;
  const made = makeOverSource(node);
  quantifiers.set(node, made);
  return made;
}

function makeOverSource(node: Node & { kind: 'fold' }): (Node & { kind: 'fold' }) | null {
  const { range, step } = node;
  const { isAll } = quantifiedOf(node) ?? {};
  if (isAll === undefined || range.kind !== 'fold' || range.step.kind !== 'call') return null;
  const { secondVariable, initial, step: adding } = range;
  if (secondVariable !== undefined || initial.kind !== 'list' || step.kind !== 'call') return null;
  const [condition, then] = adding.name === '_?_:_' ? adding.args : [undefined, adding];
  const entry = then?.kind === 'call' && then.name === '_+_' ? then.args[1] : undefined;
  if (entry?.kind !== 'list') return null;
  // A value that is made of an item may fail, and then all does.
  const each: Node = { ...node, range: entry };
  const { position, type } = node;
  const otherwise: Node = { kind: 'literal', value: isAll, position, type };
  const body: Node =
    condition === undefined
      ? each
      : { kind: 'call', name: '_?_:_', args: [condition, each, otherwise], position, type };
  const args = [step.args[0] as Node, body];
  return { ...node, range: range.range, variable: range.variable, step: { ...step, args } };
}

const existence = new WeakMap<Node, Node & { kind: 'fold' }>();

/** `list.exists(x, p)` for `list.filter(x, p)`. */
export function existsOfFilter(node: Node | undefined): (Node & { kind: 'fold' }) | undefined {
  if (node?.kind !== 'fold' || node.secondVariable !== undefined) return undefined;
  const { initial, step, result, position } = node;
  if (initial.kind !== 'list' || step.kind !== 'call' || step.name !== '_?_:_') return undefined;
  const [predicate, adding] = step.args;
  const [, entry] = adding?.kind === 'call' ? adding.args : [];
  const [item] = entry?.kind === 'list' ? entry.items : [];
  if (item?.kind !== 'identifier' || item.name !== node.variable) return undefined;
  let made = existence.get(node);
  if (made === undefined) {
    const bool = { position, type: types.bool };
    const condition: Node = { ...bool, kind: 'call', name: '@not_strictly_false', args: [] };
    const step: Node = { ...bool, kind: 'call', name: '_||_', args: [result, predicate as Node] };
    made = {
      ...node,
      ...bool,
      initial: { ...bool, kind: 'literal', value: false },
      condition,
      step,
    };
    existence.set(node, made);
  }
  return made;
}

interface Quantified {
  readonly body: Node;
  readonly isAll: boolean;
  readonly isOne?: boolean;
}

/** `range.exists_one(x, predicate)`, of which it is only known that it is false where nothing is found. */
export function existsOneOf({
  secondVariable,
  initial,
  step,
}: Node & { kind: 'fold' }): Quantified | undefined {
  const [body] = step.kind === 'call' && step.name === '_?_:_' ? step.args : [];
  const isOne = secondVariable === undefined && initial.kind === 'literal' && initial.value === 0n;
  return isOne && body !== undefined ? { body, isAll: false, isOne } : undefined;
}

/** The predicate of `range.all(x, predicate)`, or of `exists`. */
export function quantifiedOf({
  secondVariable,
  initial,
  condition,
  step,
}: Node & { kind: 'fold' }): Quantified | undefined {
  const isQuantifier =
    secondVariable === undefined &&
    initial.kind === 'literal' &&
    condition.kind === 'call' &&
    condition.name === '@not_strictly_false' &&
    step.kind === 'call';
  if (!isQuantifier) return undefined;
  const [, body] = step.args;
  const isAll = initial.value === true && step.name === '_&&_';
  const isAny = initial.value === false && step.name === '_||_';
  return body === undefined || !(isAll || isAny) ? undefined : { body, isAll };
}

/** As rules write the operator, function or macro that is not followed, the innermost first. */
export function operatorOf(node: Node): string | undefined {
  const name = unfollowedIn(node) ?? (node.kind === 'call' ? node.name : undefined);
  return name === 'exists_one' ? name : name?.replaceAll(/[@_]/g, '');
}

function unfollowedIn(node: Node): string | undefined {
  const quantified = node.kind === 'fold' ? quantifiedOf(node) : undefined;
  const parts = node.kind === 'fold' ? [node.range, quantified?.body] : childrenOf(node);
  for (const part of parts) {
    const inner = part && unfollowedIn(part);
    if (inner !== undefined) return inner;
  }
  if (node.kind === 'fold') {
    if (quantified !== undefined) return quantified.isAll ? 'all' : 'exists';
    return node.initial.kind === 'literal' ? 'exists_one' : 'map';
  }
  const isFollowed = (name: string): boolean =>
    logic.has(name) || total.has(name) || textTests.has(name) || name === '@in';
  return node.kind === 'call' && !isFollowed(node.name) ? node.name : undefined;
}

const literalsByTree = new WeakMap<Node, readonly CelValue[]>();

/** Constants by which the expressions divide to see what is left. */
export function divisorsIn(trees: Iterable<Node>): readonly bigint[] {
  const divisors = new Set<bigint>();
  const visit = (node: Node): void => {
    const by = node.kind === 'call' && node.name === '_%_' ? node.args[1] : undefined;
    if (by?.kind === 'literal' && typeof by.value === 'bigint' && by.value > 0n)
      divisors.add(by.value);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const tree of trees) visit(tree);
  return [...divisors];
}

/** But for patterns. Looked for once in each rule: it is assumed for every field around which it stands. */
export function literalsIn(tree: Node): readonly CelValue[] {
  const known = literalsByTree.get(tree);
  if (known !== undefined) return known;
  const literals = new Set<CelValue>();
  const visit = (node: Node): void => {
    if (node.kind === 'literal') literals.add(node.value);
    const isSearch = node.kind === 'call' && ['matches', 'find', 'findAll'].includes(node.name);
    for (const child of childrenOf(node)) if (!isSearch || child !== node.args[0]) visit(child);
  };
  visit(tree);
  literalsByTree.set(tree, [...literals]);
  return [...literals];
}

/** The expression with its places written out: the same text for what asks the same, and for nothing else. */
export function keyOf(node: Node, scope: Scope): string {
  const of = (each: Node): string => keyOf(each, scope);
  switch (node.kind) {
    case 'literal':
      return literalText(node.value);
    case 'identifier': {
      const value = node.type?.kind === 'type' ? undefined : scope.get(node.name);
      return value?.spot?.key ?? value?.label ?? `name ${node.name}`;
    }
    case 'select': {
      const field = /^\w+$/.test(node.field) ? node.field : JSON.stringify(node.field);
      return node.isTest ? `has(${of(node.operand)}.${field})` : `${of(node.operand)}.${field}`;
    }
    case 'call':
      return callKey(node, scope);
    case 'list':
      return `[${node.items.map((each, index) => (node.optional.has(index) ? `? ${of(each)}` : of(each))).join(', ')}]`;
    case 'fold': {
      const { body, isAll } = quantifiedOf(node) ?? {};
      if (body !== undefined) {
        const [name, inner] = bound(node.variable, scope);
        const turned = isAll === true ? opposite : String;
        return turned(existsKey(of(node.range), name, turned(keyOf(body, inner))));
      }
      let inner = scope;
      // Not to be taken for what has the same name outside.
      for (const name of [node.variable, node.secondVariable, node.accumulator])
        if (name !== undefined) [, inner] = bound(name, inner);
      const parts = [node.condition, node.step, node.result];
      return `fold(${[of(node.range), of(node.initial), ...parts.map((each) => keyOf(each, inner))].join('; ')})`;
    }
    case 'map':
      return `{${node.entries.map(({ key, value, isOptional }) => `${isOptional ? '? ' : ''}${of(key)}: ${of(value)}`).join(', ')}}`;
    case 'struct':
      return `${node.name}{${node.fields.map(({ name, value }) => `${name}: ${of(value)}`).join(', ')}}`;
    case 'broken':
      return 'broken';
  }
}

export const opposite = (key: string): string =>
  key.startsWith('!_(') ? key.slice('!_('.length, -1) : `!_(${key})`;

function existsKey(range: string, name: string, found: string): string {
  return `exists(${range}; ${name}: ${found})`;
}

export function equalityKey(keys: readonly string[]): string {
  return `_==_(${[...keys].sort().join(', ')})`;
}

/** Whatever a macro calls its variable, it is known by how many there are around it. */
function bound(variable: string, scope: Scope): [name: string, Scope] {
  const around = [...scope.values()].map(({ label = '' }) => /^bound (\d+)$/.exec(label)?.[1]);
  const name = `bound ${
    largest(
      around.map((each) => Number(each ?? -1)),
      -1,
    ) + 1
  }`;
  return [name, new Map(scope).set(variable, { fails: 'maybe', label: name })];
}

function callKey(node: Node & { kind: 'call' }, scope: Scope): string {
  const [first, second] = operandsOf(node);
  const keys = operandsOf(node).map((each) => keyOf(each, scope));
  switch (node.name) {
    case '!_':
      return opposite(keys[0] ?? '');
    case '_!=_':
      return opposite(equalityKey(keys));
    case '@in': {
      // Only of what is read without a failure.
      if (second?.kind === 'list' || first?.type?.kind !== 'string') break;
      const [name] = bound('', scope);
      return existsKey(keys[1] ?? '', name, equalityKey([keys[0] ?? '', name]));
    }
    case '_==_':
    case '_&&_':
    case '_||_':
    case '_*_':
      keys.sort();
      break;
    case '_+_':
      if (node.type?.kind === 'int') keys.sort();
      break;
    default:
  }
  return `${node.name}(${keys.join(', ')})`;
}

/** The type and the value, whatever JSON has no text for. */
export function literalText(value: CelValue): string {
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'bigint') return `int ${value}`;
  return `${typeof value} ${JSON.stringify(value)}`;
}

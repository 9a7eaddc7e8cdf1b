/**
 * How much an expression can cost at most, by the sizes that its variables can have: what an API server
 * holds against its limits when a definition is written.
 *
 * Source: cel-go/checker/cost.go (0.23 to 0.26), with has() free as in
 * k8s.io/apiserver/pkg/cel/environment/base.go.
 */
import type { CheckedExpression } from '../program.js';
import { childrenOf, type Call, type Fold, type Node, type Select } from '../syntax/tree.js';
import type { CelType } from '../types.js';
import {
  costOfCall,
  type Estimation,
  type Operand,
  Path,
  sizeOfDeclared,
  type DeclaredSizes,
  exactly,
  most,
  nothing,
  one,
  plus,
  times,
  union,
  unknown,
  type Range,
} from './call-costs.js';

/**
 * In cel-go's units; 2⁶⁴ - 1 for what has no bound, and all above. @param sizes of `self`; `oldSelf` has the same
 */
export function estimatedCost(
  { tree }: CheckedExpression,
  sizes: DeclaredSizes | undefined,
  estimation: Estimation = newest,
): bigint {
  return new Estimate(sizes, estimation).cost(tree).max;
}

const newest: Estimation = {
  sizesFolds: true,
  sizesEntries: true,
  costsOpaqueEquality: true,
  costsQuantities: true,
  sizesUrls: true,
  costsMatchesFunction: false,
};

interface Entries {
  readonly isList: boolean;
  readonly key: Range;
  readonly value: Range;
}

/** A name that a fold or a macro binds; inner ones hide outer ones. */
interface Local {
  readonly name: string;
  /** Undefined where each use of the name has a path of its own: see {@link Path}. */
  readonly path: Path | undefined;
  readonly pathOfUse?: () => Path;
  readonly size: Range | undefined;
  readonly entries: Entries | undefined;
  readonly outer: Local | undefined;
}

const newList = exactly(10);
const newMap = exactly(30);
const newMessage = exactly(40);
const accumulator = '@result';

class Estimate {
  private readonly sizes = new Map<Node, Range>();
  /** Result sizes of folds of which nothing else is known. */
  private readonly foldSizes = new Map<Node, Range>();
  private readonly entries = new Map<Node, Entries>();
  private readonly paths = new Map<Node, Path>();
  private locals: Local | undefined;

  constructor(
    private readonly declared: DeclaredSizes | undefined,
    private readonly estimation: Estimation,
  ) {}

  private get knowsEntries(): boolean {
    return this.estimation.sizesEntries;
  }

  cost(node: Node): Range {
    switch (node.kind) {
      case 'identifier':
        return this.costOfName(node, node.name);
      case 'select':
        return this.costOfSelect(node);
      case 'call':
        return this.costOfCall(node);
      case 'list':
      case 'map':
        return this.costOfCollection(node);
      case 'struct':
        return plus(newMessage, this.costOfAll(childrenOf(node)));
      case 'fold':
        if (!this.knowsEntries) return this.costOfPlainFold(node);
        return isBinding(node) ? this.costOfBinding(node) : this.costOfFold(node);
      default:
        return nothing;
    }
  }

  private costOfAll(nodes: readonly Node[]): Range {
    return plus(...nodes.map((node) => this.cost(node)));
  }

  private costOfName(node: Node, written: string): Range {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const isPlainAccumulator = name === accumulator && !this.knowsEntries;
    const path = isPlainAccumulator ? Path.none : Path.of(name);
    const local = this.local(name);
    this.paths.set(node, local?.pathOfUse?.() ?? local?.path ?? path);
    return one;
  }

  private costOfSelect(node: Select): Range {
    if (node.qualified !== undefined) return this.costOfName(node, node.qualified);
    const { operand, field, isTest } = node;
    const cost = this.cost(operand);
    if (isTest) return cost;
    this.paths.set(node, this.pathOf(operand).with(field));
    return hasFields.has((operand.type as CelType).kind) ? plus(cost, one) : cost;
  }

  private costOfCall(node: Call): Range {
    const { name, args, target, overloads = [] } = node;
    if (name === 'dyn' && this.knowsEntries) return this.costOfDyn(node);
    // No cost depends on the size of a bool.
    if (name === '_&&_' || name === '_||_') return this.costOfAll(args);
    const costs = args.map((arg) => ({ cost: this.cost(arg), operand: this.operand(arg) }));
    if (overloads.length === 0) return nothing;
    const ofTarget = target === undefined ? nothing : this.cost(target);
    const receiver = target && this.operand(target);
    const operands = costs.map(({ operand }) => operand);
    let ofCall: Range = { min: most, max: 0n };
    let size: Range | undefined;
    for (const { id } of overloads) {
      const estimate = costOfCall(name, id, receiver, operands, this.estimation);
      ofCall = union(ofCall, plus(estimate.cost, ofArguments(id, costs)));
      if (estimate.size !== undefined) size = size ? union(size, estimate.size) : estimate.size;
      this.noteEntries(node, id);
      if (id === 'index_list' || id === 'index_map') size = this.noteIndex(node, id);
      size ??= this.sizeOf(node);
    }
    if (size !== undefined) this.sizes.set(node, size);
    return plus(ofTarget, ofCall);
  }

  private costOfDyn(node: Call): Range {
    const [arg] = node.args as [Node];
    const cost = this.cost(arg);
    this.copySizes(node, arg);
    return plus(one, cost);
  }

  /** The result of a conditional or a concatenation has entries of either side. */
  private noteEntries(node: Call, overload: string): void {
    if (!this.knowsEntries) return;
    const sides =
      overload === 'conditional'
        ? node.args.slice(1)
        : /^add_(?:string|bytes|list)$/.test(overload)
          ? node.args
          : undefined;
    if (sides === undefined) return;
    const [left, right] = sides.map((side) => this.entriesOf(side));
    if (left === undefined || right === undefined) return;
    this.entries.set(node, {
      isList: left.isList,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  private noteIndex(node: Call, overload: string): Range | undefined {
    const [container] = node.args as [Node];
    const step = overload === 'index_list' ? '@items' : '@values';
    this.paths.set(node, this.pathOf(container).with(step));
    return this.entriesOf(container)?.value;
  }

  private costOfCollection(node: Node & { kind: 'list' | 'map' }): Range {
    const isList = node.kind === 'list';
    const cost = plus(isList ? newList : newMap, this.costOfAll(childrenOf(node)));
    const all = (nodes: readonly Node[]): Range => {
      if (nodes.length === 0) return nothing;
      return nodes.map((each) => this.sizeOf(each) ?? unknown).reduce(union);
    };
    if (!this.knowsEntries) return cost;
    this.entries.set(
      node,
      isList
        ? { isList, key: one, value: all(node.items) }
        : {
            isList,
            key: all(node.entries.map(({ key }) => key)),
            value: all(node.entries.map(({ value }) => value)),
          },
    );
    return cost;
  }

  private costOfFold(node: Fold): Range {
    const { range, initial, condition, step, result } = node;
    const before = plus(this.cost(range), this.cost(initial));
    const outer = this.locals;
    this.bind(node.accumulator, initial);
    const inner = this.locals;
    this.bindEntries(node);
    const each = plus(this.cost(condition), this.cost(step));
    this.locals = inner;
    const after = this.cost(result);
    this.locals = outer;
    const count = this.sizeOf(range) ?? unknown;
    this.noteResult(node, count);
    return plus(before, after, times(count, each));
  }

  private noteResult(node: Fold, count: Range): void {
    const { initial, step } = node;
    if (initial.kind === 'literal') this.sizes.set(node, this.sizeOf(initial) as Range);
    if (initial.kind !== 'list' && initial.kind !== 'map') return;
    this.sizes.set(node, count);
    const entries = this.entriesOf(step);
    if (entries !== undefined) this.entries.set(node, entries);
  }

  /** Only the first variable of a comprehension has a known meaning. */
  private costOfPlainFold(node: Fold): Range {
    const { range, initial, condition, step, result, variable: name } = node;
    const before = plus(this.cost(range), this.cost(initial));
    const outer = this.locals;
    const inRange = { list: '@items', map: '@keys' }[(range.type as CelType).kind as string];
    const ofRange = this.pathOf(range);
    const pathOfUse = (): Path => (inRange === undefined ? Path.none : ofRange.with(inRange));
    this.locals = { name, path: undefined, pathOfUse, size: undefined, entries: undefined, outer };
    const each = plus(this.cost(condition), this.cost(step));
    this.locals = outer;
    const count = this.sizeOf(range) ?? unknown;
    this.foldSizes.set(node, count);
    return plus(before, this.cost(result), times(count, each));
  }

  /** A value with a name is made once. */
  private costOfBinding(node: Fold): Range {
    const { range, initial, result } = node;
    const before = plus(this.cost(range), this.cost(initial));
    const outer = this.locals;
    this.bind(node.accumulator, initial);
    const after = this.cost(result);
    this.locals = outer;
    this.copySizes(node, result);
    return plus(before, after);
  }

  private bind(name: string, value: Node): void {
    const { locals: outer } = this;
    const entries = this.entriesOf(value);
    this.locals = { name, path: this.pathOf(value), size: this.sizeOf(value), entries, outer };
  }

  private bindEntries({ variable, secondVariable, range }: Fold): void {
    const entries = this.entriesOf(range);
    const isList = entries?.isList ?? (range.type as CelType).kind === 'list';
    const path = this.pathOf(range);
    const add = (name: string, step: string, size: Range | undefined): void => {
      this.locals = { name, path: path.with(step), size, entries: undefined, outer: this.locals };
    };
    const keyStep = isList ? '@indices' : '@keys';
    if (secondVariable === undefined) {
      if (isList) add(variable, '@items', entries?.value);
      else add(variable, keyStep, entries?.key);
      return;
    }
    add(variable, keyStep, entries?.key);
    add(secondVariable, isList ? '@items' : '@values', entries?.value);
  }

  private operand(node: Node): Operand {
    const path = this.pathOf(node);
    return {
      node,
      type: node.type as CelType,
      size: this.sizeOf(node),
      itemSize: () => sizeOfDeclared(path.find(this.declared)?.item),
    };
  }

  private local(name: string): Local | undefined {
    let local = this.locals;
    while (local !== undefined && local.name !== name) local = local.outer;
    return local;
  }

  private localOf(node: Node): Local | undefined {
    return node.kind === 'identifier' ? this.local(node.name) : undefined;
  }

  private pathOf(node: Node): Path {
    return this.localOf(node)?.path ?? this.paths.get(node) ?? Path.none;
  }

  private entriesOf(node: Node): Entries | undefined {
    return this.entries.get(node) ?? this.localOf(node)?.entries;
  }

  private sizeOf(node: Node): Range | undefined {
    const known = this.sizes.get(node) ?? ownSize(node);
    if (known !== undefined) return known;
    const ofFold = this.foldSizes.get(node);
    if (ofFold !== undefined && this.estimation.sizesFolds) return ofFold;
    const declared = sizeOfDeclared(this.pathOf(node).find(this.declared));
    if (declared !== undefined) this.sizes.set(node, declared);
    const isOfSizeOne = isScalar(node.type as CelType, () => this.knowsEntries);
    return declared ?? (isOfSizeOne ? one : this.localOf(node)?.size);
  }

  private copySizes(to: Node, from: Node): void {
    const [size, entries] = [this.sizeOf(from), this.entriesOf(from)];
    if (size !== undefined) this.sizes.set(to, size);
    if (entries !== undefined) this.entries.set(to, entries);
  }
}

const hasFields = new Set(['map', 'object', 'parameter']);

/** `&&`, `||` and `?:` may leave an argument out, which only counts for the least. */
function ofArguments(overload: string, args: readonly { readonly cost: Range }[]): Range {
  if (overload === 'conditional') {
    const [condition, yes, no] = args.map(({ cost }) => cost) as [Range, Range, Range];
    return plus(condition, union(yes, no));
  }
  return plus(...args.map(({ cost }) => cost));
}

/** A fold over nothing, which macros such as `optMap` make to give a value a name. */
function isBinding({ range, condition, accumulator: name }: Fold): boolean {
  const isEmpty = range.kind === 'list' && range.items.length === 0;
  return isEmpty && condition.kind === 'literal' && condition.value === false && name !== accumulator; // prettier-ignore
}

function ownSize(node: Node): Range | undefined {
  if (node.kind === 'list') return exactly(node.items.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  return node.kind === 'literal'
    ? typeof node.value === 'string'
      ? exactly([...node.value].length)
      : node.value instanceof Uint8Array
        ? exactly(node.value.length)
        : one
    : undefined;
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** @param looksInside whether an optional scalar is one */
function isScalar(
  { kind, name, parameters: [content] }: CelType,
  looksInside: () => boolean,
): boolean {
  if (name === 'optional_type' && content !== undefined && looksInside()) {
    return isScalar(content, looksInside);
  }
  return scalars.has(kind);
}

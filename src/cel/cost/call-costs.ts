/**
 * Costs of calls beside their arguments, and bounds on the size of their results.
 *
 * Sources: functionCost in cel-go/checker/cost.go, cel-go/ext/{lists,sets}.go, EstimateCallCost in
 * k8s.io/apiserver/pkg/cel/library/cost.go.
 */
import type { Node } from '../syntax/tree.js';
import { sameType, type CelType } from '../types.js';

/** Both ends included: unsigned integers of 64 bits, in which the largest stands for all above. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const most = 2n ** 64n - 1n;

export const unknown: Range = { min: 0n, max: most };

export function exactly(count: bigint | number): Range {
  return { min: BigInt(count), max: BigInt(count) };
}

export const nothing = exactly(0);
export const one = exactly(1);

const bounded = (value: bigint): bigint => (value > most ? most : value);

export function plus(...ranges: readonly Range[]): Range {
  let [min, max] = [0n, 0n];
  for (const range of ranges) {
    min = bounded(min + range.min);
    max = bounded(max + range.max);
  }
  return { min, max };
}

export function times(left: Range, right: Range): Range {
  return { min: bounded(left.min * right.min), max: bounded(left.max * right.max) };
}

/** Each end times the factor, rounded up, in the arithmetic of doubles. */
function scaled({ min, max }: Range, factor: number): Range {
  return { min: scaledOne(min, factor), max: scaledOne(max, factor) };
}

function scaledOne(count: bigint, factor: number): bigint {
  const product = Math.ceil(Number(count) * factor);
  return product >= 2 ** 64 ? most : BigInt(product);
}

export function union(left: Range, right: Range): Range {
  return {
    min: left.min < right.min ? left.min : right.min,
    max: left.max > right.max ? left.max : right.max,
  };
}

export interface DeclaredSizes {
  /** Characters, bytes, items or entries; zero for values without a size. */
  readonly maxElements: bigint;
  readonly item?: DeclaredSizes;
  readonly key?: DeclaredSizes;
  readonly fields?: ReadonlyMap<string, DeclaredSizes>;
}

/**
 * From a variable through field names, `@items`, `@values` and `@keys`; empty where nothing is declared.
 *
 * cel-go grows paths as Go grows slices: two that were grown from the same one may share their last
 * names, and then the one that was grown later changes the other. Costs depend on it:
 * in `x.m[x.k]` the map is looked for under the name of its key.
 */
export class Path {
  private constructor(
    private readonly names: string[],
    private readonly capacity: number,
    readonly length: number,
  ) {}

  static readonly none = new Path([], 0, 0);

  static of(name: string): Path {
    return new Path([name], 1, 1);
  }

  with(name: string): Path {
    if (this.length < this.capacity) {
      this.names[this.length] = name;
      return new Path(this.names, this.capacity, this.length + 1);
    }
    const names = [...this.names.slice(0, this.length), name];
    return new Path(names, Math.max(1, 2 * this.capacity), this.length + 1);
  }

  /** The sizes declared at this path; the first name is the variable, whichever it is. */
  find(root: DeclaredSizes | undefined): DeclaredSizes | undefined {
    if (this.length === 0) return undefined;
    let found = root;
    for (let index = 1; index < this.length; index++) {
      const name = this.names[index] as string;
      if (name === '@items' || name === '@values') found = found?.item;
      else if (name === '@keys') found = found?.key;
      else found = found?.fields?.get(name);
    }
    return found;
  }
}

export function sizeOfDeclared(declared: DeclaredSizes | undefined): Range | undefined {
  return declared && { min: 0n, max: BigInt.asUintN(64, declared.maxElements) };
}

/** Options in which estimates differ between releases. */
export interface Estimation {
  /** The result of a fold is as large as its range; before cel-go 0.17.8 nothing was known of it. */
  readonly sizesFolds: boolean;
  /** Sizes of the entries of lists and maps are known, also for comprehension results: since cel-go 0.23. */
  readonly sizesEntries: boolean;
  /** Whether Kubernetes has an estimate of its own for equality of its types, and for quantities. */
  readonly costsOpaqueEquality: boolean;
  readonly costsQuantities: boolean;
  /** How large a parsed URL is, is known. */
  readonly sizesUrls: boolean;
  /** `matches(text, pattern)` costs as `text.matches(pattern)`. */
  readonly costsMatchesFunction: boolean;
}

/** An argument, or what a member function is called on. */
export interface Operand {
  readonly node: Node;
  readonly type: CelType;
  /** As far as the expression itself or the declarations tell. */
  readonly size: Range | undefined;
  /** The declared size of an item; undefined for values without items. */
  readonly itemSize: () => Range | undefined;
}

export interface CallCost {
  readonly cost: Range;
  readonly size?: Range;
}

interface Called {
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

/** Undefined where a call is not of the form that the entry is about. */
type Estimator = (call: Called) => CallCost | undefined;

const perCharacter = 0.1;
const perCharacterOfPattern = 0.25;
const newList = 10;
const longestFormat = 128;
const longestFormatName = 64n;

const sizeOf = (operand: Operand | undefined): Range => operand?.size ?? unknown;
const traversed = (size: Range, passes = 1): Range => scaled(size, passes * perCharacter);

/**
 * The cost of the call itself. `name` and `overload` are as the checker found them.
 */
export function costOfCall(
  name: string,
  overload: string,
  target: Operand | undefined,
  args: readonly Operand[],
  estimation: Estimation,
): CallCost {
  const call = { overload, target, args };
  const ofKubernetes = isEstimated(name, estimation) ? ofFunction.get(name) : undefined;
  const ofCel =
    overload === 'matches' && !estimation.costsMatchesFunction
      ? undefined
      : ofStandard.get(overload);
  for (const estimate of [ofOverload.get(overload), ofKubernetes, ofCel]) {
    const found = estimate?.(call);
    if (found === undefined) continue;
    return name === 'url' && !estimation.sizesUrls ? { cost: found.cost } : found;
  }
  return { cost: one };
}

function isEstimated(name: string, estimation: Estimation): boolean {
  if (name === '_==_') return estimation.costsOpaqueEquality;
  if (name === 'quantity' || name === 'isQuantity') return estimation.costsQuantities;
  return true;
}

function table(rows: Readonly<Record<string, Estimator>>): ReadonlyMap<string, Estimator> {
  return new Map(
    Object.entries(rows).flatMap(([names, estimate]) =>
      names.split(' ').map((name) => [name, estimate] as const),
    ),
  );
}

const comparable =
  'int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes'.split(' ');

function allocating(factor: number, size: Range): CallCost {
  return { cost: plus(scaled(size, factor), exactly(1 + newList)), size };
}

const sorting =
  (type: string, keys: (call: Called) => Operand | undefined): Estimator =>
  (call) => {
    const size = sizeOf(keys(call));
    const isText = type === 'string' || type === 'bytes';
    return allocating(isText ? 2 + perCharacter : 2, times(size, size));
  };

const comparingSets =
  (factor: number): Estimator =>
  ({ args: [left, right] }) => ({
    cost: plus(scaled(times(sizeOf(left), sizeOf(right)), factor), one),
  });

function literalCount({ node }: Operand, otherwise: bigint): bigint {
  if (node.kind !== 'literal' || typeof node.value !== 'bigint') return otherwise;
  return node.value < 0n ? 0n : node.value;
}

const flattening: Estimator = ({ target, args: [depth] }) =>
  allocating(Number(depth === undefined ? 1n : literalCount(depth, most)), sizeOf(target));

const ofOverload = table({
  'list_sets_contains_list list_sets_intersects_list': comparingSets(1),
  list_sets_equivalent_list: comparingSets(2),
  list_slice: ({ target, args: [start, end] }) => {
    const last = literalCount(end as Operand, sizeOf(target).max);
    return allocating(1, exactly(BigInt.asUintN(64, last - literalCount(start as Operand, 0n))));
  },
  'list_flatten list_flatten_int': flattening,
  lists_range: ({ args: [count] }) => allocating(1, exactly(literalCount(count as Operand, most))),
  list_reverse: ({ target }) => allocating(1, sizeOf(target)),
  list_distinct: ({ target }) => allocating(2, times(sizeOf(target), sizeOf(target))),
  ...Object.fromEntries(
    comparable.flatMap((type): (readonly [string, Estimator])[] => [
      [`list_${type}_sort`, sorting(type, ({ target }) => target)],
      [`list_${type}_sortByAssociatedKeys`, sorting(type, ({ args }) => args[0])],
    ]),
  ),
});

/** Each item is looked at, its text too; or a text is searched. */
const walking: Estimator = ({ target }) => {
  if (target === undefined) return undefined;
  const [item] = target.type.parameters;
  if (item === undefined) return { cost: traversed(sizeOf(target)) };
  const isText = item.kind === 'string' || item.kind === 'bytes';
  const each = isText ? plus(one, traversed(target.itemSize() ?? unknown)) : one;
  return { cost: times(sizeOf(target), each) };
};

const parsing: Estimator = ({ args: [text] }) => text && { cost: traversed(sizeOf(text)) };

/** The longest and the shortest text that a replacement can leave. */
function replacedSize(text: Range, from: Range, to: Range): Range {
  const [longest, shortest] = [
    replacements(text.max, from.min, to.max <= from.min),
    replacements(text.min, from.max, from.max <= to.min),
  ];
  return plus(times({ min: shortest.count, max: longest.count }, to), {
    min: shortest.kept,
    max: longest.kept,
  });
}

/** How often a text of this length is replaced, and how much of it stays. */
function replacements(
  length: bigint,
  from: bigint,
  isUnchanged: boolean,
): { readonly count: bigint; readonly kept: bigint } {
  // An empty text is between all characters.
  if (from === 0n) return { count: length < most ? length + 1n : length, kept: length };
  if (isUnchanged) return { count: 0n, kept: length };
  const count = Math.ceil(Number(length) / Number(from));
  return { count: count >= 2 ** 64 ? most : BigInt(count), kept: 0n };
}

/** A text and what it is looked for in: one more character, so that no product is zero. */
const matching = (text: Range, pattern: Range): Range =>
  times(traversed(plus(text, one)), scaled(pattern, perCharacterOfPattern));

/** Size of an IP address when compared, in bytes. */
const address: Range = { min: 4n, max: 16n };

const containing =
  (ofText: string, base: Range): Estimator =>
  ({ overload, args: [inner] }) => ({
    cost: overload === ofText ? plus(base, traversed(sizeOf(inner))) : base,
  });

const ofFunction = table({
  'isSorted sum max min indexOf lastIndexOf': walking,
  includes: (call) =>
    call.target?.type.parameters[0] === undefined ? { cost: sizeOf(call.target) } : walking(call),
  url: ({ args: [text] }) => ({ cost: traversed(sizeOf(text)), size: sizeOf(text) }),
  'lowerAscii upperAscii substring trim': ({ target }) =>
    target && { cost: traversed(sizeOf(target)), size: sizeOf(target) },
  replace: ({ target, args: [from, to] }) => ({
    cost: traversed(sizeOf(target), 2),
    size: replacedSize(sizeOf(target), sizeOf(from), sizeOf(to)),
  }),
  split: ({ target, args: [, count] }) => {
    const literal = count?.node.kind === 'literal' ? count.node.value : undefined;
    const max = typeof literal === 'bigint' ? BigInt.asUintN(64, literal) : sizeOf(target).max;
    return { cost: traversed(sizeOf(target), 2), size: { min: 0n, max } };
  },
  join: ({ target, args: [separator] }) => {
    const count = sizeOf(target);
    const hasItems = target?.type.parameters[0] !== undefined;
    const items = hasItems ? times(count, target.itemSize() ?? unknown) : nothing;
    const between = (items_: bigint): bigint => (items_ > 0n ? items_ - 1n : 0n);
    const separators = { min: between(count.min), max: between(count.max) };
    const size = separator ? plus(items, times(sizeOf(separator), separators)) : items;
    return { cost: traversed(size), size };
  },
  'find findAll': ({ target, args: [pattern] }) => ({
    cost: matching(sizeOf(target), sizeOf(pattern)),
    size: { min: 0n, max: sizeOf(target).max },
  }),
  'cidr isIP isCIDR quantity isQuantity semver isSemver': parsing,
  ip: (call) => (call.overload === 'cidr_ip' ? { cost: one } : parsing(call)),
  'ip.isCanonical': ({ args: [text] }) => ({ cost: traversed(sizeOf(text), 2) }),
  containsIP: containing('cidr_contains_ip_string', traversed(plus(address, address))),
  containsCIDR: containing(
    'cidr_contains_cidr_string',
    plus(traversed(plus(address, address)), traversed(address), one),
  ),
  validate: ({ args: [text] }) => ({
    cost: scaled(traversed(sizeOf(text)), longestFormat * perCharacterOfPattern),
  }),
  '_==_': ({ args: [left, right] }) =>
    left && right && sameType(left.type, right.type)
      ? ofKnownEquality(left.type, right)
      : undefined,
});

/** Kubernetes' own types whose comparison is bounded. */
function ofKnownEquality({ name }: CelType, right: Operand): CallCost | undefined {
  switch (name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: one };
    case 'kubernetes.NamedFormat':
      return { cost: traversed({ min: 1n, max: longestFormatName }) };
    case 'kubernetes.URL':
      return { cost: traversed({ min: 1n, max: right.size?.max ?? 1n }) };
    default:
      return undefined;
  }
}

const both: Estimator = ({ args: [left, right] }) => {
  const size = plus(sizeOf(left), sizeOf(right));
  return { cost: traversed(size), size };
};

const comparingTexts = ['less', 'greater', 'less_equals', 'greater_equals']
  .flatMap((order) => [`${order}_string`, `${order}_bytes`])
  .join(' ');

const ofStandard = table({
  'logical_and logical_or': () => ({ cost: nothing }),
  string_format: ({ target }) => ({ cost: traversed(sizeOf(target)) }),
  string_to_bytes: ({ args: [text] }) => {
    const { min, max } = sizeOf(text);
    // A character may be four bytes.
    return { cost: traversed({ min, max }), size: { min, max: BigInt.asUintN(64, max * 4n) } };
  },
  bytes_to_string: ({ args: [bytes] }) => {
    const { min, max } = sizeOf(bytes);
    return { cost: traversed({ min, max }), size: { min: min / 4n, max } };
  },
  strings_quote: ({ args: [text] }) => {
    const { min, max } = sizeOf(text);
    const size = { min: min + 2n, max: BigInt.asUintN(64, max * 2n + 2n) };
    return { cost: traversed({ min, max }), size };
  },
  'starts_with_string ends_with_string': ({ args: [part] }) => ({ cost: traversed(sizeOf(part)) }),
  in_list: ({ args: [, list] }) => ({ cost: sizeOf(list) }),
  matches_string: ({ target, args: [pattern] }) =>
    target && { cost: matching(sizeOf(target), sizeOf(pattern)) },
  matches: ({ args: [text, pattern] }) =>
    text && pattern && { cost: matching(sizeOf(text), sizeOf(pattern)) },
  contains_string: ({ target, args: [part] }) => ({
    cost: times(traversed(sizeOf(target)), traversed(sizeOf(part))),
  }),
  'add_string add_bytes': both,
  add_list: (call) => ({ ...both(call), cost: one }),
  [`equals not_equals ${comparingTexts}`]: ({ args: [left, right] }) => {
    const [one_, other] = [sizeOf(left).max, sizeOf(right).max];
    const max = one_ < other ? one_ : other;
    return { cost: traversed({ min: max > 0n ? 1n : 0n, max }) };
  },
  conditional: ({ args: [, yes, no] }) => ({ cost: nothing, size: union(sizeOf(yes), sizeOf(no)) }),
});

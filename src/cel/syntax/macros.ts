/**
 * Calls that become folds and tests. Source: cel-go/parser/macro.go, cel/library.go, ext/{comprehensions,lists}.go.
 */
import { NotEvaluable, type CelValue } from '../values.js';
import { Fault } from './lexer.js';
import type { Fold, Node } from './tree.js';

/** The call of a macro; its expansion is placed at the call's parenthesis. */
interface MacroCall {
  readonly position: number;
  readonly target: Node;
  readonly args: readonly Node[];
  /** Nodes that macros of this expression may still copy. */
  readonly copies: Copies;
}

interface Copies {
  left: number;
}

/** A chain of optMap doubles with each link, as in cel-go: it would be checked and run for hours. */
export const mostCopies = 2_000;

export type Macro = (call: MacroCall) => Node;

const accumulator = '@result';
/** The accumulator's former name is still not to be hidden. */
const accumulators = [accumulator, '__result__'];

function builder(position: number) {
  const node = {
    literal: (value: CelValue): Node => ({ kind: 'literal', position, value }),
    name: (name: string): Node => ({ kind: 'identifier', position, name }),
    result: (): Node => node.name(accumulator),
    call: (name: string, ...args: Node[]): Node => ({ kind: 'call', position, name, args }),
    member: (target: Node, name: string, ...args: Node[]): Node => ({
      kind: 'call',
      position,
      name,
      target,
      args,
    }),
    list: (...items: Node[]): Node => ({ kind: 'list', position, items, optional: new Set() }),
    map: (): Node => ({ kind: 'map', position, entries: [] }),
    fold: (parts: Omit<Fold, 'kind' | 'position'>): Node => ({ kind: 'fold', position, ...parts }),
    /** A fold over nothing, whose accumulator is the variable. */
    bind: (variable: string, value: Node, body: Node): Node =>
      node.fold({
        range: node.list(),
        variable: '#unused',
        accumulator: variable,
        initial: value,
        condition: node.literal(false),
        step: node.name(variable),
        result: body,
      }),
  };
  return node;
}

type Builder = ReturnType<typeof builder>;

function variableName(node: Node, message: string): string {
  if (node.kind !== 'identifier') throw new Fault(message, node.position);
  return node.name;
}

function refuseAccumulator(name: string, position: number): void {
  if (!accumulators.includes(name)) return;
  throw new Fault('iteration variable overwrites accumulator variable', position);
}

interface Variables {
  readonly variable: string;
  readonly secondVariable?: string;
}

function variablesOf(args: readonly Node[], count: 1 | 2, message: string): Variables {
  const [first, second] = args as [Node, Node];
  const variable = variableName(first, message);
  if (count === 1) {
    refuseAccumulator(variable, first.position);
    return { variable };
  }
  const secondVariable = variableName(second, message);
  if (variable === secondVariable) {
    throw new Fault(`duplicate variable name: ${variable}`, second.position);
  }
  refuseAccumulator(variable, first.position);
  refuseAccumulator(secondVariable, second.position);
  return { variable, secondVariable };
}

const simpleName = 'argument must be a simple name';

type Quantifier = (
  node: Builder,
  predicate: Node,
) => Pick<Fold, 'initial' | 'condition' | 'step' | 'result'>;

function quantify(count: 1 | 2, parts: Quantifier): Macro {
  return ({ position, target, args }) => {
    const variables = variablesOf(args, count, simpleName);
    const node = builder(position);
    const fold = parts(node, args[count] as Node);
    return node.fold({ range: target, ...variables, accumulator, ...fold });
  };
}

const all: Quantifier = (node, predicate) => ({
  initial: node.literal(true),
  condition: node.call('@not_strictly_false', node.result()),
  step: node.call('_&&_', node.result(), predicate),
  result: node.result(),
});

const exists: Quantifier = (node, predicate) => ({
  initial: node.literal(false),
  condition: node.call('@not_strictly_false', node.call('!_', node.result())),
  step: node.call('_||_', node.result(), predicate),
  result: node.result(),
});

const existsOne: Quantifier = (node, predicate) => ({
  initial: node.literal(0n),
  condition: node.literal(true),
  step: node.call(
    '_?_:_',
    predicate,
    node.call('_+_', node.result(), node.literal(1n)),
    node.result(),
  ),
  result: node.call('_==_', node.result(), node.literal(1n)),
});

interface Collecting {
  readonly count: 1 | 2;
  readonly isFiltered?: boolean;
  readonly message?: string;
  readonly initial: (node: Builder) => Node;
  /** The accumulator with one more entry. */
  readonly add: (node: Builder, transform: Node, variable: string) => Node;
}

function collect({ count, isFiltered = false, message, initial, add }: Collecting): Macro {
  return ({ position, target, args }) => {
    const variables = variablesOf(args, count, message ?? simpleName);
    const node = builder(position);
    const transform = args[count + (isFiltered ? 1 : 0)] as Node;
    const added = add(node, transform, variables.variable);
    const step = isFiltered ? node.call('_?_:_', args[count] as Node, added, node.result()) : added;
    return node.fold({
      range: target,
      ...variables,
      accumulator,
      initial: initial(node),
      condition: node.literal(true),
      step,
      result: node.result(),
    });
  };
}

const intoList: Pick<Collecting, 'initial' | 'add'> = {
  initial: (node) => node.list(),
  add: (node, transform) => node.call('_+_', node.result(), node.list(transform)),
};
const intoMap: Pick<Collecting, 'initial' | 'add'> = {
  initial: (node) => node.map(),
  add: (node, transform, variable) =>
    node.call('cel.@mapInsert', node.result(), node.name(variable), transform),
};
const intoMapByEntry: Pick<Collecting, 'initial' | 'add'> = {
  initial: (node) => node.map(),
  add: (node, transform) => node.call('cel.@mapInsert', node.result(), transform),
};

const notIdentifier = 'argument is not an identifier';

const filter: Macro = ({ args, ...call }) =>
  collect({ count: 1, isFiltered: true, message: notIdentifier, ...intoList })({
    ...call,
    args: [args[0] as Node, args[1] as Node, args[0] as Node],
  });

const has: Macro = ({ position, args }) => {
  const [argument] = args as [Node];
  if (argument.kind !== 'select') {
    throw new Fault('invalid argument to has() macro', argument.position);
  }
  return { ...argument, position, isTest: true };
};

/** A copy of what the parser made: each place in the tree has a node of its own. */
function copied(node: Node, copies: Copies): Node {
  if (--copies.left < 0) throw new NotEvaluable('optMap and optFlatMap nest too deep');
  const copyOf = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copyOf);
    if (typeof part !== 'object' || part === null || part instanceof Set) return part;
    if ('kind' in part) return copied(part as Node, copies);
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, copyOf(each)]));
  };
  if (node.kind === 'literal') return { ...node, copyOf: node };
  const parts = Object.entries(node).filter(([key]) => key !== 'type' && key !== 'copyOf');
  const copy = parts.map(([key, part]) => [key, copyOf(part)] as const);
  return { ...node, ...Object.fromEntries(copy), copyOf: node };
}

/** optMap and optFlatMap: what is made of the content of an optional value, where there is one. */
function mapOptional(name: string, wrap: (node: Builder, mapped: Node) => Node): Macro {
  return ({ position, target, args, copies }) => {
    const [first, body] = args as [Node, Node];
    const variable = variableName(first, `${name}() variable name must be a simple identifier`);
    const node = builder(position);
    const mapped = node.bind(variable, node.member(copied(target, copies), 'value'), body);
    return node.call(
      '_?_:_',
      node.member(target, 'hasValue'),
      wrap(node, mapped),
      node.call('optional.none'),
    );
  };
}

const sortable = new Set(['list', 'select', 'identifier', 'fold', 'call']);
const sortInput = '@__sortBy_input__';

const sortBy: Macro = ({ position, target, args, copies }) => {
  if (!sortable.has(target.kind)) {
    const message =
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    throw new Fault(message, target.position);
  }
  const node = builder(position);
  const keys = mapMacro({ position, target: node.name(sortInput), args, copies });
  return node.bind(
    sortInput,
    target,
    node.member(node.name(sortInput), '@sortByAssociatedKeys', keys),
  );
};

const mapMacro = collect({ count: 1, message: notIdentifier, ...intoList });

/** By name and number of arguments; those of a value have a colon before their name. */
export const standardMacros: ReadonlyMap<string, Macro> = new Map([
  ['has/1', has],
  [':all/2', quantify(1, all)],
  [':exists/2', quantify(1, exists)],
  [':exists_one/2', quantify(1, existsOne)],
  [':map/2', mapMacro],
  [':map/3', collect({ count: 1, isFiltered: true, message: notIdentifier, ...intoList })],
  [':filter/2', filter],
]);

export const kubernetesMacros: ReadonlyMap<string, Macro> = new Map([
  ...standardMacros,
  [':optMap/2', mapOptional('optMap', (node, mapped) => node.call('optional.of', mapped))],
  [':optFlatMap/2', mapOptional('optFlatMap', (_, mapped) => mapped)],
  [':all/3', quantify(2, all)],
  [':exists/3', quantify(2, exists)],
  [':existsOne/3', quantify(2, existsOne)],
  [':exists_one/3', quantify(2, existsOne)],
  [':transformList/3', collect({ count: 2, ...intoList })],
  [':transformList/4', collect({ count: 2, isFiltered: true, ...intoList })],
  [':transformMap/3', collect({ count: 2, ...intoMap })],
  [':transformMap/4', collect({ count: 2, isFiltered: true, ...intoMap })],
  [':transformMapEntry/3', collect({ count: 2, ...intoMapByEntry })],
  [':transformMapEntry/4', collect({ count: 2, isFiltered: true, ...intoMapByEntry })],
  [':sortBy/2', sortBy],
]);

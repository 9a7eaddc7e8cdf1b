/** Makes closures of a checked tree. Source: cel-go/interpreter/{planner,interpretable,decorators}.go. */
import { qualify, readAttribute, type Attribute, type Run } from './attribute.js';
import {
  spend,
  spendOnText,
  within,
  CelMistakes,
  CompilerPanic,
  EvaluationError,
  NotEvaluable,
  noSuchOverload,
  Panic,
  Frame,
  goTypeOf,
  printed,
  CelList,
  CelMap,
  Optional,
  TypeValue,
  type CelValue,
} from './values.js';
import { attempt, equal, GrowingList, listOf, GrowingMap, ValueMap } from './collections.js';
import type { Language } from './language.js';
import { membership, callOf } from './dispatch.js';
import type { Implementation } from './overloads.js';
import type { Call, Fold, ListLiteral, MapLiteral, Node } from './syntax/tree.js';

/** Budget for evaluating all literals together. */
const steps = 1_000_000;

/** @throws CelMistakes, NotEvaluable */
export function plan(tree: Node, language: Language): Run {
  return within({ steps }, (root) => new Planner(language).plan(root, undefined).run, tree);
}

const noProgram = (message: string): CelMistakes => new CelMistakes(message, true);

interface Planned {
  readonly run: Run;
  /** The attribute to which later links of a chain are added. */
  readonly attribute?: Attribute;
  /** The value, if cel-go notices that it does not depend on a variable. */
  readonly constant?: { readonly value: CelValue };
}

/** The variables of folds, by name: inner ones hide outer ones. */
interface Slots {
  readonly name: string;
  readonly read: Run;
  readonly depth: number;
  readonly outer: Slots | undefined;
}

/** @throws Panic */
function valueOf(run: Run): CelValue | EvaluationError {
  return attempt(run, new Frame(new Map()));
}

function constant(value: CelValue): Planned {
  return { run: () => value, constant: { value } };
}

function ofAttribute(attribute: Attribute): Planned {
  return { run: readAttribute(attribute), attribute };
}

/** Whether a macro binds the name. */
function isBound(name: string, slots: Slots | undefined): boolean {
  for (let slot = slots; slot !== undefined; slot = slot.outer) if (slot.name === name) return true;
  return false;
}

class Planner {
  constructor(private readonly language: Language) {}

  plan(node: Node, slots: Slots | undefined): Planned {
    switch (node.kind) {
      case 'literal':
        return constant(node.value);
      case 'identifier':
        return this.planName(node, node.name, slots);
      case 'select': {
        if (node.qualified !== undefined) return this.planName(node, node.qualified, slots);
        const { field, isTest } = node;
        const qualifier = {
          isOptional: false,
          isTest,
          key: () => field,
          field,
        };
        const attribute = qualify(asAttribute(this.plan(node.operand, slots)), qualifier);
        return isTest ? { run: presence(attribute), attribute } : ofAttribute(attribute);
      }
      case 'call':
        return this.planCall(node, slots);
      case 'list':
        return this.planList(node, slots);
      case 'map':
        return this.planMap(node, slots);
      case 'fold':
        return { run: this.planFold(node, slots) };
      default:
        throw new NotEvaluable('the expression makes a message of protocol buffers');
    }
  }

  private planName(node: Node, written: string, slots: Slots | undefined): Planned {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const type = this.language.types.get(name);
    // A name of a type is that type, also where a macro binds it to another one.
    if (node.type?.kind === 'type') {
      const isLost = written !== name && isBound(name.split('.', 1)[0] as string, slots);
      if (type === undefined || (isLost && this.language.hidesDottedNames === true)) {
        throw noProgram(`reference to undefined type: ${isLost ? written : name}`);
      }
      return constant(new TypeValue(type.name));
    }
    for (let slot = slots; slot !== undefined; slot = slot.outer) {
      if (slot.name === name) return ofAttribute({ base: slot.read, qualifiers: [] });
    }
    const base: Run = (frame) => {
      const value = frame.variables.get(name);
      if (value === undefined) throw new EvaluationError(`no such attribute(s): ${name}`);
      return value;
    };
    return ofAttribute({ base, qualifiers: [] });
  }

  private planCall(node: Call, slots: Slots | undefined): Planned {
    const operands = node.target === undefined ? node.args : [node.target, ...node.args];
    const args = operands.map((operand) => this.plan(operand, slots));
    const [first, second, third] = args as [Planned, Planned, Planned];
    switch (node.name) {
      case '_&&_':
        return { run: connective(first.run, second.run, false) };
      case '_||_':
        return { run: connective(first.run, second.run, true) };
      case '_?_:_':
        return ofAttribute({
          condition: first.run,
          yes: asAttribute(second),
          no: asAttribute(third),
        });
      case '_==_':
        return {
          run: (frame) => {
            const one = first.run(frame);
            return equal(one, second.run(frame));
          },
        };
      case '_!=_':
        return {
          run: (frame) => {
            const one = first.run(frame);
            const other = second.run(frame);
            return attempt(() => equal(one, other)) !== true;
          },
        };
      case '_[_]':
        return this.planIndex(first, second, false);
      case '_[?_]':
      case '_?._':
        return this.planIndex(first, second, true);
      case 'or':
      case 'orValue':
        return {
          run: (frame) => {
            spend(1);
            const value = first.run(frame);
            if (!(value instanceof Optional)) return value;
            if (!value.isPresent) return second.run(frame);
            return node.name === 'orValue' ? (value.value as CelValue) : value;
          },
        };
      case '@not_strictly_false':
        return { run: (frame) => attempt(first.run, frame) !== false };
      default:
        return this.planFunction(node, args);
    }
  }

  private planIndex(operand: Planned, index: Planned, isOptional: boolean): Planned {
    if (index.constant !== undefined && !isKey(index.constant.value)) {
      throw noProgram(`invalid qualifier type: ${goTypeOf(index.constant.value)}`);
    }
    return ofAttribute(qualify(asAttribute(operand), { isOptional, key: index.run }));
  }

  private planFunction(node: Call, args: readonly Planned[]): Planned {
    const call = callOf(node, this.language);
    const runs = args.map((arg) => arg.run);
    const counted = this.language.foldsLiterals === true ? countedList(node) : undefined;
    const run =
      counted === undefined
        ? invoke(call, runs, node.name)
        : (frame: Frame) => {
            spend(1);
            const values = runs.map((arg) => attempt(arg, frame));
            const list = values[counted] as CelValue | EvaluationError;
            if (!(list instanceof CelList)) throw new Panic(notCountable(list));
            for (const value of values) if (value instanceof EvaluationError) throw value;
            return call(values as CelValue[]);
          };
    if (this.language.foldsLiterals !== true) return { run };
    if (node.overloads?.length === 1 && node.overloads[0]?.id === 'in_list') {
      const known = args[1]?.constant?.value;
      if (known instanceof CelList) {
        const optimised = membership((args[0] as Planned).run, known);
        if (optimised !== undefined) return optimised;
      }
    }
    if (conversions.has(node.name) && args.length === 1 && args[0]?.constant !== undefined) {
      const value = valueOf(run);
      if (value instanceof EvaluationError) throw noProgram(value.message);
      return constant(value);
    }
    const pattern = args[1]?.constant?.value;
    const withPattern = this.language.functions.find(node.name)?.withPattern;
    if (withPattern !== undefined && typeof pattern === 'string') {
      const matching = withPattern(pattern);
      if (typeof matching === 'string') throw noProgram(matching);
      return {
        run: invoke(
          matching,
          args.map((arg) => arg.run),
        ),
      };
    }
    return { run };
  }

  private planList({ items, optional }: ListLiteral, slots: Slots | undefined): Planned {
    const planned = items.map((item) => this.plan(item, slots));
    const runs = planned.map(({ run }) => run);
    const run: Run = (frame) => {
      spend(runs.length);
      const values: CelValue[] = [];
      for (let index = 0; index < runs.length; index++) {
        const value = (runs[index] as Run)(frame);
        if (optional.size === 0 || !optional.has(index)) values.push(value);
        else if (!(value instanceof Optional)) {
          throw new EvaluationError(
            `cannot initialize optional list element from non-optional value ${printed(value)}`,
          );
        } else if (value.isPresent) values.push(value.value as CelValue);
      }
      return listOf(values);
    };
    return this.folds(planned) ? literal(run) : { run };
  }

  private planMap({ entries }: MapLiteral, slots: Slots | undefined): Planned {
    const planned = entries.map(({ key, value, isOptional }) => ({
      key: this.plan(key, slots),
      value: this.plan(value, slots),
      isOptional,
    }));
    const run: Run = (frame) => {
      spend(planned.length);
      const made: (readonly [CelValue, CelValue | undefined])[] = [];
      for (const { key, value, isOptional } of planned) {
        const [name, content] = [key.run(frame), value.run(frame)];
        if (!isOptional) made.push([name, content]);
        else if (content instanceof Optional) made.push([name, content.value]);
        else {
          throw new EvaluationError(
            `cannot initialize optional entry '${printed(name)}' from non-optional value ${printed(content)}`,
          );
        }
      }
      return mapOf(made);
    };
    return this.folds(planned.flatMap(({ key, value }) => [key, value])) ? literal(run) : { run };
  }

  private folds(parts: readonly Planned[]): boolean {
    return (
      this.language.foldsLiterals === true && parts.every(({ constant: it }) => it !== undefined)
    );
  }

  private planFold(node: Fold, slots: Slots | undefined): Run {
    const depth = slots === undefined ? 0 : slots.depth + 1;
    const range = this.plan(node.range, slots).run;
    const { run: initial, constant: known } = this.plan(node.initial, slots);
    const accumulator: Slots = {
      name: node.accumulator,
      read: (frame) => readLocal(frame, depth, initial),
      depth,
      outer: slots,
    };
    const variable = variableAt(node.variable, depth + 1, accumulator);
    const inner =
      node.secondVariable === undefined
        ? variable
        : variableAt(node.secondVariable, depth + 2, variable);
    const isPaired = node.secondVariable !== undefined;
    const run = this.planLoop(node, inner, accumulator);
    return (frame) => {
      const entries = new Entries(range(frame), frame, depth, isPaired);
      frame.locals[depth] = known && growing(known.value);
      return run(frame, entries);
    };
  }

  private planLoop(node: Fold, inner: Slots, accumulator: Slots): Loop {
    const quantified = quantifierOf(node);
    if (quantified !== undefined) {
      const { initial } = quantified;
      const predicate = this.plan(quantified.predicate, inner).run;
      return typeof initial === 'boolean'
        ? joining(predicate, !initial)
        : (frame, entries) => {
            let count = 0;
            let failure: EvaluationError | undefined;
            while (entries.enter()) {
              const holds = attempt(predicate, frame);
              if (holds === true) count++;
              else if (holds !== false)
                failure = holds instanceof EvaluationError ? holds : noSuchOverload();
            }
            if (failure !== undefined) throw failure;
            return count === 1;
          };
    }
    const { run: condition, constant: known } = this.plan(node.condition, inner);
    const step = this.plan(node.step, inner).run;
    const result = this.plan(node.result, accumulator).run;
    const { depth } = accumulator;
    return (frame, entries) => {
      while (entries.enter() && (known?.value === true || attempt(condition, frame) !== false)) {
        frame.locals[depth] = attempt(step, frame);
      }
      return finished(result(frame));
    };
  }
}

type Loop = (frame: Frame, entries: Entries) => CelValue;

/** `all` and `exists`: a fold that ends with the decisive value. */
function joining(predicate: Run, decisive: boolean): Loop {
  return (frame, entries) => {
    let found: boolean | EvaluationError = !decisive;
    while (found !== decisive && entries.enter()) {
      found = joined(found, attempt(predicate, frame), decisive);
    }
    return valueIn(found);
  };
}

interface Quantifier {
  readonly initial: CelValue;
  readonly predicate: Node;
}

function quantifierOf({ accumulator, initial, condition, step }: Fold): Quantifier | undefined {
  const isOwn = (node?: Node): boolean => node?.kind === 'identifier' && node.name === accumulator;
  if (initial.kind !== 'literal' || step.kind !== 'call' || accumulator !== '@result') return undefined; // prettier-ignore
  const [first, second, third] = step.args;
  const isJoined = condition.kind === 'call' && isOwn(first);
  const predicate = isJoined ? second : isOwn(third) ? first : undefined;
  return predicate && { initial: initial.value, predicate };
}

/** Testing an optional chain gives an optional, too. */
function presence(attribute: Attribute): Run {
  const read = readAttribute(attribute);
  return (frame) => {
    const found = read(frame);
    return found instanceof Optional ? found.isPresent : found;
  };
}

/** Kubernetes counts its items for the cost of the call, and breaks down over what is no list. */
function countedList({ overloads = [] }: Call): number | undefined {
  const [first, ...others] = overloads;
  if (first === undefined || others.length > 0) return undefined;
  if (first.id === 'list_distinct' || /^list_.*_sort$/.test(first.id)) return 0;
  return first.id.endsWith('_sortByAssociatedKeys') ? 1 : undefined;
}

function notCountable(value: Exclude<CelValue, CelList> | EvaluationError): string {
  const isError = value instanceof EvaluationError;
  const type = isError ? '*types.Err' : goTypeOf(value);
  const hasAdd = typeof value === 'bigint' || typeof value === 'string';
  return `interface conversion: ${type} is not traits.Lister: missing method ${hasAdd ? 'Contains' : 'Add'}`;
}

function asAttribute({ attribute, run }: Planned): Attribute {
  return attribute ?? { base: run, qualifiers: [] };
}

/** A literal of literals; an error in it is its value. */
function literal(run: Run): Planned {
  try {
    const value = valueOf(run);
    return value instanceof EvaluationError ? { run } : constant(value);
  } catch (error) {
    if (error instanceof Panic) throw new CompilerPanic(error.message);
    throw error;
  }
}

function isKey(value: CelValue): boolean {
  return value !== null && (typeof value !== 'object' || goTypeOf(value) === 'types.Uint');
}

const conversions = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

function invoke(call: Implementation, args: readonly Run[], name = ''): Run {
  const [first, second] = args as [Run, Run];
  const quick = quickly.get(name);
  if (args.length === 1)
    return (frame) => {
      spend(1);
      return call([paid(first(frame))]);
    };
  if (args.length === 2)
    return (frame) => {
      spend(1);
      const left = paid(first(frame));
      const right = paid(second(frame));
      return quick?.(left, right) ?? call([left, right]);
    };
  return (frame) => {
    spend(1);
    return call(args.map((arg) => arg(frame)).map(paid));
  };
}

/** The argument of a call, which looks through it where it is long. */
function paid(value: CelValue): CelValue {
  if (typeof value === 'string' || value instanceof Uint8Array) spendOnText(value.length);
  return value;
}

type Quick = (left: CelValue, right: CelValue) => CelValue | undefined;

/** Whether two values are numbers of one type, and neither is NaN. */
function areOrdered(left: unknown, right: unknown): boolean {
  if (typeof left === 'bigint') return typeof right === 'bigint';
  return typeof left === 'number' && typeof right === 'number' && left === left && right === right;
}

/** The answer for arguments of the commonest types, without looking for an overload. */
const quickly = new Map<string, Quick>([
  ['_<_', (left, right) => (areOrdered(left, right) ? (left as bigint) < (right as bigint) : undefined)], // prettier-ignore
  ['_<=_', (left, right) => (areOrdered(left, right) ? (left as bigint) <= (right as bigint) : undefined)], // prettier-ignore
  ['_>_', (left, right) => (areOrdered(left, right) ? (left as bigint) > (right as bigint) : undefined)], // prettier-ignore
  ['_>=_', (left, right) => (areOrdered(left, right) ? (left as bigint) >= (right as bigint) : undefined)], // prettier-ignore
  ['_+_', (left, right) => (left instanceof GrowingList ? left.plus(right) : undefined)],
]);

/** `&&` and `||`: false or true on one side makes an error on the other one not count. */
function connective(left: Run, right: Run, decisive: boolean): Run {
  return (frame) => {
    const first = attempt(left, frame);
    return first === decisive ? decisive : valueIn(joined(first, attempt(right, frame), decisive));
  };
}

function joined(
  first: CelValue | EvaluationError,
  second: CelValue | EvaluationError,
  decisive: boolean,
): boolean | EvaluationError {
  if (second === decisive) return decisive;
  if (typeof first !== 'boolean')
    return first instanceof EvaluationError ? first : noSuchOverload();
  if (typeof second === 'boolean') return !decisive;
  return second instanceof EvaluationError ? second : noSuchOverload();
}

/** @throws EvaluationError that was the outcome */
function valueIn(found: CelValue | EvaluationError): CelValue {
  if (found instanceof EvaluationError) throw found;
  return found;
}

function mapOf(entries: readonly (readonly [CelValue, CelValue | undefined])[]): ValueMap {
  const kept: (readonly [CelValue, CelValue])[] = [];
  for (const [key, value] of entries) {
    if (value !== undefined) kept.push([key, value]);
    else {
      // An optional entry that is absent takes away an entry of the same key before it.
      for (let index = kept.length - 1; index >= 0; index--) {
        if (kept[index]?.[0] === key) kept.splice(index, 1);
      }
    }
  }
  return new ValueMap(kept);
}

function variableAt(name: string, depth: number, outer: Slots): Slots {
  return { name, read: (frame) => readLocal(frame, depth, undefined), depth, outer };
}

/** The accumulator has its first value when it is read. */
function readLocal(frame: Frame, slot: number, initial: Run | undefined): CelValue {
  const value = frame.locals[slot];
  return value === undefined
    ? valueIn(
        (frame.locals[slot] = attempt(
          (outside) => growing((initial as Run)(outside)),
          frame.outside(slot),
        )),
      )
    : valueIn(value);
}

/** Folds collect into what they start from, where that is empty. */
function growing(value: CelValue): CelValue {
  if (value instanceof CelList && value.size === 0) return new GrowingList();
  return value instanceof CelMap && value.size === 0 ? new GrowingMap() : value;
}

function finished(value: CelValue): CelValue {
  return value instanceof GrowingList || value instanceof GrowingMap ? value.finished() : value;
}

/** The entries of what a fold goes through, one after the other in the slots of its variables. */
class Entries {
  private readonly list: CelList | undefined;
  private readonly keys: readonly CelValue[] | undefined;
  private readonly size: number;
  private index = 0;

  /** @throws EvaluationError for a range without entries */
  constructor(
    private readonly range: CelValue,
    private readonly frame: Frame,
    private readonly slot: number,
    private readonly isPaired: boolean,
  ) {
    if (range instanceof CelList) this.list = range;
    else if (range instanceof CelMap) this.keys = range.keys();
    else {
      const type = goTypeOf(range);
      throw new EvaluationError(
        isPaired
          ? `unsupported comprehension range type: ${type}`
          : `got '${type}', expected iterable type`,
      );
    }
    this.size =
      this.list === undefined ? (this.keys as readonly CelValue[]).length : this.list.size;
  }

  /** False after the last one. */
  enter(): boolean {
    const { index, slot, isPaired } = this;
    if (index >= this.size) return false;
    spend(1);
    const { locals } = this.frame;
    const here = isPaired ? BigInt(index) : undefined;
    // A key may be null.
    locals[slot + 1] =
      this.keys === undefined ? (here ?? attempt(this.read, index)) : this.keys[index];
    if (isPaired) locals[slot + 2] = attempt(this.read, index);
    this.index++;
    return true;
  }

  private readonly read = (index: number): CelValue => {
    if (this.list !== undefined) return this.list.at(index);
    const key = (this.keys as readonly CelValue[])[index] as CelValue;
    return (this.range as CelMap).find(key) ?? null;
  };
}

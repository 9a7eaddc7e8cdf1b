/** Values and truth of an expression under the answers of a case. */
import {
  CelList,
  CelMistakes,
  type CelValue,
  Duration,
  EvaluationError,
  isOptional,
  kubernetes,
  nanosOf,
  makeProgram,
  type Node,
  NotEvaluable,
  Panic,
  Timestamp,
  types,
} from '../../../../cel/index.js';
import { stepsPerValue } from '../../budget.js';
import { literalOf } from '../scalars.js';
import {
  type Spot,
  type Sum,
  itemAt,
  itemOf,
  keyOfMap,
  nameOf,
  isSized,
  isNoItem,
  isText,
  fractionOf,
} from './spots.js';
import {
  derivedSpot,
  derivedValue,
  integerTexts,
  oneCharacter,
  partOf,
  pieceAt,
  text as anyText,
} from './derived.js';
import { nothing, type Range, sumOf } from './facts.js';
import {
  type Outcomes,
  yes,
  no,
  failure,
  both,
  not,
  isConstant,
  type Value,
  sure,
  unsure,
  failed,
  worst,
  ofAnswer,
  ofOutcomes,
  outcomesOf,
  sameByOthers,
  integerSum,
  ofSum,
  choices,
  failing,
  type Atom,
  type Case,
  type Context,
  type Example,
} from './case.js';
import {
  comparisons,
  logic,
  orders,
  lazy,
  isPlainText,
  isPlainType,
  isTotal,
  operandsOf,
  quantifiedOf,
  existsOfFilter,
  literalText,
} from './trees.js';
import { Questions } from './questions.js';

/** For calls whose arguments are known. */
const stepsOfCall = 100_000;

/** Longer texts are not followed: each call in a chain may double them. */
const longestMade = 1_000;

const charactersPerValue = 500;

/** Tests of a text that is in another one. */
const relations = new Set(['startsWith', 'endsWith', 'contains']);

/** Longer lists that a rule writes out are asked of as a whole. */
const maxItems = 40;

/** Open questions of one part of a sum. */
const splitsOfRange = 4;

/** Patterns do not count further. */
const maxIndex = 100n;

function constantOf(value: CelValue): Value {
  return isConstant(value) ? { fails: 'never', constant: value } : sure;
}

function isChain({ type }: Node): boolean {
  return type !== undefined && isOptional(type);
}

const ofOptionals = new Set(['hasValue', 'orValue', 'value']);

export abstract class Evaluation extends Questions {
  private readonly made = new Map<Node, Map<string, Node & { kind: 'call' }>>();
  /** Items that a filter finds whose size is asked for, by the place of that size. */
  readonly counted = new Map<string, (known: Case) => Example | undefined>();
  protected readonly results = new Map<Node, Map<string, Value>>();

  protected truth(node: Node, at: Context): Outcomes {
    this.looked++;
    if (node.kind === 'call' && logic.has(node.name)) {
      const of = (each: Node | undefined): Outcomes =>
        each === undefined ? yes | no | failure : this.truth(each, at);
      const [first, second, third] = operandsOf(node);
      switch (node.name) {
        case '_&&_':
          return both(of(first), of(second));
        case '_||_':
          return not(both(not(of(first)), not(of(second))));
        case '!_':
          return not(of(first));
        case '_?_:_': {
          const condition = of(first);
          return (
            ((condition & yes) === 0 ? 0 : of(second)) |
            ((condition & no) === 0 ? 0 : of(third)) |
            (condition & failure)
          );
        }
        case '_==_':
        case '_!=_': {
          const same = this.equality(node, at);
          return node.name === '_==_' ? same : not(same);
        }
        default:
      }
    }
    const { fails, constant, outcomes, example, usual, list } = this.value(node, at);
    if (fails === 'always') return failure;
    if (outcomes !== undefined) return outcomes;
    const whether = fails === 'never' ? 0 : failure;
    if (typeof constant === 'boolean') return (constant ? yes : no) | whether;
    if (constant !== undefined) return failure;
    // A value without a type of its own may be no bool, and every operator and macro fails for that.
    const isSure = fails === 'never' && node.type?.kind === 'bool';
    if (isSure && node.kind === 'call') {
      const outcomes = this.lessThan(node, at);
      if (outcomes !== undefined) return outcomes;
    }
    return this.opaque(node, at, { mayFail: !isSure, example, usual, list });
  }

  protected equality(node: Node & { kind: 'call' }, at: Context): Outcomes {
    const [left, right] = operandsOf(node) as [Node, Node];
    if (left.type?.kind === 'bool' && right.type?.kind === 'bool') {
      const [one, two] = [left, right].map((each) => this.truth(each, at)) as [Outcomes, Outcomes];
      const are = (outcome: Outcomes): boolean => one === outcome && two === outcome;
      if (are(yes) || are(no)) return yes;
      if ((one === yes && two === no) || (one === no && two === yes)) return no;
      return yes | no | ((one | two) & failure);
    }
    const [one, two] = [left, right].map((each) => this.value(each, at)) as [Value, Value];
    if (one.fails === 'always' || two.fails === 'always') return failure;
    const whether = one.fails === 'maybe' || two.fails === 'maybe' ? failure : 0;
    const apart = whether === 0 ? undefined : this.byRange('_==_', [left, right], at);
    if (apart !== undefined) return outcomesOf(apart);
    const same = this.areSame(one.constant, two.constant);
    if (same !== undefined) return (same ? yes : no) | whether;
    const bothWays = [
      [one, two],
      [two, one],
    ] as const;
    const isOpaque = left.type?.kind === 'opaque';
    const ordered =
      whether === 0 && !isOpaque ? this.ordered('_==_', one, two, at.known) : undefined;
    if (ordered !== undefined) return outcomesOf(ordered);
    for (const [side, other] of bothWays) {
      if (whether !== 0 || side.constant !== undefined || typeof other.constant !== 'string')
        continue;
      const tested = this.tested('_==_', side, other.constant, at.known);
      if (tested !== undefined) return outcomesOf(tested);
    }
    for (const [side, other] of bothWays) {
      const { spot, otherwise } = side.spot?.source ?? {};
      if (whether !== 0 || otherwise === undefined || spot?.key !== other.spot?.key) continue;
      const differs = spot && this.matches(spot, otherwise, at.known);
      if (differs !== undefined) return not(outcomesOf(differs));
    }
    const isKnown = whether === 0 && one.spot !== undefined && two.spot !== undefined;
    const isOfPlain = isPlainType(left.type) && isPlainType(right.type);
    if (isKnown && isOfPlain && one.spot.key === two.spot.key) return yes;
    const byOthers = isKnown ? sameByOthers(one.spot, two.spot, at.known) : undefined;
    if (byOthers !== undefined) return byOthers ? yes : no;
    for (const [side, other] of bothWays) {
      if (whether !== 0 || side.items?.length !== 0 || other.spot?.before?.type !== 'array')
        continue;
      const isEmpty = this.isAtMost(sumOf({ spot: other.spot, isSize: true }), 0n, at.known);
      return outcomesOf(ofAnswer(isEmpty));
    }
    // Lists, maps and values of libraries may have what cannot be compared.
    const mayFail = whether !== 0 || !isOfPlain;
    if (isKnown && !isOfPlain && this.haveOtherFields(one.spot, two.spot, at.known))
      return no | failure;
    const [first, second] = [left, right].map((each) => this.keyOf(each, at.scope));
    const isOrdered = [`${first} < ${second}`, `${second} < ${first}`].some(
      (key) => at.known.get(key)?.answer === true,
    );
    if (isOrdered && !mayFail) return no;
    const answer = this.opaque(node, at, { mayFail, compared: [one.spot, two.spot] });
    return node.name === '_==_' ? answer : not(answer);
  }

  /** Whether a field is only in one of two objects, or is known to be another one there. */
  private haveOtherFields(one: Spot, two: Spot, known: Case): boolean {
    this.looked += known.size / 10;
    const counterpart = (key: string): string | undefined => {
      const name = key.startsWith(one.key) ? key.slice(one.key.length) : '';
      return /^(?:\.\w+)+$/.test(name) ? `${two.key}${name}` : undefined;
    };
    return [...known.values()].some(({ atom: { spot, about, compared = [] }, answer }) => {
      const [left, right] = compared.map((each) => each?.key ?? '');
      if (left !== undefined && right !== undefined) {
        // A value that is there and cannot be compared cannot be compared as a part either.
        const isOther =
          answer === false || (answer === failing && known.get(`has ${left}`)?.answer === true);
        return isOther && (counterpart(left) === right || counterpart(right) === left);
      }
      const key = spot && counterpart(spot.key);
      const mark = about === 'presence' ? 'has' : about === 'value' ? '=' : undefined;
      const other = mark && key && known.get(`${mark} ${key}`)?.answer;
      if (other === undefined || other === '' || other === failing || answer === failing)
        return false;
      return this.areSame(answer, other) === false;
    });
  }

  protected value(node: Node, at: Context): Value {
    this.looked++;
    switch (node.kind) {
      case 'literal':
        return isConstant(node.value) ? { fails: 'never', constant: node.value } : sure;
      case 'identifier':
        // A name of a type is that type, whatever a macro binds to it.
        return node.type?.kind === 'type' ? unsure : this.named(at.scope.get(node.name), at.known);
      case 'list': {
        if (node.optional.size > 0) return unsure;
        const items = node.items.map((item) => this.item(item, at));
        // It is made whole before anything looks at it: a failing entry is a failing list.
        return { fails: worst(items), items };
      }
      case 'select': {
        if (node.isTest && isChain(node.operand)) {
          const { there } = this.linked(node.operand, node.field, at) ?? {};
          return there === undefined ? unsure : ofOutcomes(there);
        }
        const operand = this.value(node.operand, at);
        return node.isTest
          ? this.presenceOf(operand, node.field, at.known)
          : this.selected(operand, node.field, at.known);
      }
      case 'fold':
        return this.fold(node, at);
      case 'call':
        return this.called(node, at);
      default:
        return unsure;
    }
  }

  protected named(value: Value | undefined, known: Case): Value {
    if (value === undefined) return unsure;
    return value.spot !== undefined && value.fails === 'never' && value.constant === undefined
      ? this.atSpot(value.spot, known)
      : value;
  }

  protected item(node: Node, at: Context): Value {
    if (node.type?.kind !== 'bool') return this.value(node, at);
    return ofOutcomes(this.truth(node, at));
  }

  protected called(node: Node & { kind: 'call' }, at: Context): Value {
    const operands = operandsOf(node);
    if (node.name === '_?_:_') {
      const [condition, then, otherwise] = operands as [Node, Node, Node];
      const outcomes = this.truth(condition, at);
      if (outcomes === failure) return failed;
      const chosen = outcomes === yes ? then : outcomes === no ? otherwise : undefined;
      return chosen === undefined ? unsure : this.value(chosen, at);
    }
    if (node.type?.kind === 'bool' && logic.has(node.name)) return ofOutcomes(this.truth(node, at));
    const optional = this.optional(node, at);
    if (optional !== undefined) return optional;
    const args = operands.map((each) => this.item(each, at));
    if (lazy.has(node.name)) return this.term(node, at, true);
    const fails = worst(args);
    if (fails === 'always') return { fails };
    const [one, two] = args;
    const item = node.name === '@in' && two?.spot !== undefined ? itemOf(two.spot) : undefined;
    const isOdd =
      this.hasFractions &&
      node.name === '@in' &&
      (item === undefined
        ? two?.items === undefined && operands[1]?.type?.parameters.at(-1)?.kind === 'int'
        : fractionOf(item) !== undefined);
    const sides = fails === 'maybe' && comparisons.has(node.name) ? operands : [];
    const decided = sides.length === 0 ? undefined : this.byRange(node.name, sides, at);
    if (decided !== undefined) return decided;
    const mayFail = fails === 'maybe' || isOdd || !isTotal(node.name, operands, two);
    if (node.name === '_[_]' && one?.spot !== undefined && two?.spot?.term !== undefined) {
      const inner = two.spot.key === keyOfMap(one.spot).key ? itemOf(one.spot) : undefined;
      if (fails === 'never' && inner !== undefined) return this.atSpot(inner, at.known);
    }
    const literal = this.evaluated(node, args);
    if (literal !== undefined) return literal;
    if (node.name === '_[_]' && fails === 'never' && typeof two?.constant === 'bigint') {
      if (one?.items !== undefined) return one.items[Number(two.constant)] ?? failed;
      const item = one?.spot && this.atIndex(one.spot, two.constant, at.known);
      if (item !== undefined) return item;
    }
    if (node.name === 'size' && one !== undefined && one.fails === 'never') {
      const size = one.items?.length;
      if (size !== undefined) return { fails: 'never', constant: BigInt(size) };
      if (one.spot !== undefined && isSized(one.spot))
        return ofSum(sumOf({ spot: one.spot, isSize: true }));
    }
    if (one !== undefined && fails === 'never') {
      const text = two?.constant;
      const order = two === undefined ? undefined : orders.get(node.name);
      const answer =
        two !== undefined && typeof text === 'string'
          ? node.name === 'find'
            ? this.found(node, one, text, at.known)
            : this.tested(node.name, one, text, at.known)
          : order !== undefined && two !== undefined
            ? this.ordered(order, one, two, at.known)
            : node.type?.kind === 'int'
              ? this.computed(node.name, args, at.known)
              : undefined;
      if (answer !== undefined) return answer;
      const derived = this.derived(node, args, at);
      if (derived !== undefined) return derived;
    }
    if (node.name === '@in' && two?.items !== undefined) {
      const texts = two.items.map(({ constant }) => constant);
      const isOfTexts = texts.length > 0 && texts.every(isPlainText);
      if (
        !mayFail &&
        isOfTexts &&
        one?.constant === undefined &&
        one?.spot !== undefined &&
        isText(one.spot)
      ) {
        const answer = this.matches(one.spot, `^(?:${texts.map(literalOf).join('|')})$`, at.known);
        if (answer !== undefined) return answer;
      }
      const found = two.items.map((each) => {
        const same = this.areSame(one?.constant, each.constant);
        if (same !== undefined || one === undefined || mayFail) return same;
        return this.ordered('_==_', one, each, at.known)?.constant;
      });
      const isThere = found.includes(true);
      if (!mayFail && (isThere || found.every((each) => each === false)))
        return { fails: 'never', constant: isThere };
    }
    const [left, right] = operands as [Node, Node];
    if (node.name === '@in' && !mayFail && right.kind === 'list' && right.items.length <= maxItems)
      return ofOutcomes(
        right.items.reduce((all, item) => {
          const same = this.equality(this.remade(node, '_==_', [left, item]), at);
          return not(both(not(all), not(same)));
        }, no),
      );
    if (relations.has(node.name) && one?.spot && two?.spot && !mayFail && isText(two.spot)) {
      const isSame = this.equality(this.remade(node, '_==_', [left, right]), at);
      if (isSame !== no) return isSame === yes ? { fails: 'never', constant: true } : sure;
      const isWithin =
        node.name === 'contains'
          ? yes
          : this.truth(this.remade(node, 'contains', [left, right]), at);
      if (isWithin !== yes) return isWithin === no ? { fails: 'never', constant: false } : sure;
    }
    if (node.name === '@in' && !mayFail && isNoItem(one?.constant, two?.spot))
      return { fails: 'never', constant: false };
    const list = node.name === '@in' ? two?.spot : undefined;
    if (list !== undefined && item !== undefined && typeof one?.constant === 'string') {
      const spot = list.before?.type === 'array' ? item : keyOfMap(list);
      const atom: Atom = { key: `= ${spot.key}`, choices, spot, about: 'value' };
      const held: Case = new Map([[atom.key, { atom, answer: one.constant }]]);
      return { ...(mayFail ? unsure : sure), list, example: { answer: true, item, known: held } };
    }
    const existing = node.name === 'size' ? existsOfFilter(operands[0]) : undefined;
    if (existing?.step.kind === 'call') {
      const { variable, range, step } = existing;
      const { fails, spot } = this.value(range, at);
      if (fails === 'never' && spot && this.isOfOne(spot, variable, step.args[1] as Node, at))
        return { fails: 'never', constant: 1n };
      const key = `(${this.keyOf(node, at.scope)})`;
      const found = at.known.has(`fails ${key}`) ? unsure : this.fold(existing, at);
      if (found.fails === 'never' && found.constant === false)
        return { fails: 'never', constant: 0n };
      this.counted.set(key, (known) => this.fold(existing, { ...at, known }).example);
    }
    if (node.name === '_+_' && one?.items !== undefined && two?.items !== undefined)
      return {
        fails: mayFail && fails !== 'never' ? 'maybe' : 'never',
        items: [...one.items, ...two.items],
      };
    return list === undefined
      ? this.term(node, at, mayFail)
      : { fails: mayFail ? 'maybe' : 'never', list };
  }

  /** Undefined where items are not followed. */
  private atIndex(list: Spot, index: bigint, known: Case): Value | undefined {
    const item = list.before?.type === 'array' && list.term === undefined && itemAt(list, index);
    if (!item || index < 0n || !isSized(list)) return undefined;
    const isShort = this.isAtMost(sumOf({ spot: list, isSize: true }), index, known);
    if (isShort === false) return this.atSpot(item, known);
    return isShort === undefined ? unsure : failed;
  }

  /** The answer of a comparison of integers by the least and the most that each of them comes to. */
  private byRange(name: string, sides: readonly Node[], at: Context): Value | undefined {
    const [left, right] = sides.map((each) => this.rangeOf(each, at, splitsOfRange));
    if (left === undefined || right === undefined) return undefined;
    const isTurned = name === '_>_' || name === '_>=_';
    const [low, high] = isTurned ? [right, left] : [left, right];
    if (name === '_==_') return low[1] < high[0] || low[0] > high[1] ? ofAnswer(false) : undefined;
    const plus = name === '_<_' || name === '_>_' ? 1n : 0n;
    if (low[1] + plus <= high[0]) return ofAnswer(true);
    return low[0] + plus > high[1] ? ofAnswer(false) : undefined;
  }

  /** Of an integer that never fails, whatever the answers to what is open in it. */
  private rangeOf(node: Node, at: Context, splits: number): Range | undefined {
    if (node.type?.kind !== 'int' || this.isOver) return undefined;
    const args = node.kind === 'call' ? operandsOf(node) : [];
    if (node.kind === 'call' && args.length === 2 && ['_+_', '_-_'].includes(node.name)) {
      const [one, two] = args.map((each) => this.rangeOf(each, at, splits));
      if (one === undefined || two === undefined) return undefined;
      const [low, high] = node.name === '_+_' ? two : [-two[1], -two[0]];
      const sum = [one[0] + low, one[1] + high] as const;
      return sum[0] >= -(2n ** 63n) && sum[1] < 2n ** 63n ? sum : undefined;
    }
    const { open } = this;
    this.open = undefined;
    let chosen: Node | undefined;
    let sum: Sum | undefined;
    if (node.kind === 'call' && node.name === '_?_:_') {
      const outcomes = this.truth(args[0] as Node, at);
      chosen = outcomes === yes ? args[1] : outcomes === no ? args[2] : undefined;
    } else {
      const value = this.value(node, at);
      sum = value.fails === 'never' ? integerSum(value) : undefined;
    }
    const atom = this.open as Atom | undefined;
    this.open = open;
    if (chosen !== undefined) return this.rangeOf(chosen, at, splits);
    if (sum !== undefined) return this.factsOf(at.known).rangeOf(sum);
    if (atom === undefined || splits === 0) return undefined;
    const ranges = atom.choices.map((answer) => {
      const known = new Map(at.known).set(atom.key, { atom, answer });
      return this.rangeOf(node, { ...at, known }, splits - 1);
    });
    return ranges.reduce(
      (one, two) =>
        one && two && [one[0] < two[0] ? one[0] : two[0], one[1] > two[1] ? one[1] : two[1]],
    );
  }

  /** Another question about the same values, the same node each time. */
  protected remade(
    node: Node & { kind: 'call' },
    name: string,
    args: readonly Node[],
  ): Node & { kind: 'call' } {
    let made = this.made.get(node);
    if (made === undefined)
      this.made.set(node, (made = new Map<string, Node & { kind: 'call' }>()));
    const key = `${name} ${args.map(({ position }) => position).join()}`;
    let question = made.get(key);
    if (question === undefined) {
      question = { ...node, name, target: undefined, args };
      made.set(key, question);
    }
    return question;
  }

  /** A value that is worked out of another one, which is known by its place. */
  protected derived(
    node: Node & { kind: 'call' },
    args: readonly Value[],
    { scope, known }: Context,
  ): Value | undefined {
    const [one, two, three] = args;
    const { spot } = one ?? {};
    const key = this.keyOf(node, scope);
    if (node.name === 'int' && spot !== undefined && isText(spot) && spot.source === undefined) {
      const [isNumeral, isShort] = integerTexts.map((each) => this.matches(spot, each, known));
      if (isNumeral?.constant !== true) return isNumeral?.constant === false ? failed : unsure;
      if (isShort?.constant === undefined) return unsure;
      if (isShort.constant === false) return undefined;
    }
    const derived = derivedValue(node, key, args);
    if (derived !== undefined || spot === undefined) return derived;
    const { separated = { spot, by: '' } } = spot;
    const [from, to] = [two?.constant, three?.constant];
    if (typeof from !== 'bigint' || from < 0n || from > maxIndex) return undefined;
    const isPiece = node.name === '_[_]' && oneCharacter.test(separated.by);
    const isPart =
      ['substring', 'charAt'].includes(node.name) && isText(spot) && spot.source === undefined;
    if (!isPiece && !isPart) return undefined;
    const until = isPart && node.name === 'charAt' ? from + 1n : to;
    if (three !== undefined && (typeof until !== 'bigint' || until < from)) return undefined;
    if (typeof until !== 'bigint' && until !== undefined) return undefined;
    const size = sumOf({ spot, isSize: true });
    const needed = isPiece ? from + 1n : node.name === 'charAt' ? from : (until ?? from);
    const isShort = this.isAtMost(size, needed - 1n, known);
    if (isShort !== false) return isShort === undefined ? unsure : failed;
    if (node.name === 'charAt') {
      const isAtEnd = this.isAtMost(size, from, known);
      if (isAtEnd !== false) return isAtEnd === undefined ? sure : { fails: 'never', constant: '' };
    }
    const part = isPiece ? pieceAt(separated.spot, from, separated.by) : partOf(spot, from, until);
    return { fails: 'never', spot: derivedSpot(node, key, anyText, part) };
  }

  /** `a.?b.hasValue()`, `a.?b.orValue(c)`, `a.?b.value()`: they read what is there without a failure. */
  protected optional(node: Node & { kind: 'call' }, at: Context): Value | undefined {
    const { target, args, name } = node;
    if (target === undefined || !ofOptionals.has(name)) return undefined;
    const { there, value } = this.chained(target, at) ?? {};
    if (there === undefined || value === undefined) return undefined;
    if (name === 'hasValue') return ofOutcomes(there);
    if (there === failure) return failed;
    if (there === yes) return value;
    if (name === 'value') return there === no ? failed : unsure;
    return there === no && args[0] !== undefined ? this.item(args[0], at) : unsure;
  }

  /** Of an optional value: whether it is there, and its value if it surely is. */
  protected chained(node: Node, at: Context): { there: Outcomes; value: Value } | undefined {
    if (node.kind === 'select' && !node.isTest) return this.linked(node.operand, node.field, at);
    if (node.kind !== 'call') return undefined;
    const [first, second, third] = operandsOf(node);
    if (node.name === 'optional.none') return { there: no, value: unsure };
    if (first === undefined) return undefined;
    if (node.name === 'optional.of') {
      const value = this.item(first, at);
      const there =
        value.fails === 'never' ? yes : value.fails === 'always' ? failure : yes | failure;
      return { there, value };
    }
    if (second === undefined) return undefined;
    switch (node.name) {
      case '_?._':
      case '_[?_]': {
        const isName = second.kind === 'literal' && typeof second.value === 'string';
        return isName ? this.linked(first, String(second.value), at) : undefined;
      }
      case 'or': {
        const one = this.chained(first, at);
        return one?.there === no ? this.chained(second, at) : one?.there === yes ? one : undefined;
      }
      case '_?_:_': {
        const condition = this.truth(first, at);
        if (condition === failure) return { there: failure, value: failed };
        if (condition === yes) return this.chained(second, at);
        if (condition === no) return third && this.chained(third, at);
        return { there: yes | no | failure, value: unsure };
      }
      default:
        return undefined;
    }
  }

  /** A field of what is optional, or may be absent. */
  private linked(
    operand: Node,
    field: string,
    at: Context,
  ): { there: Outcomes; value: Value } | undefined {
    const before = isChain(operand)
      ? this.chained(operand, at)
      : { there: yes, value: this.value(operand, at) };
    if (before === undefined) return undefined;
    const { there, value } = before;
    if (there !== yes) return { there, value: unsure };
    if (value.fails !== 'never' || nameOf(value.spot, field) === undefined) return undefined;
    const presence = this.presenceOf(value, field, at.known);
    const isThere = presence.fails === 'always' ? failure : outcomesOf(presence);
    const inner = isThere === yes ? this.selected(value, field, at.known) : unsure;
    return { there: isThere, value: inner };
  }

  protected evaluated(node: Node & { kind: 'call' }, args: readonly Value[]): Value | undefined {
    const constants = args.map(({ fails, constant }) => (fails === 'never' ? constant : undefined));
    if (constants.length === 0 || !constants.every(isConstant)) return undefined;
    const values = constants as readonly CelValue[];
    if (this.isOver) return unsure;
    const key = values.map(literalText).join();
    this.looked += key.length / charactersPerValue;
    let known = this.results.get(node);
    if (known === undefined) this.results.set(node, (known = new Map<string, Value>()));
    let result = known.get(key);
    if (result === undefined) known.set(key, (result = this.evaluatedAnew(node, values)));
    return result;
  }

  protected evaluatedAnew(node: Node & { kind: 'call' }, constants: readonly CelValue[]): Value {
    this.budget.spend(10);
    const literals = operandsOf(node).map((each, index): Node => {
      return { ...each, kind: 'literal', value: constants[index] as CelValue };
    });
    const target = node.target && literals[0];
    const tree = { ...node, target, args: target === undefined ? literals : literals.slice(1) };
    const left = { steps: stepsOfCall };
    try {
      const program = makeProgram({ tree, type: node.type ?? types.dyn }, kubernetes);
      const value = program.evaluate(new Map(), left);
      if (typeof value === 'string' && value.length > longestMade) return sure;
      if (value instanceof Duration || value instanceof Timestamp)
        return { fails: 'never', sum: { ...nothing, plus: value.nanoseconds } };
      if (value instanceof CelList && value.size <= maxItems)
        return {
          fails: 'never',
          items: Array.from({ length: value.size }, (_, at) => constantOf(value.at(at))),
        };
      const nanos = nanosOf(value);
      if (nanos !== undefined) return { fails: 'never', sum: { ...nothing, plus: nanos } };
      return constantOf(value);
    } catch (error) {
      if (error instanceof EvaluationError) return failed;
      if ([NotEvaluable, CelMistakes, Panic].some((each) => error instanceof each)) return unsure;
      throw error;
    } finally {
      this.budget.spend((stepsOfCall - Math.max(0, left.steps)) / stepsPerValue);
    }
  }

  /** A fold over a list that the rule writes out. */
  protected unrolled(place: Node & { kind: 'fold' }, items: readonly Value[], at: Context): Value {
    const { scope } = at;
    const { variable, secondVariable, accumulator, initial, condition, step, result } = place;
    // A fold that may end early is not followed, but quantifiers come to the same without.
    if (secondVariable !== undefined) return unsure;
    if (condition.kind !== 'literal' && quantifiedOf(place) === undefined) return unsure;
    const [ofItem, ofSum] = [this.keyOf(place.range, scope), this.keyOf(place, scope)];
    let sum = this.item(initial, at);
    for (const [index, item] of items.entries()) {
      if (this.isOver) return unsure;
      const labelled = { ...item, label: `${ofItem} ${index}` };
      const inner = new Map(scope)
        .set(variable, labelled)
        .set(accumulator, { ...sum, label: `${ofSum} ${index}` });
      sum = this.item(step, { ...at, scope: inner });
    }
    const last = { ...sum, label: `${ofSum} ${items.length}` };
    return this.item(result, { ...at, scope: new Map(scope).set(accumulator, last) });
  }

  /** Whether a list has one item for which the body comes to true, the one in scope. */
  protected abstract isOfOne(list: Spot, variable: string, body: Node, at: Context): boolean;
  protected abstract fold(node: Node & { kind: 'fold' }, at: Context): Value;
}

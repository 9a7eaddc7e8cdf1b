/**
 * Whether a rule can refuse anything at all, by cases: which fields are there, which of the few values
 * that the old schema leaves them they have, between which bounds and of which patterns they are. What
 * else a rule asks is taken for either answer, so that a proof holds whatever it is; two rules that ask
 * the same are given the same answer.
 */
import {
  CelMistakes,
  type CelType,
  type CelValue,
  childrenOf,
  Duration,
  EvaluationError,
  kubernetes,
  makeProgram,
  type Node,
  NoProgram,
  NotEvaluable,
  Panic,
  types,
  Uint,
} from '../../../cel/index.js';
import { compilePattern } from '../../../text/go/regexp.js';
import { largest } from '../../../text/long-lists.js';
import {
  compileRuleExpression,
  escapeName,
  readSchema,
  type SchemaNode,
  typeOfSchema,
  unescapeName,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import {
  added,
  type Fact,
  FactsByPlace,
  fractionOf,
  hasSameDefault,
  isText,
  looksAlike,
  placeOf,
  sampleOf,
  type Spot,
  type Sum,
  sumOf,
  textOf,
  type Whole,
} from './facts.js';
import { valuesOf } from './directed.js';
import { literalOf } from './scalars.js';
import type { Budget } from '../budget.js';
import { absent, mergePins, ordinary, pinFields, pinValue, type Pin } from '../pin.js';
import { accepts, conjuncts, fieldOf, listedValues } from '../shape.js';

type Outcomes = number;
const yes = 1;
const no = 2;
const failure = 4;

/** Stands for every text that nothing names. */
const otherText: unique symbol = Symbol('other text');

type Constant = string | boolean | bigint | number | typeof otherText;

interface Value {
  readonly fails: 'never' | 'maybe' | 'always';
  readonly constant?: Constant;
  readonly spot?: Spot;
  readonly items?: readonly Value[];
  readonly outcomes?: Outcomes;
  /** Of integers, and of what is ordered as they are. */
  readonly sum?: Sum;
  /** An item for which a fold over the list comes to `answer`. */
  readonly example?: Example;
  /** The list or map of which something is asked of some item. */
  readonly list?: Spot;
  /** Tells it from others that a variable of the same name stands for. */
  readonly label?: string;
}

const failing: unique symbol = Symbol('failing');

/** Of which nothing else is known. One of each: a proof asks for hundreds of thousands. */
const sure: Value = { fails: 'never' };
const unsure: Value = { fails: 'maybe' };
const failed: Value = { fails: 'always' };

interface Atom {
  readonly key: string;
  readonly choices: readonly Answer[];
  readonly spot?: Spot;
  readonly about: 'presence' | 'value' | 'fact' | 'fraction' | 'anything';
  /** Known of the place once it is answered; the opposite is where the answer is no. */
  readonly fact?: Fact;
  readonly example?: Example | undefined;
  /** Has an item if the answer is yes. */
  readonly list?: Spot | undefined;
  /** Places that are compared. */
  readonly compared?: readonly (Spot | undefined)[];
  /** Of which either answer is taken, for it is not followed. */
  readonly node?: Node;
}

/** What an answer says beside. */
type Asked = Pick<Atom, 'example' | 'compared' | 'list'> & { readonly mayFail: boolean };

interface Example {
  readonly answer: boolean;
  readonly item: Spot;
  readonly known: Case;
}
/** `failing` where the rule itself fails. */
type Answer = string | boolean | bigint | typeof otherText | typeof failing;

interface Answered {
  readonly atom: Atom;
  readonly answer: Answer;
}
type Case = ReadonlyMap<string, Answered>;

type Scope = ReadonlyMap<string, Value>;
/** Where an expression is looked at. */
interface Context {
  readonly scope: Scope;
  readonly assumed: readonly Goal[];
  readonly known: Case;
  readonly depth: number;
}
interface Goal {
  readonly tree: Node;
  readonly scope: Scope;
  /** Its own questions are not asked: it counts as far as others decide it. */
  readonly isAside?: true;
  readonly path?: Assumed['path'];
}

export interface Assumed {
  readonly tree: Node;
  readonly isTransition: boolean;
  /** How many steps above the value that rules are asked about it stands. */
  readonly up?: number;
  /** Fields and items on the way to what it is about; it says nothing while that is absent. */
  readonly path?: readonly string[] | undefined;
}

export interface RuleCases {
  readonly isAlwaysTrue: boolean;
  /** Ways of giving and leaving out what the rule asks about that it may refuse. */
  readonly pins: readonly Pin[];
  /** The part of the rule that is not followed; undefined where all of it is. */
  readonly obstacle?: string | undefined;
  /** For a rule that is always true: the same with integers that have a fraction; undefined if it is still. */
  readonly odd: () => readonly Pin[] | undefined;
}

/** Splits of one rule. */
const maxSplits = 3_000;
/** Part of what is left of the budget that one rule may take, so that others get their turn. */
const shareOfRule = 1 / 4;
const deepest = 40;
const maxPins = 40;
const maxTexts = 12;

/** Rules that are assumed to hold; the schema of a real field has a dozen. */
const maxAssumed = 100;

/** Old rules that see the same under the new schema, compiled once for all that are held against them. */
export function compileAssumed(
  before: SchemaNode,
  known: readonly ValidationRule[],
  budget: Budget,
  asked: readonly string[] = [],
): readonly Assumed[] {
  const all: Assumed[] = [];
  const compile = (
    rules: readonly ValidationRule[],
    node: SchemaNode,
    path?: readonly string[],
  ): void => {
    const type = rules.length === 0 ? undefined : declaredType(node);
    for (const each of rules) {
      if (each.optionalOldSelf || all.length >= maxAssumed) continue;
      const tree = treeOf(each, type, budget);
      const isUpdate = isTransition(each);
      // Items are not told apart: which of them was which before is not known.
      if (tree !== undefined && !(isUpdate && path?.includes('[]') === true))
        all.push({ tree, isTransition: isUpdate, path });
    }
  };
  const descend = (node: SchemaNode, path: readonly string[]): void => {
    if (all.length >= maxAssumed || path.length > deepestAssumed || !node.holds('rules')) return;
    if (node.embeddedResource || node.intOrString || node.format !== '') return;
    if (path.length > 0) compile(node.rules, node, path);
    for (const [name, inner] of node.properties ?? []) {
      const identifier = escapeName(name) ?? name;
      if (asked.some((rule) => rule.includes(identifier))) descend(inner, [...path, name]);
    }
    if (node.type === 'array' && node.items !== undefined) descend(node.items, [...path, '[]']);
  };
  compile(known, before);
  if (asked.length > 0) descend(before, []);
  return all;
}

/** Fields and items on the way to rules that are assumed to hold. */
const deepestAssumed = 3;

/** Where a value stands in another one, whose rules see the same as they would under the new schema. */
export interface Around {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  readonly isResource: boolean;
  /** To the value. */
  readonly path: readonly string[];
  readonly assumed: readonly Assumed[];
}

/** @returns undefined for a rule that does not compile, or may have no old value */
export function ruleCases(
  before: SchemaNode,
  after: SchemaNode,
  rule: ValidationRule,
  known: readonly Assumed[],
  isResource: boolean,
  budget: Budget,
  around: Around = { before, after, isResource, path: [], assumed: [] },
  share = shareOfRule,
): RuleCases | undefined {
  if (budget.isSpent || rule.optionalOldSelf) return undefined;
  const tree = treeOf(rule, declaredType(after), budget);
  if (tree === undefined) return undefined;
  const isUpdate = isTransition(rule);
  const { path } = around;
  const [ways, oldWays] = ['self', 'oldSelf'].map((key) => wayFrom(key, around)) as [
    Spot[],
    Spot[],
  ];
  if (ways.length <= path.length) return ruleCases(before, after, rule, known, isResource, budget);
  const [of, ofOld] = [ways, oldWays].map((way) => (up: number): Value => {
    const spot = way[path.length - up] as Spot;
    return { fails: 'never', spot: up > 0 ? spot : { ...spot, before, after } };
  }) as [(up: number) => Value, (up: number) => Value];
  const scopeOf = (up: number): Scope =>
    new Map([
      ['self', of(up)],
      ['oldSelf', ofOld(up)],
    ]);
  const scope = scopeOf(0);
  const goals = [...known, ...around.assumed].flatMap((each): Goal[] => {
    const { tree, isTransition, path, up = 0 } = each;
    if (isTransition) return isUpdate ? [{ tree, scope: scopeOf(up), path }] : [];
    const [now, then] = [of, ofOld].map((self): Goal => {
      return { tree, scope: new Map([['self', self(up)]]), path };
    }) as [Goal, Goal];
    return isUpdate ? [now, then] : [now];
  });
  const given = presenceOf(isUpdate ? [ways, oldWays] : [ways]);
  const trees = new Set([tree, ...goals.map((each) => each.tree)]);
  const written = [...new Set([...trees].flatMap(textsIn))];
  budget.spend(trees.size + written.length);
  // One field may be compared with another: what is listed there is worth a case here.
  const texts = new Set([...written, ...listedBeside(before)]);
  const search = (hasFractions: boolean): Omit<RuleCases, 'odd'> => {
    const cases = new Cases(
      texts.size <= maxTexts ? [...texts] : written,
      hasFractions,
      budget,
      share,
    );
    const assumed = cases.withItems([...ways, ...oldWays], goals, given);
    const isAlwaysTrue = cases.holds({ tree, scope }, assumed, given, 0);
    const pins = cases.refused.flatMap((each): Pin[] => {
      const now = cases.pinOf(each, undefined);
      const all = isUpdate ? [cases.pinOf(each, now), now] : [now];
      return all.map((pin) => pinBelow(pin, path));
    });
    return { isAlwaysTrue, pins, obstacle: cases.obstacle };
  };
  return {
    ...search(false),
    odd: () => {
      const { isAlwaysTrue, pins } = search(true);
      return isAlwaysTrue ? undefined : pins;
    },
  };
}

/** From what is around a value down to it; shorter where a step is not followed. */
function wayFrom(key: string, { before, after, isResource, path }: Around): Spot[] {
  const way: Spot[] = [{ key, isOld: key === 'oldSelf', steps: [], before, after, isResource }];
  for (const step of path) {
    const last = way.at(-1) as Spot;
    const identifier = step === '[]' ? step : escapeName(step);
    const inner = step === '[]' ? itemOf(last) : identifier && innerOf(last, step, identifier);
    if (!inner) break;
    way.push(inner);
  }
  return way;
}

/** The fields on the way to a value are there. */
function presenceOf(ways: readonly (readonly Spot[])[]): Case {
  const spots = ways.flat().filter(({ steps }) => ![undefined, '[]'].includes(steps.at(-1)));
  return new Map(
    spots.map((spot): [string, Answered] => {
      const key = `has ${spot.key}`;
      return [key, { atom: { key, choices, spot, about: 'presence' }, answer: true }];
    }),
  );
}

function pinBelow(pin: Pin, path: readonly string[]): Pin {
  let at: Pin | undefined = pin;
  for (const step of path) {
    if (at?.kind === 'object') at = at.fields.get(step);
    else at = at?.kind === 'list' ? at.items[0] : undefined;
  }
  return at ?? ordinary;
}

function isTransition({ rule }: ValidationRule): boolean {
  return /\boldSelf\b/.test(rule);
}

export function declaredType(schema: SchemaNode, isResource = false): CelType | undefined {
  return typeOfSchema(schema, isResource || schema.embeddedResource);
}

export function treeOf(
  rule: ValidationRule,
  type: CelType | undefined,
  budget: Budget,
): Node | undefined {
  if (type === undefined) return undefined;
  // To compile a character takes the time of two values.
  budget.spend(2 * rule.rule.length);
  try {
    const { checked } = compileRuleExpression(rule.rule, rule, type, kubernetes);
    return checked.type.kind === types.bool.kind ? checked.tree : undefined;
  } catch (error) {
    if (error instanceof CelMistakes || error instanceof NotEvaluable) return undefined;
    throw error;
  }
}

/** Functions that fail for no value of the types that the checker lets them have. */
const total = new Set(
  'size startsWith endsWith contains lowerAscii upperAscii trim _<_ _<=_ _>_ _>=_'.split(' '),
);

/** Functions that may yield a value though an operand fails: an operand's failure is not surely theirs. */
const lazy = new Set(['@not_strictly_false', 'or', 'orValue', '_?._', '_[?_]']);

/** Types whose values are read and compared without a failure. */
const plain: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'null',
] as const);

function isPlainType(type: CelType | undefined): boolean {
  return type !== undefined && plain.has(type.kind);
}

/** A value without a type of its own may have one that a function does not take. */
function isTyped({ type }: Node): boolean {
  return type !== undefined && !['dyn', 'any', 'error', 'parameter'].includes(type.kind);
}

/** Whether a function fails for none of its arguments, if these do not fail. */
function isTotal(name: string, operands: readonly Node[], container: Value | undefined): boolean {
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
  return total.has(name);
}

const plainText = /^[ -~]*$/;

const textTests: ReadonlyMap<string, (text: string) => string> = new Map([
  ['startsWith', (text) => `^${literalOf(text)}`],
  ['endsWith', (text) => `${literalOf(text)}$`],
  ['contains', literalOf],
  ['matches', (pattern) => pattern],
]);

/** Followed operand by operand. */
const logic = new Set(['_&&_', '_||_', '!_', '_?_:_', '_==_', '_!=_']);

class Cases {
  refused: Case[] = [];
  obstacle: string | undefined;
  private readonly facts = new WeakMap<Case, FactsByPlace>();
  private readonly choices = new Map<string, readonly Answer[] | undefined>();
  private readonly opposites = new Map<Node, Node>();
  /** Keys of the items that a fold is just asked of. */
  private readonly within: string[] = [];
  private readonly alike = new Map<string, boolean>();
  private readonly results = new Map<Node, Map<string, Value>>();
  private readonly keys = new Map<Scope, Map<Node, string>>();
  private left = maxSplits;
  private readonly until: number;
  /** Expressions that were looked at and not paid for yet. */
  private looked = 0;
  private open: Atom | undefined;

  constructor(
    private readonly texts: readonly string[],
    private readonly hasFractions: boolean,
    private readonly budget: Budget,
    share: number,
  ) {
    this.until = budget.spent + budget.left * share;
  }

  /** Everything assumed, and what it says of the items that lie on the way to a value. */
  withItems(way: readonly Spot[], assumed: readonly Goal[], known: Case): readonly Goal[] {
    const items = way.filter(({ steps }) => steps.at(-1) === '[]').map(({ key }) => key);
    for (const item of items) this.within.push(item);
    return items.reduce<readonly Goal[]>((all, item) => {
      const inner = all.flatMap(({ tree, scope, path }) =>
        path === undefined ? this.bodiesOver(item, tree, scope, known, 0) : [],
      );
      return [...all, ...inner];
    }, assumed);
  }

  /** Whether the goal comes to true, and nothing else, wherever everything assumed does. */
  holds(goal: Goal, assumed: readonly Goal[], known: Case, depth: number): boolean {
    this.budget.spend(1 + this.looked);
    this.looked = 0;
    if (--this.left <= 0 || depth > deepest || this.budget.spent >= this.until) return false;
    this.open = undefined;
    const outcomes = this.truth(goal.tree, { scope: goal.scope, assumed, known, depth });
    let next = this.open as Atom | undefined;
    if (outcomes === yes) return true;
    for (const each of assumed) {
      this.open = undefined;
      if (this.budget.spent + this.looked >= this.until) return false;
      const scope = this.scopeOf(each, known);
      if (scope === undefined) continue;
      const possible = this.truth(each.tree, { scope, assumed: [], known, depth });
      if ((possible & yes) === 0) return true;
      if (each.isAside !== true) next ??= this.open;
    }
    if (next === undefined) {
      if (this.factsOf(known).isImpossible(this.budget)) return true;
      for (const { atom } of known.values()) {
        const node = atom.node ?? atom.spot?.term;
        this.obstacle ??= node && operatorOf(node);
      }
      if (this.refused.length < maxPins) this.refused.push(known);
      return false;
    }
    const atom = next;
    let isProven = true;
    // Once it is refused, the least that the other rules let be is enough.
    const isRefused = (outcomes & yes) === 0;
    for (const answer of isRefused ? leastFirst(atom) : atom.choices) {
      const more = new Map(known).set(atom.key, { atom, answer });
      if (!this.holds(goal, assumed, more, depth + 1)) isProven = false;
      if (!isProven && (isRefused || this.refused.length >= maxPins)) break;
    }
    return isProven;
  }

  /** Undefined while it is not known that it is there, with a value that the old rules have seen. */
  private scopeOf({ scope, path }: Goal, known: Case): Scope | undefined {
    if (path === undefined) return scope;
    const inner = new Map(scope);
    for (const [name, { spot }] of scope) {
      const reached = spot && this.reached(spot, path, known);
      if (reached === undefined) return undefined;
      inner.set(name, { fails: 'never', spot: reached });
    }
    return inner;
  }

  private reached(from: Spot, path: readonly string[], known: Case): Spot | undefined {
    let spot: Spot = from;
    for (const step of path) {
      const identifier = step === '[]' ? step : escapeName(step);
      if (identifier === undefined) return undefined;
      const isThere =
        step === '[]' ? this.within.includes(`${spot.key}[]`) : this.isThere(spot, step, known);
      const inner = step === '[]' ? itemOf(spot) : innerOf(spot, step, identifier);
      if (isThere !== true || inner === undefined || !hasSameDefault(inner)) return undefined;
      spot = inner;
    }
    let isAlike = this.alike.get(spot.key);
    if (isAlike === undefined)
      this.alike.set(spot.key, (isAlike = looksAlike(spot.before, spot.after, this.budget)));
    return isAlike ? spot : undefined;
  }

  /** Written once for each scope: it is asked in every split of a rule. */
  private keyOf(node: Node, scope: Scope): string {
    let known = this.keys.get(scope);
    if (known === undefined) this.keys.set(scope, (known = new Map<Node, string>()));
    let key = known.get(node);
    if (key === undefined) known.set(node, (key = keyOf(node, scope)));
    return key;
  }

  private ask(atom: Atom, known: Case): Answer | undefined {
    const answered = known.get(atom.key);
    if (answered !== undefined) return answered.answer;
    this.open ??= atom;
    return undefined;
  }

  private truth(node: Node, at: Context): Outcomes {
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
    const { fails, constant, outcomes, example, list } = this.value(node, at);
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
    return this.opaque(node, at, { mayFail: !isSure, example, list });
  }

  private factsOf(known: Case): FactsByPlace {
    let facts = this.facts.get(known);
    if (facts === undefined) {
      this.facts.set(known, (facts = new FactsByPlace()));
      for (const { atom, answer } of known.values()) {
        const { spot, fact, list } = atom;
        if (list !== undefined && isSized(list) && answer === true) {
          const of = sumOf({ spot: list, isSize: true });
          facts.add(list, { kind: 'most', of, most: 0n }, false);
        }
        if (spot === undefined) continue;
        if (fact !== undefined) facts.add(spot, fact, answer === true);
        const texts = this.texts.filter((text) => plainText.test(text));
        if (answer !== otherText || texts.length === 0) continue;
        const pattern = `^(?:${texts.map(literalOf).join('|')})$`;
        facts.add(spot, { kind: 'pattern', pattern }, false);
      }
    }
    return facts;
  }

  /** Whether it is no more than that; undefined where both are possible. */
  private isAtMost({ parts, plus }: Sum, limit: bigint, known: Case): boolean | undefined {
    const all = [...parts].sort(([one], [other]) => (one < other ? -1 : 1));
    const [first] = all;
    if (first === undefined) return plus <= limit;
    const [, { of, times: leading }] = first;
    const isTurned = leading < 0n;
    const factor = all.reduce((sum, [, { times }]) => commonFactor(sum, times), 0n);
    const divisor = isTurned ? -factor : factor;
    const scaled = all.map(([key, { of: each, times }]) => {
      return [key, { of: each, times: times / divisor }] as const;
    });
    // -s <= n is the same as !(s <= -n - 1).
    const most = isTurned ? -floored(limit - plus, factor) - 1n : floored(limit - plus, factor);
    const sum: Sum = { parts: new Map(scaled), plus: 0n };
    const [low, high] = this.factsOf(known).rangeOf(sum);
    if (high <= most || low > most) return high <= most !== isTurned;
    const fact: Fact = { kind: 'most', of: sum, most };
    const key = `${textOf(sum)} <= ${most}`;
    const answer = this.ask({ key, choices, spot: of.spot, about: 'fact', fact }, known);
    return typeof answer === 'boolean' ? answer !== isTurned : undefined;
  }

  /** The answer of a comparison of what is ordered as integers are. */
  private ordered(name: string, one: Value, two: Value, known: Case): Value | undefined {
    const [left, right] = comparable(one, two);
    if (left === undefined || right === undefined) return undefined;
    const apart = added(left, right, -1n);
    if (name === '_==_') {
      const isMost = this.isAtMost(apart, 0n, known);
      const isLess = isMost === false ? true : this.isAtMost(apart, -1n, known);
      if (isMost === false || isLess === true) return ofAnswer(false);
      return ofAnswer(isMost === undefined || isLess === undefined ? undefined : true);
    }
    const isStrict = name === '_<_' || name === '_>=_';
    const answer = this.isAtMost(apart, isStrict ? -1n : 0n, known);
    const isUpper = name === '_<_' || name === '_<=_';
    return ofAnswer(answer === undefined || isUpper ? answer : !answer);
  }

  /** Sums, differences and multiples of integers; past 64 bits they fail. */
  private computed(name: string, [one, two]: readonly Value[], known: Case): Value | undefined {
    const [left, right] = [one, two].map((each) => each && integerSum(each));
    if (left === undefined) return undefined;
    let sum: Sum | undefined;
    if (name === '-_') sum = added(nothing, left, -1n);
    else if (right === undefined) return undefined;
    else if (name === '_+_') sum = added(left, right, 1n);
    else if (name === '_-_') sum = added(left, right, -1n);
    else if (name === '_*_' && left.parts.size === 0) sum = added(nothing, right, left.plus);
    else if (name === '_*_' && right.parts.size === 0) sum = added(nothing, left, right.plus);
    if (sum === undefined || sum.parts.size > mostParts) return undefined;
    this.looked += sum.parts.size;
    const isBelow = this.isAtMost(sum, -(2n ** 63n) - 1n, known);
    const isFitting = isBelow === false ? this.isAtMost(sum, 2n ** 63n - 1n, known) : undefined;
    if (isBelow === true || isFitting === false) return failed;
    return isFitting === undefined ? unsure : ofSum(sum);
  }

  private tested(name: string, one: Value, text: string, known: Case): Value | undefined {
    const isExact = name === 'matches' || plainText.test(text);
    const pattern = isExact ? textTests.get(name)?.(text) : undefined;
    const compiled = pattern === undefined ? '' : compilePattern(pattern);
    if (pattern === undefined || typeof compiled === 'string') return undefined;
    if (one.spot === undefined || !isText(one.spot)) return undefined;
    const { spot } = one;
    const fact: Fact = { kind: 'pattern', pattern };
    const key = `${spot.key} ~ ${pattern}`;
    return ofAnswer(asBoolean(this.ask({ key, choices, spot, about: 'fact', fact }, known)));
  }

  /** Comparisons of two values, all by which of them is less, so that one answer decides the others. */
  private lessThan(node: Node & { kind: 'call' }, at: Context): Outcomes | undefined {
    const [left, right] = operandsOf(node) as [Node, Node];
    // A number may be none that can be compared.
    if (!comparisons.has(node.name) || node.name === '_==_') return undefined;
    if (![left, right].every(({ type }) => ['int', 'string'].includes(type?.kind ?? '')))
      return undefined;
    const isTurned = node.name === '_>_' || node.name === '_<=_';
    const [one, two] = (isTurned ? [right, left] : [left, right]).map((each) =>
      this.keyOf(each, at.scope),
    );
    const isMore = at.known.get(`${two} < ${one}`)?.answer === true;
    const asked: Atom = { key: `${one} < ${two}`, choices, about: 'anything', node };
    const isSame = at.known.get(`? ${equalityKey([one ?? '', two ?? ''])}`)?.answer === true;
    const answer = isMore || isSame || one === two ? false : this.ask(asked, at.known);
    if (answer === undefined) return yes | no;
    const isNegated = node.name === '_<=_' || node.name === '_>=_';
    return (answer === true) === isNegated ? no : yes;
  }

  /** Either answer, and the same one wherever the same or its opposite is asked. */
  private opaque(node: Node, at: Context, { mayFail, ...known }: Asked): Outcomes {
    const key = this.keyOf(node, at.scope);
    const isTurned = key.startsWith('!_(');
    const { example } = known;
    const atom: Atom = {
      key: `? ${isTurned ? opposite(key) : key}`,
      choices: mayFail ? [...choices, failing] : choices,
      about: 'anything',
      node,
      ...known,
      example: example && isTurned ? { ...example, answer: !example.answer } : example,
    };
    const answer = this.ask(atom, at.known);
    if (answer === undefined) return mayFail ? yes | no | failure : yes | no;
    return answer === failing ? failure : (answer === true) !== isTurned ? yes : no;
  }

  private equality(node: Node & { kind: 'call' }, at: Context): Outcomes {
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
    const same = this.areSame(one.constant, two.constant);
    if (same !== undefined) return (same ? yes : no) | whether;
    const ordered = whether === 0 ? this.ordered('_==_', one, two, at.known) : undefined;
    if (ordered !== undefined) return outcomesOf(ordered);
    // Lists, maps and values of libraries may have what cannot be compared.
    const isComparable = isPlainType(left.type) && isPlainType(right.type);
    const mayFail = whether !== 0 || !isComparable;
    const [first, second] = [left, right].map((each) => this.keyOf(each, at.scope));
    const isOrdered = [`${first} < ${second}`, `${second} < ${first}`].some(
      (key) => at.known.get(key)?.answer === true,
    );
    if (isOrdered && !mayFail) return no;
    const answer = this.opaque(node, at, { mayFail, compared: [one.spot, two.spot] });
    return node.name === '_==_' ? answer : not(answer);
  }

  /** Undefined where both are possible: the text that nothing names may be one of an enumeration. */
  private areSame(one: Constant | undefined, two: Constant | undefined): boolean | undefined {
    if (one === undefined || two === undefined) return undefined;
    if (one !== otherText && two !== otherText)
      return typeof one === typeof two ? one === two : undefined;
    const named = one === otherText ? two : one;
    return typeof named === 'string' && this.texts.includes(named) ? false : undefined;
  }

  private value(node: Node, at: Context): Value {
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

  private named(value: Value | undefined, known: Case): Value {
    if (value === undefined) return unsure;
    return value.spot !== undefined && value.fails === 'never' && value.constant === undefined
      ? this.atSpot(value.spot, known)
      : value;
  }

  private item(node: Node, at: Context): Value {
    if (node.type?.kind !== 'bool') return this.value(node, at);
    return ofOutcomes(this.truth(node, at));
  }

  private called(node: Node & { kind: 'call' }, at: Context): Value {
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
    const mayFail = fails === 'maybe' || isOdd || !isTotal(node.name, operands, two);
    if (node.name === '_[_]' && one?.spot !== undefined && two?.spot?.term !== undefined) {
      const inner = two.spot.key === keyOfMap(one.spot).key ? itemOf(one.spot) : undefined;
      if (fails === 'never' && inner !== undefined) return this.atSpot(inner, at.known);
    }
    const literal = this.evaluated(node, args);
    if (literal !== undefined) return literal;
    if (node.name === 'size' && one !== undefined && one.fails === 'never') {
      const size = one.items?.length;
      if (size !== undefined) return { fails: 'never', constant: BigInt(size) };
      if (one.spot !== undefined && isSized(one.spot))
        return ofSum(sumOf({ spot: one.spot, isSize: true }));
    }
    if (one !== undefined && fails === 'never') {
      const text = two?.constant;
      const isOrder = two !== undefined && comparisons.has(node.name);
      const answer =
        two !== undefined && typeof text === 'string'
          ? this.tested(node.name, one, text, at.known)
          : isOrder
            ? this.ordered(node.name, one, two, at.known)
            : node.type?.kind === 'int'
              ? this.computed(node.name, args, at.known)
              : undefined;
      if (answer !== undefined) return answer;
    }
    if (node.name === '@in' && two?.items !== undefined) {
      const found = two.items.map((each) => {
        const same = this.areSame(one?.constant, each.constant);
        if (same !== undefined || one === undefined || mayFail) return same;
        return this.ordered('_==_', one, each, at.known)?.constant;
      });
      const isThere = found.includes(true);
      if (!mayFail && (isThere || found.every((each) => each === false)))
        return { fails: 'never', constant: isThere };
    }
    if (node.name === '@in' && !mayFail && isNoItem(one?.constant, two?.spot))
      return { fails: 'never', constant: false };
    const list = node.name === '@in' ? two?.spot : undefined;
    if (list?.before?.type === 'array' && item !== undefined && typeof one?.constant === 'string') {
      const atom: Atom = { key: `= ${item.key}`, choices, spot: item, about: 'value' };
      const held: Case = new Map([[atom.key, { atom, answer: one.constant }]]);
      return { ...(mayFail ? unsure : sure), list, example: { answer: true, item, known: held } };
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

  /** `a.?b.hasValue()` and `a.?b.orValue(c)`, which read what is there without a failure. */
  private optional(node: Node & { kind: 'call' }, at: Context): Value | undefined {
    const { target, args, name } = node;
    if (target?.kind !== 'call' || target.name !== '_?._' || this.hasFractions) return undefined;
    const [operand, field] = target.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string')
      return undefined;
    const owner = this.value(operand, at);
    if (owner.fails !== 'never' || nameOf(owner.spot, field.value) === undefined) return undefined;
    const there = this.presenceOf(owner, field.value, at.known);
    if (name === 'hasValue') return there;
    if (name !== 'orValue' || args[0] === undefined) return undefined;
    const isThere = outcomesOf(there);
    if (isThere === no) return this.item(args[0], at);
    return isThere === yes ? this.selected(owner, field.value, at.known) : unsure;
  }

  /** What a call of literals gives. */
  private evaluated(node: Node & { kind: 'call' }, args: readonly Value[]): Value | undefined {
    const constants = args.map(({ fails, constant }) => (fails === 'never' ? constant : undefined));
    if (constants.length === 0 || !constants.every(isConstant)) return undefined;
    const values = constants as readonly CelValue[];
    const key = values.map(literalText).join();
    let known = this.results.get(node);
    if (known === undefined) this.results.set(node, (known = new Map<string, Value>()));
    let result = known.get(key);
    if (result === undefined) known.set(key, (result = this.evaluatedAnew(node, values)));
    return result;
  }

  private evaluatedAnew(node: Node & { kind: 'call' }, constants: readonly CelValue[]): Value {
    this.budget.spend(10);
    const literals = operandsOf(node).map((each, index): Node => {
      return { ...each, kind: 'literal', value: constants[index] as CelValue };
    });
    const target = node.target && literals[0];
    const tree = { ...node, target, args: target === undefined ? literals : literals.slice(1) };
    try {
      const program = makeProgram({ tree, type: node.type ?? types.dyn }, kubernetes);
      const value = program.evaluate(new Map(), { steps: 100_000 });
      if (value instanceof Duration)
        return { fails: 'never', sum: { parts: new Map(), plus: value.nanoseconds } };
      return isConstant(value) ? { fails: 'never', constant: value } : sure;
    } catch (error) {
      if (error instanceof EvaluationError) return failed;
      if ([NotEvaluable, NoProgram, Panic].some((each) => error instanceof each)) return unsure;
      throw error;
    }
  }

  /** A value of which nothing is known but its type, and that it is the same wherever it is asked for. */
  private term(node: Node, at: Context, mayFail: boolean): Value {
    const schema = termSchemas.get(node.type?.kind ?? '');
    if (schema === undefined) return mayFail ? unsure : sure;
    const key = `(${this.keyOf(node, at.scope)})`;
    if (mayFail) {
      const asked: Atom = { key: `fails ${key}`, choices: [false, true], about: 'anything', node };
      const answer = this.ask(asked, at.known);
      if (answer === undefined) return unsure;
      if (answer === true) return failed;
    }
    const spot: Spot = { key, isOld: false, steps: [], before: schema, after: schema, term: node };
    return isText(spot) ? this.atSpot(spot, at.known) : ofSum(sumOf({ spot, isSize: false }));
  }

  private presenceOf({ fails, spot }: Value, field: string, known: Case): Value {
    if (fails === 'always') return failed;
    const name = fails === 'never' ? nameOf(spot, field) : undefined;
    if (spot === undefined || name === undefined) return unsure;
    const answer = this.isThere(spot, name, known);
    const isOdd = answer !== false && this.isFraction(innerOf(spot, name, field), known);
    if (isOdd === true) return failed;
    const outcomes = outcomesOf(ofAnswer(answer));
    return ofOutcomes(isOdd === undefined ? outcomes | failure : outcomes);
  }

  private isFraction(spot: Spot, known: Case): boolean | undefined {
    if (!this.hasFractions) return false;
    const { before, after } = spot;
    // Within what a default may have made up, an object has given a value all the same.
    if (before === undefined && (after?.type === 'integer' || after?.intOrString)) return undefined;
    if (fractionOf(spot) === undefined) return false;
    const key = `fraction ${spot.key}`;
    return asBoolean(this.ask({ key, choices, spot, about: 'fraction' }, known));
  }

  /** Undefined where both are possible. */
  private isThere(
    { key, isOld, steps, before, after }: Spot,
    name: string,
    known: Case,
  ): boolean | undefined {
    const inner = [before, after].map((node) => node && fieldOf(node, name));
    const atom: Atom = {
      key: `has ${key}.${escapeName(name) ?? name}`,
      choices,
      spot: {
        key: `${key}.${escapeName(name) ?? name}`,
        isOld,
        steps: [...steps, name],
        before: inner[0],
        after: inner[1],
      },
      about: 'presence',
    };
    if (before === undefined || after === undefined) return asBoolean(this.ask(atom, known));
    const [old, now] = inner;
    // Rules take null for absent.
    const isNullLeft =
      now?.nullable === true && (old?.nullable === true || old?.default !== undefined);
    // The default of a map's values stands for a null, and never for a key that is absent.
    if (after.properties?.get(name)?.default !== undefined && !isNullLeft) return true;
    if (old === undefined || now === undefined) return false;
    const isRequired = conjuncts(before).some(({ required }) => required.includes(name));
    if (isRequired && old.default === undefined && !old.nullable) return true;
    return asBoolean(this.ask(atom, known));
  }

  private selected({ fails, spot }: Value, field: string, known: Case): Value {
    if (fails === 'always') return failed;
    const name = fails === 'never' ? nameOf(spot, field) : undefined;
    if (spot === undefined || name === undefined) return unsure;
    const isThere = this.isThere(spot, name, known);
    if (isThere === undefined) return unsure;
    if (!isThere) return failed;
    const [before, after] = [spot.before, spot.after].map((node) => node && fieldOf(node, name));
    // A null in a map is there, as a value of no use to what takes the type that is declared.
    const isNull = [before, after].some((node) => node?.nullable === true);
    if (isNull && spot.after?.properties?.has(name) !== true) return unsure;
    // An object made up by a default does not have to satisfy the old schema.
    const isFilled = typeof after?.default === 'object';
    if (spot.before !== undefined && before === undefined) {
      const given = after?.default;
      const constant =
        typeof given === 'number'
          ? Number.isSafeInteger(given)
            ? BigInt(given)
            : undefined
          : given;
      if (isConstant(constant) && isPlainNode(after)) return { fails: 'never', constant };
    }
    const inner = innerOf(spot, name, field);
    return this.atSpot(isFilled ? { ...inner, before: undefined } : inner, known);
  }

  private atSpot(spot: Spot, known: Case): Value {
    const { key, before, after } = spot;
    if (after !== undefined && !isReadable(after)) return unsure;
    const isOdd = this.isFraction(spot, known);
    if (isOdd !== false) return isOdd === undefined ? unsure : failed;
    if (before === undefined || after === undefined) return sure;
    if (!this.choices.has(key)) this.choices.set(key, this.choicesOf(before, after));
    const choices = this.choices.get(key);
    if (choices === undefined) return { fails: 'never', spot };
    const answer = this.ask({ key: `= ${key}`, choices, spot, about: 'value' }, known);
    return answer === undefined || answer === failing
      ? { fails: 'never', spot }
      : { fails: 'never', spot, constant: answer };
  }

  private choicesOf(before: SchemaNode, after: SchemaNode): readonly Answer[] | undefined {
    if (before.intOrString || after.intOrString || before.type !== after.type) return undefined;
    if (before.type === 'boolean') return [true, false];
    if (before.type === 'integer') {
      const listed = listedValues(before);
      if (listed === undefined || !listed.every(Number.isSafeInteger)) return undefined;
      const all = [...listed, before.default, after.default].filter(Number.isSafeInteger);
      return all.length === 0 || all.length > maxTexts
        ? undefined
        : all.map((each) => BigInt(Number(each)));
    }
    if (before.type !== 'string' || before.format !== '' || after.format !== '') return undefined;
    const listed = listedValues(before);
    // An enum without any entry lets every text pass.
    if (listed !== undefined && listed.length > 0) {
      const all = [...listed, before.default, after.default].filter(
        (value): value is string => typeof value === 'string',
      );
      return all.length <= maxTexts ? [...new Set(all)] : undefined;
    }
    if (this.texts.length > maxTexts) return undefined;
    const given = [before.default, after.default];
    const texts = this.texts.filter((text) => given.includes(text) || accepts(before, text));
    return [...texts, otherText];
  }

  private fold(node: Node & { kind: 'fold' }, at: Context): Value {
    const range = this.value(node.range, at);
    if (range.fails === 'always') return failed;
    if (range.fails === 'never' && range.items !== undefined) {
      return this.unrolled(node, range.items, at);
    }
    const { scope, assumed, known, depth } = at;
    const quantified = quantifiedOf(node);
    if (quantified === undefined || range.fails !== 'never' || range.spot === undefined)
      return this.isOfOneItem(node, range, at)
        ? { fails: 'never', constant: true }
        : this.term(node, at, true);
    const { spot: list } = range;
    const open: Value = { fails: 'maybe', list };
    const item = itemOf(list);
    if (item === undefined) return open;
    const asked = this.keyOf(node, scope);
    if (known.has(`? ${asked}`) || known.has(`? ${opposite(asked)}`)) return open;
    // One item stands for each: what is known of another one says nothing of it.
    if ([...scope.values()].some(({ spot }) => spot?.key.startsWith(item.key) === true))
      return open;
    const { open: before, refused } = this;
    const { body, isAll } = quantified;
    const others = new Map([...known].filter(([key]) => !key.includes(item.key)));
    const inner = assumed.flatMap(({ tree, scope: at, path }): Goal[] =>
      path === undefined ? this.bodiesOver(item.key, tree, at, others, depth) : [],
    );
    this.refused = [];
    const variable = list.before?.type === 'array' ? item : keyOfMap(list);
    const goal = {
      tree: isAll ? body : this.oppositeOf(body),
      scope: new Map(scope).set(node.variable, { fails: 'never', spot: variable }),
    };
    const aside = assumed.map((each): Goal => ({ ...each, isAside: true }));
    this.within.push(item.key);
    const isProven = this.holds(goal, [...inner, ...aside], others, depth + 1);
    this.within.pop();
    const [first] = this.refused;
    this.open = before;
    this.refused = refused;
    if (isProven) return { fails: 'never', constant: isAll };
    return first === undefined
      ? open
      : { ...open, example: { answer: !isAll, item, known: first } };
  }

  /** `list.exists_one(y, y.key == x.key)` for an item x of a list whose items differ in their keys. */
  private isOfOneItem(
    { variable, step, result }: Node & { kind: 'fold' },
    { fails, spot: list }: Value,
    at: Context,
  ): boolean {
    const item = fails === 'never' && list !== undefined ? itemOf(list) : undefined;
    const { listType, listMapKeys = [] } = list?.before ?? {};
    if (item === undefined || this.hasFractions || step.kind !== 'call' || step.name !== '_?_:_')
      return false;
    if (
      result.kind !== 'call' ||
      result.name !== '_==_' ||
      !looksAlike(list?.before, list?.after, this.budget)
    )
      return false;
    const [name, inner] = bound(variable, at.scope);
    const fields = equalitiesIn(step.args[0] as Node).map((pair) => {
      const [one = '', two = ''] = pair.map((each) => this.keyOf(each, inner));
      const [of, other] = one.startsWith(name) ? [one, two] : [two, one];
      const field = of.slice(name.length);
      const isSure =
        pair.every((each) => isPlainType(each.type)) &&
        pair.some((each) => this.value(each, at).fails === 'never');
      return isSure && of.startsWith(name) && other === `${item.key}${field}` ? field : undefined;
    });
    const keys =
      listType === 'set'
        ? ['']
        : listType === 'map'
          ? listMapKeys.map((key) => `.${escapeName(key)}`)
          : [undefined];
    return (
      !fields.includes(undefined) && keys.every((key) => key !== undefined && fields.includes(key))
    );
  }

  private oppositeOf(body: Node): Node {
    let made = this.opposites.get(body);
    if (made === undefined) {
      made = { kind: 'call', name: '!_', args: [body], position: body.position };
      if (body.type !== undefined) made.type = body.type;
      this.opposites.set(body, made);
    }
    return made;
  }

  /** Consequences, for every item of a list, of a rule that is known to hold. */
  private bodiesOver(
    item: string,
    node: Node,
    scope: Scope,
    known: Case,
    depth: number,
    isNot = false,
  ): Goal[] {
    const here: Context = { scope, assumed: [], known, depth };
    const truth = (each: Node): Outcomes => this.truth(each, here);
    const within = (each: Node, isTurned = isNot): Goal[] =>
      this.bodiesOver(item, each, scope, known, depth, isTurned);
    if (node.kind === 'fold') {
      const { body, isAll } = quantifiedOf(node) ?? {};
      const { spot } = this.value(node.range, here);
      const at = spot === undefined ? undefined : itemOf(spot);
      if (spot === undefined || body === undefined || isAll === isNot || at?.key !== item)
        return [];
      const variable = spot.before?.type === 'array' ? at : keyOfMap(spot);
      const inner = new Map(scope).set(node.variable, { fails: 'never', spot: variable });
      return [{ tree: isNot ? this.oppositeOf(body) : body, scope: inner }];
    }
    if (node.kind !== 'call') return [];
    const [first, second, third] = operandsOf(node) as [Node, Node, Node];
    const least = isNot ? yes : no;
    switch (isNot ? turnedLogic.get(node.name) : node.name) {
      case '!_':
        return within(first, !isNot);
      case '_&&_':
        return [...within(first), ...within(second)];
      case '_||_':
        return truth(first) === least
          ? within(second)
          : truth(second) === least
            ? within(first)
            : [];
      case '_?_:_': {
        const condition = truth(first);
        return condition === yes ? within(second) : condition === no ? within(third) : [];
      }
      default:
        return [];
    }
  }

  /** A case as what an object must have; for the one before an update beside what it has after it. */
  pinOf(known: Case, updated: Pin | undefined): Pin {
    let whole: Pin = ordinary;
    const examples = new Map<string, number>();
    for (const { atom, answer } of known.values()) {
      const { example } = atom;
      if (example?.answer !== answer) continue;
      const { item } = example;
      const index = examples.get(item.key) ?? 0;
      examples.set(item.key, index + 1);
      const own = [...example.known.values()].filter(
        ({ atom: { spot } }) => spot?.key.startsWith(item.key) === true,
      );
      const at = { depth: item.steps.length - 1, index };
      whole = mergePins(this.pinOfAnswers(own, example.known, updated, at), whole);
    }
    return mergePins(whole, this.pinOfAnswers([...known.values()], known, updated));
  }

  private pinOfAnswers(
    answers: readonly Answered[],
    known: Case,
    updated: Pin | undefined,
    at?: ItemIndex,
  ): Pin {
    const isOld = updated !== undefined;
    const facts = this.factsOf(known);
    let whole: Pin = ordinary;
    for (const { atom, answer } of answers) {
      const { spot, about, fact, compared = [] } = atom;
      if (spot?.term !== undefined) continue;
      for (const [index, each] of compared.entries()) {
        if (answer !== false || each?.before === undefined || each.isOld !== isOld) continue;
        if (each.term !== undefined) continue;
        const value = valuesOf(each.before, this.budget, 2).at(index);
        if (value !== undefined)
          whole = mergePins(whole, pinAtSteps(each.steps, pinValue(value), at));
      }
      if (spot === undefined || spot.isOld !== isOld) continue;
      let pin: Pin | undefined;
      if (about === 'presence') pin = presentOrNot(answer === true, spot, this.budget);
      else if (about === 'fraction') {
        const fraction = answer === true ? fractionOf(spot) : undefined;
        if (fraction !== undefined) pin = pinValue(fraction);
      } else if (typeof answer === 'string') pin = pinValue(answer);
      else if (about === 'value' && typeof answer === 'boolean') pin = pinValue(answer);
      else if (typeof answer === 'bigint') pin = pinValue(Number(answer));
      else {
        const there = isOld ? textIn(updated, spot.steps) : undefined;
        const now = [spot.key, spot.key.replace(/^oldSelf/, 'self')] as const;
        const isSame = known.get(`? ${equalityKey(now)}`)?.answer === true;
        const sample =
          there !== undefined && isSame
            ? there
            : sampleOf(spot, facts, there === undefined ? [] : [there], this.budget);
        if (sample !== undefined) pin = pinValue(sample);
        else if (fact?.kind === 'most') pin = sizedPin(fact.of, facts);
      }
      if (pin !== undefined) whole = mergePins(pinAtSteps(spot.steps, pin, at), whole);
    }
    return whole;
  }

  /** A fold over a list that the rule writes out. */
  private unrolled(place: Node & { kind: 'fold' }, items: readonly Value[], at: Context): Value {
    const { scope } = at;
    const { variable, secondVariable, accumulator, initial, condition, step, result } = place;
    // Of those that may end early, quantifiers come to the same without.
    if (secondVariable !== undefined) return unsure;
    if (condition.kind !== 'literal' && quantifiedOf(place) === undefined) return unsure;
    const [ofItem, ofSum] = [this.keyOf(place.range, scope), this.keyOf(place, scope)];
    let sum = this.item(initial, at);
    for (const [index, item] of items.entries()) {
      const labelled = { ...item, label: `${ofItem} ${index}` };
      const inner = new Map(scope)
        .set(variable, labelled)
        .set(accumulator, { ...sum, label: `${ofSum} ${index}` });
      sum = this.item(step, { ...at, scope: inner });
    }
    const last = { ...sum, label: `${ofSum} ${items.length}` };
    return this.item(result, { ...at, scope: new Map(scope).set(accumulator, last) });
  }
}

/** @param identifier the name as rules write it */
function innerOf(spot: Spot, name: string, identifier: string): Spot {
  return {
    ...{ key: `${spot.key}.${identifier}`, isOld: spot.isOld, steps: [...spot.steps, name] },
    before: spot.before && fieldOf(spot.before, name),
    after: spot.after && fieldOf(spot.after, name),
  };
}

function leastFirst({ about, choices: all }: Atom): readonly Answer[] {
  const isOpen = about === 'presence' || about === 'anything';
  return isOpen ? [false, ...all.filter((answer) => answer !== false)] : all;
}

/** The name of a field that is followed; those of a resource are there without being declared. */
function nameOf(spot: Spot | undefined, identifier: string): string | undefined {
  if (spot === undefined || !/^[A-Za-z_]\w*$/.test(identifier)) return undefined;
  if ([spot.before, spot.after].some((node) => node?.embeddedResource === true)) return undefined;
  if (identifier.includes('__')) {
    const name = unescapeName(identifier);
    return name !== undefined && spot.after?.properties?.has(name) === true ? name : undefined;
  }
  const isOwn = spot.isResource === true && ['apiVersion', 'kind', 'metadata'].includes(identifier);
  return isOwn ? undefined : identifier;
}

/** A format lets lists and texts pass for values of other types, and is read as bytes or a time. */
function isReadable({ type, format }: SchemaNode): boolean {
  return format === '' || type === 'integer' || type === 'number';
}

/** Failure of an operation that evaluates all operands and fails if any of them does. */
function worst(values: readonly Value[]): Value['fails'] {
  if (values.some(({ fails }) => fails === 'always')) return 'always';
  return values.some(({ fails }) => fails === 'maybe') ? 'maybe' : 'never';
}

function isConstant(value: unknown): value is Constant {
  return ['string', 'boolean', 'bigint', 'number'].includes(typeof value);
}

function ofOutcomes(outcomes: Outcomes): Value {
  if (outcomes === failure) return failed;
  if (outcomes === yes) return { fails: 'never', constant: true };
  if (outcomes === no) return { fails: 'never', constant: false };
  return { fails: (outcomes & failure) === 0 ? 'never' : 'maybe', outcomes };
}

function outcomesOf({ constant, outcomes = yes | no }: Value): Outcomes {
  return constant === undefined ? outcomes : constant === true ? yes : no;
}

function ofAnswer(answer: boolean | undefined): Value {
  return answer === undefined
    ? { fails: 'never', outcomes: yes | no }
    : { fails: 'never', constant: answer };
}

const choices: readonly Answer[] = [true, false];

/** What an operation is where it is known that it does not hold. */
const turnedLogic: ReadonlyMap<string, string> = new Map([
  ['!_', '!_'],
  ['_||_', '_&&_'],
  ['_&&_', '_||_'],
  ['_?_:_', '_?_:_'],
]);

const comparisons = new Set(['_==_', '_<_', '_<=_', '_>_', '_>=_']);

/** Longer sums are followed in pieces: each is made anew for each of its parts. */
const mostParts = 40;

const nothing: Sum = { parts: new Map(), plus: 0n };

function ofSum(sum: Sum): Value {
  return sum.parts.size === 0 ? { fails: 'never', constant: sum.plus } : { fails: 'never', sum };
}

function integerSum({ sum, spot, constant }: Value): Sum | undefined {
  if (sum !== undefined) return sum;
  if (typeof constant === 'bigint') return { ...nothing, plus: constant };
  return isOfType(spot, 'integer') ? sumOf({ spot, isSize: false }) : undefined;
}

/** By its place among all doubles; an integer up to 2^53 has one, too. */
function doubleSum({ spot, constant }: Value): Sum | undefined {
  const given = typeof constant === 'bigint' ? Number(constant) : constant;
  if (typeof given === 'number') {
    const isExact =
      typeof constant === 'number' ? !Number.isNaN(given) : Number.isSafeInteger(given);
    return isExact ? { ...nothing, plus: placeOf(given) } : undefined;
  }
  return isOfType(spot, 'number') ? sumOf({ spot, isSize: false }) : undefined;
}

/** Two places for doubles may both have integers, which are not compared as doubles. */
function comparable(one: Value, two: Value): readonly (Sum | undefined)[] {
  const whole = [one, two].map(integerSum);
  if (!whole.includes(undefined)) return whole;
  const doubles = [one, two].map(doubleSum);
  return doubles.some((each) => each?.parts.size === 0) ? doubles : [];
}

function isOfType(spot: Spot | undefined, type: string): spot is Spot {
  return (
    spot !== undefined &&
    [spot.before, spot.after].every((node) => node?.type === type && !node.intOrString)
  );
}

function commonFactor(one: bigint, other: bigint): bigint {
  return other === 0n ? (one < 0n ? -one : one) : commonFactor(other, one % other);
}

function floored(value: bigint, by: bigint): bigint {
  return value / by - (value % by < 0n ? 1n : 0n);
}

/** Of terms by their types: for what is ordered as integers are, and for texts. */
const termSchemas: ReadonlyMap<string, SchemaNode> = new Map(
  [
    ['int', 'integer'],
    ['duration', 'integer'],
    ['string', 'string'],
  ].map(([kind = '', type = '']) => [kind, readSchema({ type }, '$')]),
);

function isPlainNode(node: SchemaNode | undefined): boolean {
  return ['string', 'integer', 'boolean'].includes(node?.type ?? '') && node?.intOrString !== true;
}

/** Whether its size is what the schemas bound. */
function isSized(spot: Spot): boolean {
  const { before, after } = spot;
  if (before === undefined || before.type !== after?.type) return false;
  const isMap = before.type === 'object' && before.additionalProperties?.schema !== undefined;
  return isText(spot) || before.type === 'array' || isMap;
}

function asBoolean(answer: Answer | undefined): boolean | undefined {
  return typeof answer === 'boolean' ? answer : undefined;
}

function operandsOf({
  target,
  args,
}: (Node & { kind: 'call' }) | (Node & { target?: never; args?: never })): readonly Node[] {
  return target === undefined ? (args ?? []) : [target, ...args];
}

function both(left: Outcomes, right: Outcomes): Outcomes {
  let outcomes = 0;
  if ((left & yes) !== 0 && (right & yes) !== 0) outcomes |= yes;
  if (((left | right) & no) !== 0) outcomes |= no;
  // A failure is one only where the other does not decide.
  if ((left & failure) !== 0 && (right & (yes | failure)) !== 0) outcomes |= failure;
  if ((right & failure) !== 0 && (left & (yes | failure)) !== 0) outcomes |= failure;
  return outcomes;
}

function not(outcomes: Outcomes): Outcomes {
  return (
    ((outcomes & yes) === 0 ? 0 : no) | ((outcomes & no) === 0 ? 0 : yes) | (outcomes & failure)
  );
}

/** The predicate of `range.all(x, predicate)`, or of `exists`. */
function quantifiedOf({
  secondVariable,
  initial,
  condition,
  step,
}: Node & {
  kind: 'fold';
}): { readonly body: Node; readonly isAll: boolean } | undefined {
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

/** The sides of the equalities that have to hold together; a side too few for anything else. */
function equalitiesIn(node: Node): readonly (readonly Node[])[] {
  if (node.kind !== 'call') return [[]];
  if (node.name === '_&&_') return node.args.flatMap(equalitiesIn);
  return node.name === '_==_' ? [node.args] : [[]];
}

/** What is in a list, or in a map, whatever its key. */
function itemOf({ key, isOld, steps, before, after, term }: Spot): Spot | undefined {
  const [old, now] = [before, after].map((node) => node && innerNodeOf(node));
  if (term !== undefined || before?.type !== after?.type) return undefined;
  if (old === undefined || now === undefined || old.nullable || now.nullable) return undefined;
  const isFilled = typeof now.default === 'object' && !hasSameDefault({ before: old, after: now });
  const step = before?.type === 'array' ? '[]' : anyKey;
  const item = { key: `${key}${step}`, isOld, steps: [...steps, step], after: now };
  return { ...item, before: isFilled ? undefined : old };
}

/** Stands for the keys of a map. */
const anyKey = '{}';

function innerNodeOf(node: SchemaNode): SchemaNode | undefined {
  if (node.type === 'array') return node.items;
  const isMap = node.type === 'object' && node.properties === undefined && !node.embeddedResource;
  return isMap ? node.additionalProperties?.schema : undefined;
}

function keyOfMap(map: Spot): Spot {
  const text = termSchemas.get('string');
  const term: Node = { kind: 'identifier', name: anyKey, position: -1 };
  return {
    key: `${map.key}${anyKey}key`,
    isOld: map.isOld,
    steps: [],
    before: text,
    after: text,
    term,
  };
}

/** Whether no list that the old schema accepts has the text. */
function isNoItem(text: Constant | undefined, list: Spot | undefined): boolean {
  if (typeof text !== 'string' || list === undefined) return false;
  if (list.before?.type !== 'array') return false;
  const { before, after } = itemOf(list) ?? {};
  const isSame = before?.type === after?.type && hasSameDefault({ before, after });
  return before !== undefined && isSame && !accepts(before, text);
}

/** As rules write the operator, function or macro that is not followed, the innermost first. */
function operatorOf(node: Node): string | undefined {
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

/** The expression with its places written out: the same text for what asks the same, and for nothing else. */
function keyOf(node: Node, scope: Scope): string {
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
        const found = (isAll === true ? oppositeKey : keyOf)(body, inner);
        return (isAll === true ? opposite : String)(existsKey(of(node.range), name, found));
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

const opposite = (key: string): string =>
  key.startsWith('!_(') ? key.slice('!_('.length, -1) : `!_(${key})`;

function oppositeKey(node: Node, scope: Scope): string {
  return opposite(keyOf(node, scope));
}

function existsKey(range: string, name: string, found: string): string {
  return `exists(${range}; ${name}: ${found})`;
}

function equalityKey(keys: readonly string[]): string {
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
function literalText(value: CelValue): string {
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'bigint') return `int ${value}`;
  return `${typeof value} ${JSON.stringify(value)}`;
}

const textsByTree = new WeakMap<Node, readonly string[]>();

/** Looked for once in each rule: it is assumed for every field around which it stands. */
function textsIn(tree: Node): readonly string[] {
  const known = textsByTree.get(tree);
  if (known !== undefined) return known;
  const texts = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'literal' && typeof node.value === 'string') texts.add(node.value);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(tree);
  textsByTree.set(tree, [...texts]);
  return [...texts];
}

function listedBeside(node: SchemaNode): string[] {
  return conjuncts(node)
    .flatMap(({ properties }) => [...(properties?.values() ?? [])])
    .flatMap((field) => (field.type === 'string' ? (listedValues(field) ?? []) : []))
    .filter((value): value is string => typeof value === 'string');
}

/** Larger lists and maps are not made. */
const largestMade = 1_000n;

/** A list or map of as many entries as the facts ask for. */
function sizedPin(sum: Sum, facts: FactsByPlace): Pin | undefined {
  const [{ of } = {}, ...others] = [...sum.parts.values()] as { of?: Whole }[];
  const [least] = facts.rangeOf(sum);
  if (of?.isSize !== true || others.length > 0 || least > largestMade) return undefined;
  const { type } = of.spot.before ?? {};
  const numbers = Array.from({ length: Number(least) }, (_, index) => index);
  if (type === 'array') return { kind: 'list', items: numbers.map(() => ordinary) };
  if (type === 'object')
    return pinFields(...numbers.map((each): [string, Pin] => [`key${each}`, ordinary]));
  return undefined;
}

function presentOrNot(isThere: boolean, { before }: Spot, budget: Budget): Pin {
  if (!isThere) return before?.nullable === true ? pinValue(null) : absent;
  const [value] = before === undefined ? [] : valuesOf(before, budget, 1);
  return value === undefined || before?.type === 'object' ? ordinary : pinValue(value);
}

/** Of items on the way to a place the one to which it belongs; without it, it stands for all. */
interface ItemIndex {
  readonly depth: number;
  readonly index: number;
}

function pinAtSteps(steps: readonly string[], pin: Pin, at?: ItemIndex): Pin {
  return steps.reduceRight<Pin>((inner, step, depth) => {
    if (step !== '[]') return pinFields([step === anyKey ? 'key0' : step, inner]);
    if (at?.depth !== depth) return { kind: 'list', items: [inner], every: inner };
    const before = Array.from({ length: at.index }, () => ordinary);
    return { kind: 'list', items: [...before, inner] };
  }, pin);
}

/** The text that a pin has at a place without lists on the way. */
function textIn(pin: Pin | undefined, steps: readonly string[]): string | undefined {
  let at = pin;
  for (const step of steps) at = at?.kind === 'object' ? at.fields.get(step) : undefined;
  return at?.kind === 'value' && typeof at.value === 'string' ? at.value : undefined;
}

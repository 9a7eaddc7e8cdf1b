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
  kubernetes,
  type Node,
  NotEvaluable,
  types,
  Uint,
} from '../../../cel/index.js';
import { compilePattern } from '../../../text/go/regexp.js';
import {
  compileRuleExpression,
  escapeName,
  type SchemaNode,
  typeOfSchema,
  unescapeName,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import {
  type Fact,
  FactsByPlace,
  fractionOf,
  hasSameDefault,
  isText,
  sampleOf,
  type Spot,
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

type Constant = string | boolean | bigint | typeof otherText;

interface Value {
  readonly fails: 'never' | 'maybe' | 'always';
  readonly constant?: Constant;
  readonly spot?: Spot;
  readonly items?: readonly Value[];
  readonly outcomes?: Outcomes;
  readonly whole?: Whole;
  /** An item for which a fold over the list comes to `answer`. */
  readonly example?: Example;
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
  /** Places that are compared. */
  readonly compared?: readonly (Spot | undefined)[];
  /** Of which either answer is taken, for it is not followed. */
  readonly node?: Node;
}

interface Example {
  readonly answer: boolean;
  readonly item: Spot;
  readonly known: Case;
}
/** `failing` where the rule itself fails. */
type Answer = string | boolean | typeof otherText | typeof failing;

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
  readonly field?: string | undefined;
}

interface Assumed {
  readonly tree: Node;
  readonly isTransition: boolean;
  /** The field that it is about, where there is one; it says nothing while the field is absent. */
  readonly field?: string;
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
const shareOfRule = 1 / 8;
const deepest = 40;
const maxPins = 40;
const maxTexts = 12;

/** Rules that are assumed to hold; the schema of a real field has a dozen. */
const maxAssumed = 100;

/**
 * Rules of the old schema that see the same as they would under the new one, compiled once for all rules
 * that are held against them.
 */
export function compileAssumed(
  before: SchemaNode,
  known: readonly ValidationRule[],
  budget: Budget,
): readonly Assumed[] {
  const compiled = (
    rules: readonly ValidationRule[],
    node: SchemaNode,
    field?: string,
  ): readonly Assumed[] => {
    const type = rules.length === 0 ? undefined : declaredType(node);
    return rules.flatMap((each) => {
      const tree = each.optionalOldSelf ? undefined : treeOf(each, type, budget);
      return tree === undefined ? [] : { tree, isTransition: isTransition(each), field };
    });
  };
  const fields = [...(before.properties ?? [])].filter(
    ([, node]) => isPlainNode(node) && node.format === '',
  );
  const ofFields = fields.flatMap(([name, node]) => compiled(node.rules, node, name));
  return [...compiled(known, before), ...ofFields.filter((each) => !each.isTransition)].slice(
    0,
    maxAssumed,
  );
}

/**
 * @param isResource whether it has fields that are there without being declared
 * @returns undefined for a rule that does not compile, or may have no old value
 */
export function ruleCases(
  before: SchemaNode,
  after: SchemaNode,
  rule: ValidationRule,
  known: readonly Assumed[],
  isResource: boolean,
  budget: Budget,
): RuleCases | undefined {
  if (budget.isSpent || rule.optionalOldSelf) return undefined;
  const tree = treeOf(rule, declaredType(after), budget);
  if (tree === undefined) return undefined;
  const isUpdate = isTransition(rule);
  const [self, oldSelf] = (['self', 'oldSelf'] as const).map((key): Value => {
    const isOld = key === 'oldSelf';
    return { fails: 'never', spot: { key, isOld, steps: [], before, after, isResource } };
  }) as [Value, Value];
  const scope: Scope = new Map([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  const ofOld: Scope = new Map([['self', oldSelf]]);
  const assumed = known.flatMap(({ tree, isTransition, field }): Goal[] => {
    if (isTransition) return isUpdate ? [{ tree, scope }] : [];
    const now = { tree, scope, field };
    return isUpdate ? [now, { tree, scope: ofOld, field }] : [now];
  });
  const written = textsIn([tree, ...assumed.map((each) => each.tree)]);
  // One field may be compared with another: what is listed there is worth a case here.
  const texts = new Set([...written, ...listedBeside(before)]);
  const search = (hasFractions: boolean): Omit<RuleCases, 'odd'> => {
    const cases = new Cases(texts.size <= maxTexts ? [...texts] : written, hasFractions, budget);
    const isAlwaysTrue = cases.holds({ tree, scope }, assumed, new Map(), 0);
    const pins = cases.refused.flatMap((each): Pin[] => {
      const now = cases.pinOf(each, undefined);
      return isUpdate ? [cases.pinOf(each, now), now] : [now];
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
  ) {
    this.until = budget.spent + budget.left * shareOfRule;
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
      for (const { atom } of known.values()) this.obstacle ??= atom.node && operatorOf(atom.node);
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

  /** Undefined while it is not known that the field is there, with a value that the old rules have seen. */
  private scopeOf({ scope, field }: Goal, known: Case): Scope | undefined {
    if (field === undefined) return scope;
    const { spot } = scope.get('self') ?? {};
    const identifier = escapeName(field);
    if (spot === undefined || identifier === undefined) return undefined;
    if (this.isThere(spot, field, known) !== true) return undefined;
    const inner = innerOf(spot, field, identifier);
    const isSeen = inner.before?.type === inner.after?.type && hasSameDefault(inner);
    return isSeen ? new Map(scope).set('self', { fails: 'never', spot: inner }) : undefined;
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
    const { fails, constant, outcomes, example } = this.value(node, at);
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
    return this.opaque(node, at, !isSure, example);
  }

  private factsOf(known: Case): FactsByPlace {
    let facts = this.facts.get(known);
    if (facts === undefined) {
      this.facts.set(known, (facts = new FactsByPlace()));
      for (const { atom, answer } of known.values()) {
        const { spot, fact } = atom;
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
  private isAtMost(whole: Whole, most: bigint, known: Case): boolean | undefined {
    const [low, high] = this.factsOf(known).rangeOf(whole);
    if (high !== undefined && high <= most) return true;
    if (low !== undefined && low > most) return false;
    const fact: Fact = { kind: 'most', of: whole, most };
    const key = `${whole.isSize ? 'size ' : ''}${whole.spot.key} <= ${most}`;
    return asBoolean(this.ask({ key, choices, spot: whole.spot, about: 'fact', fact }, known));
  }

  /** The answer of a comparison of which one side is known. */
  private ordered(name: string, one: Value, two: Value, known: Case): Value | undefined {
    const turned = turnedSigns.get(name);
    // A sum of two numbers is no comparison.
    if (turned === undefined) return undefined;
    const whole = wholeOf(one);
    const limit = two.constant;
    if (whole === undefined || typeof limit !== 'bigint') {
      if (wholeOf(two) === undefined || typeof one.constant !== 'bigint') return undefined;
      return this.ordered(turned, two, one, known);
    }
    if (name === '_==_') {
      const isMost = this.isAtMost(whole, limit, known);
      if (isMost === false) return ofAnswer(false);
      const isLess = isMost && this.isAtMost(whole, limit - 1n, known);
      return ofAnswer(isLess === undefined ? undefined : !isLess);
    }
    const isStrict = name === '_<_' || name === '_>=_';
    const answer = this.isAtMost(whole, isStrict ? limit - 1n : limit, known);
    const isUpper = name === '_<_' || name === '_<=_';
    return ofAnswer(answer === undefined || isUpper ? answer : !answer);
  }

  private tested(name: string, one: Value, text: string, known: Case): Value | undefined {
    const isExact = name === 'matches' || plainText.test(text);
    const pattern = isExact ? textTests.get(name)?.(text) : undefined;
    const compiled = pattern === undefined ? '' : compilePattern(pattern);
    if (pattern === undefined || typeof compiled === 'string') return undefined;
    if (typeof one.constant === 'string') return ofAnswer(compiled.test(one.constant));
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
    if (!turnedSigns.has(node.name) || node.name === '_==_') return undefined;
    if (![left, right].every(({ type }) => ['int', 'string'].includes(type?.kind ?? '')))
      return undefined;
    const isTurned = node.name === '_>_' || node.name === '_<=_';
    const [one, two] = (isTurned ? [right, left] : [left, right]).map((each) =>
      this.keyOf(each, at.scope),
    );
    const isMore = at.known.get(`${two} < ${one}`)?.answer === true;
    const asked: Atom = { key: `${one} < ${two}`, choices, about: 'anything', node };
    const answer = isMore || one === two ? false : this.ask(asked, at.known);
    if (answer === undefined) return yes | no;
    const isNegated = node.name === '_<=_' || node.name === '_>=_';
    return (answer === true) === isNegated ? no : yes;
  }

  /** Either answer, and the same one wherever the same is asked. */
  private opaque(
    node: Node,
    at: Context,
    mayFail: boolean,
    example?: Example,
    compared?: Atom['compared'],
  ): Outcomes {
    const atom: Atom = {
      key: this.opaqueKey(node, at.scope),
      choices: mayFail ? [...choices, failing] : choices,
      about: 'anything',
      node,
      example,
      compared: compared ?? [],
    };
    const answer = this.ask(atom, at.known);
    if (answer === undefined) return mayFail ? yes | no | failure : yes | no;
    return answer === failing ? failure : answer === true ? yes : no;
  }

  private opaqueKey(node: Node, scope: Scope): string {
    return `? ${this.keyOf(node, scope)}`;
  }

  private equality(node: Node, at: Context): Outcomes {
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
    return this.opaque(node, at, whether !== 0 || !isComparable, undefined, [one.spot, two.spot]);
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
    const args = operands.map((each) => this.item(each, at));
    if (lazy.has(node.name)) return unsure;
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
    if (node.name === 'size' && one !== undefined && one.fails === 'never') {
      const size = one.items?.length ?? lengthOf(one.constant);
      if (size !== undefined) return { fails: 'never', constant: BigInt(size) };
      if (one.spot !== undefined && isSized(one.spot))
        return { fails: 'never', whole: { spot: one.spot, isSize: true } };
    }
    if (one !== undefined && two !== undefined && bothSure(one, two)) {
      const text = two.constant;
      const answer =
        typeof text === 'string'
          ? this.tested(node.name, one, text, at.known)
          : this.ordered(node.name, one, two, at.known);
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
    if (item !== undefined && typeof one?.constant === 'string') {
      const atom: Atom = { key: `= ${item.key}`, choices, spot: item, about: 'value' };
      const held: Case = new Map([[atom.key, { atom, answer: one.constant }]]);
      return { ...(mayFail ? unsure : sure), example: { answer: true, item, known: held } };
    }
    const [left, right] = [one?.constant, two?.constant];
    if (typeof left === 'bigint' && typeof right === 'bigint' && bothSure(one, two)) {
      const sum = arithmetic(node.name, left, right);
      if (sum !== undefined) return { fails: 'never', constant: sum };
    }
    if (node.name === '_+_' && one?.items !== undefined && two?.items !== undefined)
      return {
        fails: mayFail && !bothSure(one, two) ? 'maybe' : 'never',
        items: [...one.items, ...two.items],
      };
    return mayFail ? unsure : sure;
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
    const item = range.spot === undefined ? undefined : itemOf(range.spot);
    if (quantified === undefined || item === undefined || range.fails !== 'never') return unsure;
    if (known.has(this.opaqueKey(node, scope))) return unsure;
    // One item stands for each: what is known of another one says nothing of it.
    if ([...scope.values()].some(({ spot }) => spot?.key.startsWith(item.key) === true))
      return unsure;
    const { open, refused } = this;
    const { body, isAll } = quantified;
    const others = new Map([...known].filter(([key]) => !key.includes(item.key)));
    const inner = assumed.flatMap(({ tree, scope: at, field }): Goal[] =>
      field === undefined ? this.bodiesOver(item.key, tree, at, others, depth) : [],
    );
    this.refused = [];
    const goal = {
      tree: isAll ? body : this.oppositeOf(body),
      scope: new Map(scope).set(node.variable, { fails: 'never', spot: item }),
    };
    const aside = assumed.map((each): Goal => ({ ...each, isAside: true }));
    const isProven = this.holds(goal, [...inner, ...aside], others, depth + 1);
    const [first] = this.refused;
    this.open = open;
    this.refused = refused;
    if (isProven) return { fails: 'never', constant: isAll };
    return first === undefined
      ? unsure
      : { fails: 'maybe', example: { answer: !isAll, item, known: first } };
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
  private bodiesOver(item: string, node: Node, scope: Scope, known: Case, depth: number): Goal[] {
    const here: Context = { scope, assumed: [], known, depth };
    const truth = (each: Node): Outcomes => this.truth(each, here);
    const within = (each: Node): Goal[] => this.bodiesOver(item, each, scope, known, depth);
    if (node.kind === 'fold') {
      const { body, isAll } = quantifiedOf(node) ?? {};
      const { spot } = this.value(node.range, here);
      const at = spot === undefined ? undefined : itemOf(spot);
      if (body === undefined || isAll !== true || at?.key !== item) return [];
      return [
        { tree: body, scope: new Map(scope).set(node.variable, { fails: 'never', spot: at }) },
      ];
    }
    if (node.kind !== 'call') return [];
    const [first, second, third] = operandsOf(node) as [Node, Node, Node];
    switch (node.name) {
      case '_&&_':
        return [...within(first), ...within(second)];
      case '_||_':
        return truth(first) === no ? within(second) : truth(second) === no ? within(first) : [];
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
      for (const [index, each] of compared.entries()) {
        if (answer !== false || each?.before === undefined || each.isOld !== isOld) continue;
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
      else {
        const there = isOld ? textIn(updated, spot.steps) : undefined;
        const sample = sampleOf(spot, facts, there === undefined ? [] : [there], this.budget);
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
    // A fold that may end early is not followed.
    if (secondVariable !== undefined || condition.kind !== 'literal') return unsure;
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
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint';
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

const turnedSigns: ReadonlyMap<string, string> = new Map([
  ['_==_', '_==_'],
  ['_<_', '_>_'],
  ['_<=_', '_>=_'],
  ['_>_', '_<_'],
  ['_>=_', '_<=_'],
]);

function wholeOf({ whole, spot, constant }: Value): Whole | undefined {
  if (whole !== undefined || spot === undefined || constant !== undefined) return whole;
  const isWhole = [spot.before, spot.after].every(
    (node) => node?.type === 'integer' && !node.intOrString,
  );
  return isWhole ? { spot, isSize: false } : undefined;
}

function isPlainNode(node: SchemaNode | undefined): boolean {
  return ['string', 'integer', 'boolean'].includes(node?.type ?? '') && node?.intOrString !== true;
}

/** In code points, as rules count them. */
function lengthOf(constant: Constant | undefined): number | undefined {
  return typeof constant === 'string' ? [...constant].length : undefined;
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

function bothSure(one: Value | undefined, two: Value | undefined): boolean {
  return one?.fails === 'never' && two?.fails === 'never';
}

function arithmetic(name: string, left: bigint, right: bigint): Constant | undefined {
  switch (name) {
    case '_+_':
      // Past 64 bits it is a failure.
      return BigInt.asIntN(64, left + right) === left + right ? left + right : undefined;
    case '_<_':
      return left < right;
    case '_<=_':
      return left <= right;
    case '_>_':
      return left > right;
    case '_>=_':
      return left >= right;
    default:
      return undefined;
  }
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

function itemOf({ key, isOld, steps, before, after }: Spot): Spot | undefined {
  const [old, now] = [before?.items, after?.items];
  if (before?.type !== 'array' || after?.type !== 'array') return undefined;
  if (old === undefined || now === undefined || old.nullable || now.nullable) return undefined;
  const isFilled = typeof now.default === 'object' && !hasSameDefault({ before: old, after: now });
  const item = { key: `${key}[]`, isOld, steps: [...steps, '[]'], after: now };
  return { ...item, before: isFilled ? undefined : old };
}

/** Whether no list that the old schema accepts has the text. */
function isNoItem(text: Constant | undefined, list: Spot | undefined): boolean {
  if (typeof text !== 'string' || list === undefined) return false;
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
      return `${node.name}(${operandsOf(node).map(of).join(', ')})`;
    case 'list':
      return `[${node.items.map((each, index) => (node.optional.has(index) ? `? ${of(each)}` : of(each))).join(', ')}]`;
    case 'fold': {
      const inner = new Map(scope);
      // Not to be taken for what has the same name outside.
      for (const name of [node.variable, node.secondVariable, node.accumulator])
        if (name !== undefined) inner.set(name, { fails: 'maybe', label: `bound ${name}` });
      const parts = [node.condition, node.step, node.result];
      const names = `${node.variable} ${node.secondVariable ?? ''} ${node.accumulator}`;
      return `fold(${names}: ${[of(node.range), of(node.initial), ...parts.map((each) => keyOf(each, inner))].join('; ')})`;
    }
    case 'map':
      return `{${node.entries.map(({ key, value, isOptional }) => `${isOptional ? '? ' : ''}${of(key)}: ${of(value)}`).join(', ')}}`;
    case 'struct':
      return `${node.name}{${node.fields.map(({ name, value }) => `${name}: ${of(value)}`).join(', ')}}`;
    case 'broken':
      return 'broken';
  }
}

function literalText(value: CelValue): string {
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'bigint') return `int ${value}`;
  return `${typeof value} ${JSON.stringify(value)}`;
}

function textsIn(trees: readonly Node[]): string[] {
  const texts = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'literal' && typeof node.value === 'string') texts.add(node.value);
    for (const child of childrenOf(node)) visit(child);
  };
  trees.forEach(visit);
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
function sizedPin(whole: Whole, facts: FactsByPlace): Pin | undefined {
  const { type } = whole.spot.before ?? {};
  const [least = 0n] = facts.rangeOf(whole);
  if (!whole.isSize || least > largestMade) return undefined;
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
    if (step !== '[]') return pinFields([step, inner]);
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

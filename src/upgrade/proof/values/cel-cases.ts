/**
 * Whether a rule can refuse anything at all, by cases: which fields are there, and which of the few
 * values that the old schema leaves them they have. What else a rule asks is taken for either answer,
 * so that a proof holds whatever it is; two rules that ask the same are given the same answer.
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
  type SchemaNode,
  typeOfSchema,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import { valuesOf } from './directed.js';
import type { Budget } from '../budget.js';
import { absent, ordinary, pinValue, type Pin } from '../pin.js';
import { accepts, conjuncts, fieldOf, listedValues } from '../shape.js';

/** The possible results of a boolean expression: a set of these bits. */
type Outcomes = number;
const yes = 1;
const no = 2;
const failure = 4;

/** A value somewhere in the object. */
interface Spot {
  /** One for each place, the same in all rules. */
  readonly key: string;
  readonly steps: readonly string[];
  /** Undefined where only a default of the new schema stands. */
  readonly before: SchemaNode | undefined;
  readonly after: SchemaNode | undefined;
}

/** Stands for every text that nothing names. */
const otherText: unique symbol = Symbol('other text');

type Constant = string | boolean | bigint | typeof otherText;

interface Value {
  readonly fails: 'never' | 'maybe' | 'always';
  readonly constant?: Constant;
  readonly spot?: Spot;
  readonly items?: readonly Value[];
  readonly outcomes?: Outcomes;
  /** Tells it from others that a variable of the same name stands for. */
  readonly label?: string;
}

const failing: unique symbol = Symbol('failing');

/** Of which nothing else is known. One of each: a proof asks for hundreds of thousands. */
const sure: Value = { fails: 'never' };
const unsure: Value = { fails: 'maybe' };
const failed: Value = { fails: 'always' };

/** One question, with what may be the answer to it. */
interface Atom {
  readonly key: string;
  readonly choices: readonly Answer[];
  readonly steps: readonly string[];
  readonly about: 'presence' | 'value' | 'anything';
}
/** `failing` where the rule itself fails. */
type Answer = string | boolean | typeof otherText | typeof failing;

interface Answered {
  readonly atom: Atom;
  readonly answer: Answer;
}
type Case = ReadonlyMap<string, Answered>;

type Scope = ReadonlyMap<string, Value>;
interface Goal {
  readonly tree: Node;
  readonly scope: Scope;
}

export interface RuleCases {
  readonly isAlwaysTrue: boolean;
  /** Ways of giving and leaving out what the rule asks about that it may refuse. */
  readonly pins: readonly Pin[];
}

/** Splits of one rule. */
const maxSplits = 3_000;
/** Expressions that are looked at in the time of one value. */
const expressionsPerValue = 4;
/** Part of what is left of the budget that one rule may take, so that others get their turn. */
const shareOfRule = 1 / 8;
const deepest = 14;
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
): readonly Node[] {
  const type = known.length === 0 ? undefined : declaredType(before);
  return known.slice(0, maxAssumed).flatMap((each) => treeOf(each, type, budget) ?? []);
}

/** @returns undefined for a rule that does not compile, or compares with the old value */
export function ruleCases(
  before: SchemaNode,
  after: SchemaNode,
  rule: ValidationRule,
  known: readonly Node[],
  budget: Budget,
): RuleCases | undefined {
  if (budget.isSpent) return undefined;
  const tree = treeOf(rule, declaredType(after), budget);
  if (tree === undefined) return undefined;
  const self: Value = { fails: 'never', spot: { key: 'self', steps: [], before, after } };
  const scope: Scope = new Map([['self', self]]);
  const assumed = known.map((each): Goal => ({ tree: each, scope }));
  const written = textsIn([tree, ...assumed.map((each) => each.tree)]);
  // One field may be compared with another: what is listed there is worth a case here.
  const texts = new Set([...written, ...listedBeside(before)]);
  const search = new Cases(texts.size <= maxTexts ? [...texts] : written, budget);
  const isAlwaysTrue = search.holds({ tree, scope }, assumed, new Map(), 0);
  return {
    isAlwaysTrue,
    pins: search.refused.map((each) => pinOf(each, before, budget)),
  };
}

function declaredType(schema: SchemaNode): CelType | undefined {
  return typeOfSchema(schema, schema.embeddedResource);
}

function treeOf(rule: ValidationRule, type: CelType | undefined, budget: Budget): Node | undefined {
  if (type === undefined || /\boldSelf\b/.test(rule.rule)) return undefined;
  // To compile a character takes the time of one value.
  budget.spend(rule.rule.length);
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

/** Followed operand by operand. */
const logic = new Set(['_&&_', '_||_', '!_', '_?_:_', '_==_', '_!=_']);

class Cases {
  readonly refused: Case[] = [];
  private readonly keys = new Map<Scope, Map<Node, string>>();
  private left = maxSplits;
  private readonly until: number;
  /** Expressions that were looked at and not paid for yet. */
  private looked = 0;
  /** The first question of the present expression that has no answer yet. */
  private open: Atom | undefined;

  constructor(
    private readonly texts: readonly string[],
    private readonly budget: Budget,
  ) {
    this.until = budget.spent + budget.left * shareOfRule;
  }

  /** Whether the goal comes to true, and nothing else, wherever everything assumed does. */
  holds(goal: Goal, assumed: readonly Goal[], known: Case, depth: number): boolean {
    this.budget.spend(1 + this.looked / expressionsPerValue);
    this.looked = 0;
    if (--this.left <= 0 || depth > deepest || this.budget.spent >= this.until) return false;
    this.open = undefined;
    const outcomes = this.truth(goal.tree, goal.scope, assumed, known, depth);
    let next = this.open as Atom | undefined;
    if (outcomes === yes) return true;
    for (const each of assumed) {
      this.open = undefined;
      if (this.budget.spent + this.looked / expressionsPerValue >= this.until) return false;
      const possible = this.truth(each.tree, each.scope, [], known, depth);
      if ((possible & yes) === 0) return true;
      next ??= this.open;
    }
    if (next === undefined) {
      if (this.refused.length < maxPins) this.refused.push(known);
      return false;
    }
    const atom = next;
    let isProven = true;
    for (const answer of atom.choices) {
      const more = new Map(known).set(atom.key, { atom, answer });
      if (!this.holds(goal, assumed, more, depth + 1)) isProven = false;
      if (!isProven && this.refused.length >= maxPins) break;
    }
    return isProven;
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

  private truth(
    node: Node,
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Outcomes {
    this.looked++;
    if (node.kind === 'call' && logic.has(node.name)) {
      const of = (each: Node | undefined): Outcomes =>
        each === undefined ? yes | no | failure : this.truth(each, scope, assumed, known, depth);
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
          const same = this.equality(node, scope, assumed, known, depth);
          return node.name === '_==_' ? same : not(same);
        }
        default:
      }
    }
    const { fails, constant, outcomes } = this.value(node, scope, assumed, known, depth);
    if (fails === 'always') return failure;
    if (outcomes !== undefined) return outcomes;
    const whether = fails === 'never' ? 0 : failure;
    if (typeof constant === 'boolean') return (constant ? yes : no) | whether;
    if (constant !== undefined) return failure;
    // A value without a type of its own may be no bool, and every operator and macro fails for that.
    return this.opaque(node, scope, fails !== 'never' || node.type?.kind !== 'bool', known);
  }

  /** Either answer, and the same one wherever the same is asked. */
  private opaque(node: Node, scope: Scope, mayFail: boolean, known: Case): Outcomes {
    const atom: Atom = {
      key: `? ${this.keyOf(node, scope)}`,
      choices: mayFail ? [true, false, failing] : [true, false],
      steps: [],
      about: 'anything',
    };
    const answer = this.ask(atom, known);
    if (answer === undefined) return mayFail ? yes | no | failure : yes | no;
    return answer === failing ? failure : answer === true ? yes : no;
  }

  private equality(
    node: Node,
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Outcomes {
    const [left, right] = operandsOf(node) as [Node, Node];
    if (left.type?.kind === 'bool' && right.type?.kind === 'bool') {
      const [one, two] = [left, right].map((each) =>
        this.truth(each, scope, assumed, known, depth),
      ) as [Outcomes, Outcomes];
      const are = (outcome: Outcomes): boolean => one === outcome && two === outcome;
      if (are(yes) || are(no)) return yes;
      if ((one === yes && two === no) || (one === no && two === yes)) return no;
      return yes | no | ((one | two) & failure);
    }
    const [one, two] = [left, right].map((each) =>
      this.value(each, scope, assumed, known, depth),
    ) as [Value, Value];
    if (one.fails === 'always' || two.fails === 'always') return failure;
    const whether = one.fails === 'maybe' || two.fails === 'maybe' ? failure : 0;
    const same = this.areSame(one.constant, two.constant);
    if (same !== undefined) return (same ? yes : no) | whether;
    // Lists, maps and values of libraries may have what cannot be compared.
    const isComparable = isPlainType(left.type) && isPlainType(right.type);
    return this.opaque(node, scope, whether !== 0 || !isComparable, known);
  }

  /** Undefined where both are possible: the text that nothing names may be one of an enumeration. */
  private areSame(one: Constant | undefined, two: Constant | undefined): boolean | undefined {
    if (one === undefined || two === undefined) return undefined;
    if (one !== otherText && two !== otherText)
      return typeof one === typeof two ? one === two : undefined;
    const named = one === otherText ? two : one;
    return typeof named === 'string' && this.texts.includes(named) ? false : undefined;
  }

  private value(
    node: Node,
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Value {
    this.looked++;
    switch (node.kind) {
      case 'literal':
        return isConstant(node.value) ? { fails: 'never', constant: node.value } : sure;
      case 'identifier':
        // A name of a type is that type, whatever a macro binds to it.
        return node.type?.kind === 'type' ? unsure : this.named(scope.get(node.name), known);
      case 'list': {
        if (node.optional.size > 0) return unsure;
        const items = node.items.map((item) => this.item(item, scope, assumed, known, depth));
        // It is made whole before anything looks at it: a failing entry is a failing list.
        return { fails: worst(items), items };
      }
      case 'select': {
        const operand = this.value(node.operand, scope, assumed, known, depth);
        return node.isTest
          ? this.presenceOf(operand, node.field, known)
          : this.selected(operand, node.field, known);
      }
      case 'fold':
        return this.fold(node, scope, assumed, known, depth);
      case 'call':
        return this.called(node, scope, assumed, known, depth);
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

  /** An entry of a list that the rule writes out. */
  private item(
    node: Node,
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Value {
    if (node.type?.kind !== 'bool') return this.value(node, scope, assumed, known, depth);
    return ofOutcomes(this.truth(node, scope, assumed, known, depth));
  }

  private called(
    node: Node & { kind: 'call' },
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Value {
    const operands = operandsOf(node);
    if (node.name === '_?_:_') {
      const [condition, then, otherwise] = operands as [Node, Node, Node];
      const outcomes = this.truth(condition, scope, assumed, known, depth);
      if (outcomes === failure) return failed;
      const chosen = outcomes === yes ? then : outcomes === no ? otherwise : undefined;
      return chosen === undefined ? unsure : this.value(chosen, scope, assumed, known, depth);
    }
    if (node.type?.kind === 'bool' && logic.has(node.name))
      return ofOutcomes(this.truth(node, scope, assumed, known, depth));
    const args = operands.map((each) => this.item(each, scope, assumed, known, depth));
    if (lazy.has(node.name)) return unsure;
    const fails = worst(args);
    if (fails === 'always') return { fails };
    const [one, two] = args;
    const mayFail = fails === 'maybe' || !isTotal(node.name, operands, two);
    if (node.name === 'size' && one?.items !== undefined && one.fails === 'never')
      return { fails: 'never', constant: BigInt(one.items.length) };
    if (node.name === '@in' && two?.items !== undefined) {
      const found = two.items.map(({ constant }) => this.areSame(one?.constant, constant));
      const isThere = found.includes(true);
      if (!mayFail && (isThere || found.every((each) => each === false)))
        return { fails: 'never', constant: isThere };
    }
    if (node.name === '@in' && !mayFail && isNoItem(one?.constant, two?.spot))
      return { fails: 'never', constant: false };
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
    if (fails === 'maybe' || !isFollowed(spot, field)) return unsure;
    const answer = this.isThere(spot, field, known);
    return answer === undefined
      ? { fails: 'never', outcomes: yes | no }
      : { fails: 'never', constant: answer };
  }

  /** Undefined where both are possible. */
  private isThere(
    { key, steps, before, after }: Spot,
    name: string,
    known: Case,
  ): boolean | undefined {
    const atom: Atom = {
      key: `has ${key}.${name}`,
      choices: [true, false],
      steps: [...steps, name],
      about: 'presence',
    };
    if (before === undefined || after === undefined) return asBoolean(this.ask(atom, known));
    const [old, now] = [fieldOf(before, name), fieldOf(after, name)];
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

  private selected({ fails, spot }: Value, name: string, known: Case): Value {
    if (fails === 'always') return failed;
    if (fails === 'maybe' || !isFollowed(spot, name)) return unsure;
    const isThere = this.isThere(spot, name, known);
    if (isThere === undefined) return unsure;
    if (!isThere) return failed;
    const [before, after] = [spot.before, spot.after].map((node) => node && fieldOf(node, name));
    // A null in a map is there, as a value of no use to what takes the type that is declared.
    const isNull = [before, after].some((node) => node?.nullable === true);
    if (isNull && spot.after?.properties?.has(name) !== true) return unsure;
    // An object made up by a default does not have to satisfy the old schema.
    const isFilled = typeof after?.default === 'object';
    const inner: Spot = {
      key: `${spot.key}.${name}`,
      steps: [...spot.steps, name],
      before: isFilled ? undefined : before,
      after,
    };
    return this.atSpot(inner, known);
  }

  /** The value at a spot, where it is one of few. */
  private atSpot(spot: Spot, known: Case): Value {
    const { key, steps, before, after } = spot;
    if (after !== undefined && !isReadable(after)) return unsure;
    if (before === undefined || after === undefined) return sure;
    const choices = this.choicesOf(before, after);
    if (choices === undefined) return { fails: 'never', spot };
    const answer = this.ask({ key: `= ${key}`, choices, steps, about: 'value' }, known);
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
    return this.texts.length <= maxTexts ? [...this.texts, otherText] : undefined;
  }

  private fold(
    node: Node & { kind: 'fold' },
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Value {
    const range = this.value(node.range, scope, assumed, known, depth);
    if (range.fails === 'always') return failed;
    if (range.fails === 'never' && range.items !== undefined) {
      return this.unrolled(node, range.items, scope, assumed, known, depth);
    }
    const body = bodyOfAll(node);
    const item = range.spot === undefined ? undefined : itemOf(range.spot);
    if (body === undefined || item === undefined || range.fails !== 'never') return unsure;
    // One item stands for each: what is known of another one says nothing of it.
    if ([...scope.values()].some(({ spot }) => spot?.key.startsWith(item.key) === true))
      return unsure;
    const others = new Map([...known].filter(([key]) => !key.includes(item.key)));
    const at: Value = { fails: 'never', spot: item };
    const inner = assumed.flatMap((each): Goal[] =>
      this.bodiesOver(item.key, each.tree, each.scope, others, depth),
    );
    const open = this.open;
    const goal = { tree: body, scope: new Map(scope).set(node.variable, at) };
    const isProven = this.holds(goal, [...inner, ...assumed], others, depth + 1);
    this.open = open;
    return isProven ? { fails: 'never', constant: true } : unsure;
  }

  /** Consequences, for every item of a list, of a rule that is known to hold. */
  private bodiesOver(item: string, node: Node, scope: Scope, known: Case, depth: number): Goal[] {
    const truth = (each: Node): Outcomes => this.truth(each, scope, [], known, depth);
    const within = (each: Node): Goal[] => this.bodiesOver(item, each, scope, known, depth);
    if (node.kind === 'fold') {
      const body = bodyOfAll(node);
      const { spot } = this.value(node.range, scope, [], known, depth);
      const at = spot === undefined ? undefined : itemOf(spot);
      if (body === undefined || at?.key !== item) return [];
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

  /** A fold over a list that the rule writes out. */
  private unrolled(
    place: Node & { kind: 'fold' },
    items: readonly Value[],
    scope: Scope,
    assumed: readonly Goal[],
    known: Case,
    depth: number,
  ): Value {
    const { variable, secondVariable, accumulator, initial, condition, step, result } = place;
    // A fold that may end early is not followed.
    if (secondVariable !== undefined || condition.kind !== 'literal') return unsure;
    const [ofItem, ofSum] = [this.keyOf(place.range, scope), this.keyOf(place, scope)];
    let sum = this.item(initial, scope, assumed, known, depth);
    for (const [index, item] of items.entries()) {
      const labelled = { ...item, label: `${ofItem} ${index}` };
      const inner = new Map(scope)
        .set(variable, labelled)
        .set(accumulator, { ...sum, label: `${ofSum} ${index}` });
      sum = this.item(step, inner, assumed, known, depth);
    }
    const last = { ...sum, label: `${ofSum} ${items.length}` };
    return this.item(result, new Map(scope).set(accumulator, last), assumed, known, depth);
  }
}

/** A field's own name; those of a resource are there without being declared. */
function isFollowed(spot: Spot | undefined, name: string): spot is Spot {
  return (
    spot !== undefined &&
    spot.before?.embeddedResource !== true &&
    spot.after?.embeddedResource !== true &&
    /^[A-Za-z_]\w*$/.test(name) &&
    !name.includes('__') &&
    !['apiVersion', 'kind', 'metadata'].includes(name)
  );
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

/** The predicate of `range.all(x, predicate)`. */
function bodyOfAll({
  secondVariable,
  initial,
  condition,
  step,
  accumulator,
}: Node & {
  kind: 'fold';
}): Node | undefined {
  const isAll =
    secondVariable === undefined &&
    initial.kind === 'literal' &&
    initial.value === true &&
    condition.kind === 'call' &&
    condition.name === '@not_strictly_false' &&
    condition.args[0]?.kind === 'identifier' &&
    condition.args[0].name === accumulator &&
    step.kind === 'call' &&
    step.name === '_&&_';
  return isAll ? step.args[1] : undefined;
}

function itemOf({ key, steps, before, after }: Spot): Spot | undefined {
  const [old, now] = [before?.items, after?.items];
  if (before?.type !== 'array' || after?.type !== 'array') return undefined;
  if (old === undefined || now === undefined || old.nullable || now.nullable) return undefined;
  return { key: `${key}[]`, steps: [...steps, '[]'], before: old, after: now };
}

/** Whether no list that the old schema accepts has the text. */
function isNoItem(text: Constant | undefined, list: Spot | undefined): boolean {
  if (typeof text !== 'string' || list === undefined) return false;
  const { before, after } = itemOf(list) ?? {};
  return before !== undefined && before.type === after?.type && !accepts(before, text);
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

/** The type and the value, whatever JSON has no text for. */
function literalText(value: CelValue): string {
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'bigint') return `int ${value}`;
  return `${typeof value} ${JSON.stringify(value)}`;
}

/** Texts that the rules write out. */
function textsIn(trees: readonly Node[]): string[] {
  const texts = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'literal' && typeof node.value === 'string') texts.add(node.value);
    for (const child of childrenOf(node)) visit(child);
  };
  trees.forEach(visit);
  return [...texts];
}

/** The texts that fields of an object may have, where they are listed. */
function listedBeside(node: SchemaNode): string[] {
  return conjuncts(node)
    .flatMap(({ properties }) => [...(properties?.values() ?? [])])
    .flatMap((field) => (field.type === 'string' ? (listedValues(field) ?? []) : []))
    .filter((value): value is string => typeof value === 'string');
}

/** A case as what an object must have. */
function pinOf(known: Case, before: SchemaNode, budget: Budget): Pin {
  let whole: Pin = ordinary;
  for (const { atom, answer } of known.values()) {
    if (atom.about === 'anything' || answer === otherText || answer === failing) continue;
    if (atom.about === 'value') whole = pinned(whole, atom.steps, pinValue(answer), before, budget);
    else {
      const node = nodeAt(before, atom.steps);
      const [value] = node === undefined ? [] : valuesOf(node, budget, 1);
      const there = value === undefined || node?.type === 'object' ? ordinary : pinValue(value);
      whole = pinned(whole, atom.steps, answer === true ? there : absent, before, budget);
    }
  }
  return whole;
}

function nodeAt(node: SchemaNode | undefined, steps: readonly string[]): SchemaNode | undefined {
  return steps.reduce<SchemaNode | undefined>(
    (at, step) => (step === '[]' ? at?.items : at && fieldOf(at, step)),
    node,
  );
}

function pinned(
  whole: Pin,
  [step, ...rest]: readonly string[],
  pin: Pin,
  before: SchemaNode,
  budget: Budget,
): Pin {
  if (step === undefined) return pin;
  if (step === '[]') {
    const first = whole.kind === 'list' ? (whole.items[0] ?? ordinary) : ordinary;
    const every = pinned(first, rest, pin, before, budget);
    return { kind: 'list', items: [every], every };
  }
  const fields = new Map(whole.kind === 'object' ? whole.fields : []);
  fields.set(step, pinned(fields.get(step) ?? ordinary, rest, pin, before, budget));
  return { kind: 'object', fields };
}

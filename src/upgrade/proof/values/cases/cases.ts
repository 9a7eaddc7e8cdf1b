/** The search through the cases of a rule, and through those of the items of a list. */
import type { Node } from '../../../../cel/index.js';
import { escapeName } from '../../../../kubernetes/index.js';
import { fieldOf } from '../../shape.js';
import {
  type Spot,
  itemOf,
  secondItemOf,
  stepFrom,
  keyOfMap,
  hasSameDefault,
  looksAlike,
  isSized,
} from './spots.js';
import { sumOf } from './facts.js';
import {
  type Outcomes,
  yes,
  no,
  type Value,
  failed,
  unsure,
  not,
  ofAnswer,
  ofOutcomes,
  ofSum,
  outcomesOf,
  type Atom,
  leastFirst,
  type Case,
  type Scope,
  type Context,
  type Example,
  type Goal,
} from './case.js';
import {
  turnedLogic,
  isPlainType,
  operandsOf,
  quantifiedOf,
  existsOneOf,
  overSource,
  operatorOf,
  opposite,
} from './trees.js';
import { declaredType, ruleOf, treeOf } from './compiled.js';
import { Evaluation } from './evaluation.js';

/** Splits of one rule. */
const maxSplits = 3_000;
const deepest = 40;
const maxPins = 40;

export class Cases extends Evaluation {
  refused: Case[] = [];
  obstacle: string | undefined;
  protected readonly opposites = new Map<Node, Node>();
  /** Keys of the items that a fold is just asked of. */
  protected readonly within: string[] = [];
  /** The ones of them that are other items than the one in scope. */
  private readonly apart: string[] = [];
  protected readonly alike = new Map<string, boolean>();
  /** Refused cases that are looked for: of an item one is enough. */
  protected most = maxPins;
  /** Whether assumptions are being evaluated: items are not distinguished then, because that costs much. */
  protected isAside = false;
  protected left = maxSplits;

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
    this.looked++;
    this.pay();
    if (--this.left <= 0 || depth > deepest || this.isOver) return false;
    this.open = undefined;
    const outcomes = this.truth(goal.tree, { scope: goal.scope, assumed, known, depth });
    this.pay();
    let next = this.open as Atom | undefined;
    const asked = next !== undefined;
    if (outcomes === yes) return true;
    const left: Goal[] = [];
    for (const each of assumed) {
      this.open = undefined;
      if (this.isOver) return false;
      left.push(each);
      if (each.isSettled === true) continue;
      const scope = this.scopeOf(each, known);
      if (scope === undefined) continue;
      const { isAside } = this;
      this.isAside = true;
      const possible = this.truth(each.tree, { scope, assumed: [], known, depth });
      this.pay();
      this.isAside = isAside;
      if ((possible & yes) === 0) return true;
      // With more known it stays so.
      if (possible === yes) left.splice(-1, 1, { ...each, isSettled: true });
      if (each.isAside !== true) next ??= this.open;
    }
    if (next === undefined) {
      if (this.factsOf(known).isImpossible(this.budget)) return true;
      for (const { atom } of known.values()) {
        const node = atom.node ?? atom.spot?.term;
        this.obstacle ??= node && operatorOf(node);
      }
      if (this.refused.length < this.most) this.refused.push(known);
      return false;
    }
    const isRefused = (outcomes & yes) === 0;
    if (isRefused && !asked && this.factsOf(known).isImpossible(this.budget)) return true;
    const atom = next;
    let isProven = true;
    // Once it is refused, the least that the other rules let be is enough.
    for (const answer of leastFirst(atom)) {
      const more = new Map(known).set(atom.key, { atom, answer });
      if (!this.holds(goal, left, more, depth + 1)) isProven = false;
      if (!isProven && (isRefused || this.refused.length >= this.most)) break;
    }
    return isProven;
  }

  /** The part of a case that the goal itself asks for: the rest is one way of many to keep what is assumed. */
  askedBy({ tree, scope }: Goal, known: Case): Case {
    this.asked = new Set();
    this.truth(tree, { scope, assumed: [], known, depth: 0 });
    this.pay();
    const { asked } = this;
    this.asked = undefined;
    return new Map([...known].filter(([key, { atom }]) => atom.about === 'fact' || asked.has(key)));
  }

  /** Undefined while it is not known that it is there, with a value that the old rules have seen. */
  protected scopeOf({ scope, path }: Goal, known: Case): Scope | undefined {
    if (path === undefined) return scope;
    const inner = new Map(scope);
    for (const [name, { spot }] of scope) {
      const reached = spot && this.reached(spot, path, known);
      if (reached === undefined) return undefined;
      inner.set(name, { fails: 'never', spot: reached });
    }
    return inner;
  }

  protected reached(from: Spot, path: readonly string[], known: Case): Spot | undefined {
    let spot: Spot = from;
    for (const step of path) {
      const inner = stepFrom(spot, step);
      const isThere =
        step === '[]'
          ? this.within.includes(`${spot.key}[]`)
          : inner && this.isThere(spot, step, known);
      if (isThere !== true || inner === undefined || !hasSameDefault(inner)) return undefined;
      spot = inner;
    }
    let isAlike = this.alike.get(spot.key);
    if (isAlike === undefined)
      this.alike.set(spot.key, (isAlike = looksAlike(spot.before, spot.after, this.budget)));
    return isAlike ? spot : undefined;
  }

  protected fold(node: Node & { kind: 'fold' }, at: Context): Value {
    const source = overSource(node);
    if (source !== null && !at.scope.has(source.variable)) {
      const key = this.keyOf(node, at.scope);
      const isAsked = at.known.has(`? ${key}`) || at.known.has(`? ${opposite(key)}`);
      return isAsked ? unsure : this.fold(source, at);
    }
    const range = this.value(node.range, at);
    if (range.fails === 'always') return failed;
    if (range.fails === 'never' && range.items !== undefined) {
      return this.unrolled(node, range.items, at);
    }
    const { scope, known } = at;
    const quantified = quantifiedOf(node) ?? existsOneOf(node);
    if (quantified === undefined || range.fails !== 'never' || range.spot === undefined)
      return this.term(node, at, true);
    const { spot: list } = range;
    const { body: said } = quantified;
    if (said.kind === 'literal' && typeof said.value === 'boolean' && isSized(list)) {
      if (said.value === quantified.isAll) return ofAnswer(quantified.isAll);
      const size = ofSum(sumOf({ spot: list, isSize: true }));
      const count = quantified.isOne === true ? 1n : 0n;
      const isSo = this.ordered('_==_', size, { fails: 'never', constant: count }, known);
      if (isSo !== undefined)
        return quantified.isAll || count > 0n ? isSo : ofOutcomes(not(outcomesOf(isSo)));
    }
    const open: Value = { fails: 'maybe', list };
    // One item stands for each, and for one of two a second: what is known of the one says nothing of it.
    const [first, second] = [itemOf(list), secondItemOf(list)];
    const item = first !== undefined && isInScope(first, scope) ? second : first;
    if (item === undefined || isInScope(item, scope)) return open;
    if (this.isAside && (item === second || this.within.length > 0)) return open;
    const asked = this.keyOf(node, scope);
    if (known.has(`? ${asked}`) || known.has(`? ${opposite(asked)}`)) return open;
    const { body, isAll, isOne = false } = quantified;
    const isOther = isOne && item === second && this.isOfItself(list, node.variable, body, at);
    const search = (tree: Node): true | Case | undefined =>
      this.among(list, item, node.variable, tree, at, isOther);
    const none = this.oppositeOf(body);
    const found = search(isAll ? body : none);
    if (found === true) return { fails: 'never', constant: isAll || isOther };
    const usual = (): Example | undefined => {
      const held = search(isAll ? none : body);
      return held instanceof Map ? { answer: isAll, item, known: held } : undefined;
    };
    const answer = isOne ? item === first : !isAll;
    const example = found && { answer, item, known: found };
    return { ...open, usual, ...(example === undefined ? {} : { example }) };
  }

  /** Whether the body comes to true for the item in scope. */
  private isOfItself(list: Spot, variable: string, body: Node, at: Context): boolean {
    const [item, other] = [itemOf(list), secondItemOf(list)];
    if (item === undefined || other === undefined || this.isAside) return false;
    if (!isInScope(item, at.scope) || isInScope(other, at.scope)) return false;
    const scope = new Map(at.scope).set(variable, { fails: 'never', spot: item });
    return this.truth(body, { ...at, scope }) === yes;
  }

  protected isOfOne(list: Spot, variable: string, body: Node, at: Context): boolean {
    if (!this.isOfItself(list, variable, body, at)) return false;
    const other = secondItemOf(list) as Spot;
    return this.among(list, other, variable, this.oppositeOf(body), at, true) === true;
  }

  /**
   * Whether it holds for every item, or else what is known of one for which it does not.
   * @param isOther whether only items beside the one in scope are meant
   */
  private among(
    list: Spot,
    item: Spot,
    variable: string,
    tree: Node,
    { scope, assumed, known, depth }: Context,
    isOther = false,
  ): true | Case | undefined {
    const { open: before, refused, most } = this;
    const spot = list.before?.type === 'array' ? item : keyOfMap(list);
    const itemScope = new Map(scope).set(variable, { fails: 'never', spot });
    const others = new Map([...known].filter(([key]) => !key.includes(item.key)));
    if (isOther) this.apart.push(item.key);
    const inner = assumed.flatMap(({ tree, scope: at, path }): Goal[] =>
      path === undefined ? this.bodiesOver(item.key, tree, at, others, depth) : [],
    );
    const distinct = isOther ? this.distinctIn(list, item) : [];
    const aside = assumed.map((each): Goal => ({ ...each, isAside: true }));
    this.refused = [];
    this.most = 1;
    this.within.push(item.key);
    const goal = { tree, scope: itemScope };
    const isProven = this.holds(goal, [...distinct, ...inner, ...aside], others, depth + 1);
    this.within.pop();
    if (isOther) this.apart.pop();
    const [first] = this.refused;
    this.open = before;
    this.refused = refused;
    this.most = most;
    return isProven || first;
  }

  /** That two items of a set, or the keys of two, are not the same. */
  private distinctIn(list: Spot, other: Spot): Goal[] {
    const { listType, listMapKeys = [] } = list.before ?? {};
    const item = itemOf(list);
    const isAlike = item !== undefined && looksAlike(item.before, item.after, this.budget);
    if (!isAlike || !hasSameDefault(list)) return [];
    const keys = listType === 'set' ? [''] : listType === 'map' ? listMapKeys : [];
    const same = keys.map((key) => sameAt(item, key, this.hasFractions));
    if (same.length === 0 || same.includes(undefined)) return [];
    const type = item.before && declaredType(item.before);
    const tree = treeOf(ruleOf(`!(${same.join(' && ')})`), type, this.budget);
    const scope: Scope = new Map([
      ['self', { fails: 'never', spot: item }],
      ['oldSelf', { fails: 'never', spot: other }],
    ]);
    return tree === undefined ? [] : [{ tree, scope }];
  }

  protected oppositeOf(body: Node): Node {
    let made = this.opposites.get(body);
    if (made === undefined) {
      made = { kind: 'call', name: '!_', args: [body], position: body.position };
      if (body.type !== undefined) made.type = body.type;
      this.opposites.set(body, made);
    }
    return made;
  }

  /** Consequences, for every item of a list, of a rule that is known to hold. */
  protected bodiesOver(
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
      const source = overSource(node);
      if (source !== null && !scope.has(source.variable)) return within(source);
      const { body, isAll, isOne } = quantifiedOf(node) ?? existsOneOf(node) ?? {};
      const { spot } = this.value(node.range, here);
      const items = spot === undefined ? [] : [itemOf(spot), secondItemOf(spot)];
      const at = items.find((each) => each?.key === item);
      if (spot === undefined || body === undefined || at === undefined) return [];
      if (isOne === true) {
        const isApart = !isNot && this.apart.includes(item);
        if (!isApart || !this.isOfItself(spot, node.variable, body, here)) return [];
        const inner = new Map(scope).set(node.variable, { fails: 'never', spot: at });
        return [{ tree: this.oppositeOf(body), scope: inner }];
      }
      if (isAll === isNot) return [];
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
}

function isInScope({ key }: Spot, scope: Scope): boolean {
  return [...scope.values()].some(({ spot }) => spot?.key.startsWith(key) === true);
}

/** A rule that both values have the same field; undefined where rules compare it otherwise than schemas do. */
function sameAt({ before }: Spot, key: string, hasFractions: boolean): string | undefined {
  const node = before && (key === '' ? before : fieldOf(before, key));
  const isExact = node?.type === 'string' || (!hasFractions && node?.type === 'integer');
  if (!isExact || node.intOrString || !isPlainType(declaredType(node)) || node.nullable)
    return undefined;
  const [one, other] = ['self', 'oldSelf'].map((item) => `${item}.${escapeName(key)}`);
  if (key === '') return 'self == oldSelf';
  return escapeName(key) && `has(${one}) && has(${other}) && ${one} == ${other}`;
}

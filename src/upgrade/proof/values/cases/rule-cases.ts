/**
 * Whether a rule can refuse anything at all, by cases: which fields are there, which of the few values
 * that the old schema leaves them they have, between which bounds and of which patterns they are. What
 * else a rule asks is taken for either answer, so that a proof holds whatever it is; two rules that ask
 * the same are given the same answer.
 */
import type { Node } from '../../../../cel/index.js';
import { escapeName, type SchemaNode, type ValidationRule } from '../../../../kubernetes/index.js';
import type { Budget } from '../../budget.js';
import { ordinary, type Pin } from '../../pin.js';
import { conjuncts, listedValues } from '../../shape.js';
import { type Spot, stepFrom } from './spots.js';
import { type Value, choices, type Answered, type Case, type Scope, type Goal } from './case.js';
import { divisorsIn, literalsIn } from './trees.js';
import { declaredType, isTransition, treeOf } from './compiled.js';
import { maxTexts } from './questions.js';
import { Cases } from './cases.js';
import { pinOf, pinsNear } from './case-pins.js';

export interface Assumed {
  readonly tree: Node;
  readonly isTransition: boolean;
  /** Steps from it down to the value that rules are asked about. */
  readonly up?: number;
  /** Fields and items on the way to what it is about; it says nothing while that is absent. */
  readonly path?: readonly string[] | undefined;
}

/** Rules that are assumed to hold; the schema of a real field has a dozen. */
const maxAssumed = 100;

/** Fields and items on the way to rules that are assumed to hold. */
const deepestAssumed = 3;

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
      // Items are not distinguished: which item was which before is unknown.
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

/** Where a value stands in another one, whose rules see the same as they would under the new schema. */
export interface Around {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  readonly isResource: boolean;
  /** Steps to the value. */
  readonly path: readonly string[];
  readonly assumed: readonly Assumed[];
}

export interface RuleCases {
  readonly isAlwaysTrue: boolean;
  /** Ways of giving and leaving out what the rule asks about that it may refuse. */
  readonly pins: readonly Pin[];
  /** The same with values near to what the rule names: where not all of it is followed, one of these may do. */
  readonly near: () => Iterable<Pin>;
  /** The part of the rule that is not followed; undefined where all of it is. */
  readonly obstacle?: string | undefined;
  /** For a rule that is always true: the same with integers that have a fraction; undefined if it is still. */
  readonly odd: () => readonly Pin[] | undefined;
}

/** Part of what is left of the budget that one rule may take, so that others get their turn. */
const shareOfRule = 1 / 8;

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
  const literals = [...trees].flatMap(literalsIn);
  const written = [...new Set(literals.filter((each) => typeof each === 'string'))];
  const numbers = literalsIn(tree)
    .filter((each) => typeof each === 'bigint')
    .map(Number);
  budget.spend(trees.size + written.length);
  // One field may be compared with another: what is listed there is worth a case here.
  const texts = new Set([...written, ...listedBeside(before)]);
  const search = (hasFractions: boolean): Omit<RuleCases, 'odd'> => {
    const cases = new Cases(
      texts.size <= maxTexts ? [...texts] : written,
      hasFractions,
      budget,
      share,
      divisorsIn(trees),
    );
    const assumed = cases.withItems([...ways, ...oldWays], goals, given);
    const goal = { tree, scope };
    const isAlwaysTrue = cases.holds(goal, assumed, given, 0);
    const least = cases.refused.flatMap((each) => {
      const asked = cases.askedBy(goal, each);
      return asked.size < each.size ? [asked] : [];
    });
    const pins = [...cases.refused, ...least].flatMap((each): Pin[] => {
      const now = pinOf(cases, each, undefined);
      const all = isUpdate ? [pinOf(cases, each, now), now] : [now];
      return all.map((pin) => pinBelow(pin, path));
    });
    const { obstacle } = cases;
    const near = function* (): Generator<Pin> {
      for (const pin of pinsNear(cases, numbers)) yield pinBelow(pin, path);
    };
    return { isAlwaysTrue, pins, near, obstacle };
  };
  return {
    ...search(false),
    odd: () => {
      const { isAlwaysTrue, pins } = search(true);
      return isAlwaysTrue ? undefined : pins;
    },
  };
}

/** Whether the rule holds for all that the old rules let be, integers with a fraction included. */
export function refusesNothing(...asked: Parameters<typeof ruleCases>): boolean {
  const cases = ruleCases(...asked);
  return cases?.isAlwaysTrue === true && cases.odd() === undefined;
}

/** From what is around a value down to it; shorter where a step is not followed. */
function wayFrom(key: string, { before, after, isResource, path }: Around): Spot[] {
  const way: Spot[] = [{ key, isOld: key === 'oldSelf', steps: [], before, after, isResource }];
  for (const step of path) {
    const last = way.at(-1) as Spot;
    const inner = stepFrom(last, step);
    if (inner === undefined) break;
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

function listedBeside(node: SchemaNode): string[] {
  return conjuncts(node)
    .flatMap(({ properties }) => [...(properties?.values() ?? [])])
    .flatMap((field) => (field.type === 'string' ? (listedValues(field) ?? []) : []))
    .filter((value): value is string => typeof value === 'string');
}

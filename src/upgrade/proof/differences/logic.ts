/** allOf, anyOf, oneOf, not. */
import { SchemaNode } from '../../../kubernetes/index.js';
import { isSafeByRules } from './cel-rules.js';
import { keywords, without } from './change.js';
import { branchesRule } from './keyword-rules.js';
import { Remembered } from '../values/remembered.js';
import { mergePins, type Pin, pinAt, pinWithin } from '../pin.js';
import { anything, fieldOf, otherFieldsOf, undeclared } from '../shape.js';
import { chained } from '../../../text/long-lists.js';
import { addSafe, type Pair, type Walk } from './pair.js';

const operators = ['allOf', 'anyOf', 'oneOf'] as const;
type Operator = (typeof operators)[number];

/** @param reshaped fields that look otherwise under the new schema */
export function compareLogic(walk: Walk, pair: Pair, reshaped: ReadonlySet<string>): void {
  for (const operator of operators) compareBranches(walk, pair, operator, reshaped);
  compareNot(walk, pair, reshaped);
}

function compareBranches(
  walk: Walk,
  pair: Pair,
  operator: Operator,
  reshaped: ReadonlySet<string>,
): void {
  const { before, after, place, mode } = pair;
  const [old, now] = [before[operator], after[operator]];
  if (old.length === 0 && now.length === 0) return;
  const isSame = sameBranches(walk, old, now);
  const isReshaped = now.some((branch) => looksAt(branch, reshaped));
  if (isSame && !isReshaped) return;
  if (now.length === 0) {
    addSafe(walk, pair, `${operator} is gone`);
    return;
  }
  if (!isReshaped && isImplied(walk, pair, operator)) {
    addSafe(walk, pair, `${operator} accepts everything that was accepted`);
    return;
  }
  const said =
    reshaped.size > 0 || mode !== 'structure' ? undefined : branchesRule(pair, operator, now);
  if (isSafeByRules(walk, pair, operator, said)) return;
  walk.add({
    place,
    proof: 'open',
    reason: isSame
      ? `${operator} looks at fields that are pruned or set by default from now on`
      : `${operator} is ${old.length === 0 ? 'new' : 'another one'}`,
    change: isSame
      ? { at: place, exchange: without(operator), isConsequence: true }
      : { at: place, exchange: keywords(operator) },
    candidates: () => chained(outside(walk, pair, now, operator), inside(pair, operator)),
  });
}

function sameBranches(walk: Walk, old: readonly SchemaNode[], now: readonly SchemaNode[]): boolean {
  if (old.length !== now.length) return false;
  if (old.every((node, index) => node === now[index])) return true;
  const numbers = (nodes: readonly SchemaNode[]): string =>
    nodes
      .map((node) => walk.identities.of(node))
      .sort((left, right) => left - right)
      .join(',');
  return numbers(old) === numbers(now);
}

/** Branches of the new schema times those of the old one that are held against each other. */
const maxMeetings = 2_000;
/** Branches of allOf of which it is known that objects obey them. */
const maxKnown = 100;

function isImplied(walk: Walk, pair: Pair, operator: Operator): boolean {
  const { before, after } = pair;
  const now = after[operator];
  const implies = (from: SchemaNode, to: SchemaNode): boolean =>
    walk
      .attempt({ before: from, after: to, place: pair.place, mode: 'validation' })
      .every(({ proof }) => proof !== 'open');
  const cases = before.anyOf.length > 0 ? before.anyOf : before.oneOf;
  // Without this proof objects are tried; no schema that people write has so many.
  if (now.length * Math.max(1, cases.length) > maxMeetings) return false;
  const known = before.allOf.slice(0, maxKnown).reduce(both, before);
  switch (operator) {
    case 'allOf':
      return now.every((branch) => implies(known, branch));
    case 'anyOf': {
      if (before.intOrString && isIntOrString(now)) return true;
      if (now.some((branch) => implies(known, branch))) return true;
      return (
        cases.length > 0 &&
        cases.every((old) => {
          const inCase = both(known, old);
          return now.some((branch) => implies(inCase, branch));
        })
      );
    }
    case 'oneOf': {
      if (before.intOrString && isIntOrString(now)) return true;
      const sure = now.filter((branch) => !isUnreachable(pair, branch));
      const [only] = sure;
      return only !== undefined && sure.length === 1 && implies(known, only);
    }
  }
}

const maxOutside = 12;

/** Values that a branch refuses, by what it is narrower in; where one branch is enough, all of them. */
function* outside(
  walk: Walk,
  pair: Pair,
  branches: readonly SchemaNode[],
  operator: Operator,
): Generator<Pin> {
  const { before, place } = pair;
  const known = before.allOf.slice(0, maxKnown).reduce(both, before);
  const refused = function* (after: SchemaNode): Generator<Pin> {
    for (const inner of walk.attempt({ before: known, after, place, mode: 'validation' })) {
      if (inner.proof !== 'open') continue;
      for (const pin of inner.candidates?.() ?? []) yield pinAt(inner.place, pin, place);
    }
  };
  const tried = branches.slice(0, maxKnown);
  if (operator === 'allOf') {
    for (const each of tried) yield* new Remembered(refused(each)).first(maxOutside);
    return;
  }
  const [first, ...others] = tried.flatMap((each) => [...new Remembered(refused(each)).first(1)]);
  if (first !== undefined) yield others.reduce((all, pin) => mergePins(all, pin), first);
}

/** Whether a branch asks for a field that no object has which the old schema kept. */
function isUnreachable({ before, after, mode }: Pair, branch: SchemaNode): boolean {
  return (
    mode === 'structure' &&
    branch.required.some(
      (name) =>
        !ofResources.has(name) &&
        fieldOf(before, name) === undefined &&
        fieldOf(after, name)?.default === undefined,
    )
  );
}

/** They are there without being declared. */
const ofResources = new Set(['apiVersion', 'kind', 'metadata']);

function isIntOrString(branches: readonly SchemaNode[]): boolean {
  const types = branches.map((branch) => branch.type).sort();
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string';
}

function compareNot(walk: Walk, pair: Pair, reshaped: ReadonlySet<string>): void {
  const { before, after, place } = pair;
  const isSame = walk.identities.same(before.not, after.not);
  if (after.not === undefined) {
    if (!isSame) addSafe(walk, pair, 'not is gone');
    return;
  }
  if (isSame && !looksAt(after.not, reshaped)) return;
  if (!looksAt(after.not, reshaped) && before.not !== undefined) {
    const narrower = walk.attempt({
      before: both(before, after.not),
      after: before.not,
      place,
      mode: 'validation',
    });
    if (narrower.every(({ proof }) => proof !== 'open')) {
      addSafe(walk, pair, 'not forbids less');
      return;
    }
  }
  const forbidden = after.not;
  walk.add({
    place,
    proof: 'open',
    reason: isSame
      ? 'not looks at fields that are pruned or set by default from now on'
      : 'not forbids other values',
    change: isSame
      ? { at: place, exchange: without('not'), isConsequence: true }
      : { at: place, exchange: keywords('not') },
    candidates: () => [pinWithin(both(before, forbidden), {})],
  });
}

/** Whether a branch says something about one of the fields, or about the value as a whole. */
function looksAt(branch: SchemaNode, fields: ReadonlySet<string>): boolean {
  if (fields.size === 0) return false;
  if (fields.has(undeclared)) return true;
  const isWhole =
    branch.enum !== undefined ||
    branch.minProperties !== undefined ||
    branch.maxProperties !== undefined ||
    branch.additionalProperties !== undefined ||
    branch.rules.length > 0;
  return (
    isWhole ||
    [...(branch.properties?.keys() ?? []), ...branch.required].some((name) => fields.has(name)) ||
    [
      ...branch.allOf,
      ...branch.anyOf,
      ...branch.oneOf,
      ...(branch.not === undefined ? [] : [branch.not]),
    ].some((inner) => looksAt(inner, fields))
  );
}

/** The old schema with a further demand on the same value, field by field. */
function both(node: SchemaNode, demand: SchemaNode): SchemaNode {
  const properties = new Map(node.properties ?? []);
  for (const [name, child] of demand.properties ?? []) {
    const known = node.properties?.get(name) ?? otherFieldsOf(node) ?? anything;
    properties.set(name, both(known, child));
  }
  const { items } = demand;
  return new SchemaNode({
    ...node,
    type: node.type === '' && !node.intOrString ? demand.type : node.type,
    allOf: [...node.allOf, demand],
    properties,
    items: items === undefined ? node.items : both(node.items ?? anything, items),
  });
}

/** Values of two branches at once, of which one is too many, and then of each. */
function* inside({ before, after }: Pair, operator: Operator): Generator<Pin> {
  const [old, now] = [before[operator], after[operator]];
  for (const [index, one] of now.entries()) {
    for (const two of operator === 'oneOf' ? now.slice(index + 1) : [])
      yield pinWithin(both(both(before, one), two), {});
  }
  for (const branch of [...old, ...now]) yield pinWithin(both(before, branch), {});
}

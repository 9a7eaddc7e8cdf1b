/**
 * Old rules over values that look otherwise to rules from now on: what they saw at such a place is made a
 * field beside it, in both schemas, so that nothing is said of the one by the other but what defaults say.
 */
import type { Node } from '../../../cel/index.js';
import type { SchemaNode } from '../../../kubernetes/index.js';
import { below, type Place, type Step, stepsTo } from '../pin.js';
import { declaredType, isTransition, ruleOf, treeOf } from '../values/cases/compiled.js';
import type { Assumed } from '../values/cases/rule-cases.js';
import { type Change, exchanged } from './change.js';
import type { Pair, Walk } from './pair.js';
import { any, isRead, type Paths, pathOf, pathsOfFold, readsOf, rootPaths } from './reads.js';

interface Beside {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  readonly assumed: readonly Assumed[];
}

interface Field {
  readonly steps: readonly Step[];
  readonly name: string;
}

/** Places that are followed; each makes both schemas anew. */
const mostPlaces = 16;

/** @param reshaped places inside the value; @returns undefined where no rule is known better for it */
export function seenBefore(walk: Walk, pair: Pair, reshaped: readonly Place[]): Beside | undefined {
  const { before, place } = pair;
  const fields = reshaped.flatMap((each) => fieldAt(pair, each, reshaped));
  if (fields.length === 0 || fields.length > mostPlaces) return undefined;
  const names = new Map(fields.map(({ steps, name }) => [keyOf(steps.map(nameOf)), name]));
  const type = declaredType(before, place === undefined);
  const rules = before.rules.flatMap((rule): Assumed[] => {
    const tree = rule.optionalOldSelf ? undefined : treeOf(rule, type, walk.budget);
    const seen = tree && renamed(tree, rootPaths, names);
    if (seen === undefined || seen === tree) return [];
    const isLeft = reshaped.some((each) => isRead(readsOf(seen), each, place));
    return isLeft ? [] : [{ tree: seen, isTransition: isTransition(rule) }];
  });
  if (rules.length === 0) return undefined;
  const changes = fields.map(({ steps, name }): Change => {
    const field = nameOf(steps.at(-1));
    const exchange: Change['exchange'] = (draft, source) => {
      draft.setField(name, source.properties?.get(field));
      if (source.requires(field)) draft.require(name, true);
    };
    return { at: steps.slice(0, -1).reduce<Place | undefined>(below, undefined), exchange };
  });
  const [old, now] = [pair.before, pair.after].map((node) =>
    exchanged(node, before, changes, walk.budget),
  ) as [SchemaNode, SchemaNode];
  const links = fields.flatMap((field): Assumed[] => {
    const rule = linkOf(pair, field);
    const tree = rule && treeOf(ruleOf(rule), declaredType(now), walk.budget);
    return tree ? [{ tree, isTransition: false }] : [];
  });
  return { before: old, after: now, assumed: [...rules, ...links] };
}

/** Empty unless the place is a field with a plain name that lies in no other of the places. */
function fieldAt({ before, after, place }: Pair, at: Place, all: readonly Place[]): Field[] {
  const from = stepsTo(place).length;
  for (let around = at.parent; around !== place; around = around?.parent)
    if (around === undefined || all.includes(around)) return [];
  const steps = stepsTo(at).slice(from);
  const last = nameOf(steps.at(-1));
  const parents = [before, after].map((node) => innerAt(node, steps.slice(0, -1)));
  const name = `${last}_before`;
  const isFree = parents.every((node) => node?.properties?.has(name) !== true);
  return isFree && isPlain(last) && parents[0]?.properties?.has(last) === true
    ? [{ steps, name }]
    : [];
}

const isPlain = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !name.includes('__');

function nameOf(step: Step | undefined): string {
  return step?.kind === 'property' ? step.name : any;
}

const keyOf = (path: readonly string[]): string => JSON.stringify(path);

function innerAt(node: SchemaNode, steps: readonly Step[]): SchemaNode | undefined {
  return steps.reduce<SchemaNode | undefined>(
    (inner, step) => (step.kind === 'item' ? inner?.items : inner?.properties?.get(nameOf(step))),
    node,
  );
}

/** How values, given or set by default, go with what rules saw before; undefined where in any way. */
function linkOf(pair: Pair, { steps, name }: Field): string | undefined {
  const [old, now] = [pair.before, pair.after].map((node) => innerAt(node, steps));
  if (old === undefined || now === undefined || steps.some(({ kind }) => kind !== 'property'))
    return undefined;
  const names = steps.map(nameOf);
  const isSame =
    old.type === now.type &&
    ['string', 'integer', 'boolean'].includes(old.type) &&
    [old, now].every(({ format, nullable, intOrString }) => {
      return (format === '' || old.type === 'integer') && !nullable && !intOrString;
    });
  if (!names.every(isPlain) || !isSame) return undefined;
  const parent = ['self', ...names.slice(0, -1)].join('.');
  const [seen, given] = [`${parent}.${name}`, `${parent}.${names.at(-1)}`];
  const isDefault = [old, now].map((node, index) => {
    const value = literalOf(node.default);
    const at = index === 0 ? seen : given;
    return node.default === undefined ? `!has(${at})` : value && `has(${at}) && ${at} == ${value}`;
  });
  if (isDefault.includes(undefined)) return undefined;
  const isGiven = `has(${seen}) && has(${given}) && ${seen} == ${given}`;
  const guards = names.slice(1).map((_, at) => `!has(self.${names.slice(0, at + 1).join('.')})`);
  return [...guards, `(${isGiven})`, `(${isDefault.join(' && ')})`].join(' || ');
}

function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return /^[\w ./:-]*$/.test(value) ? `'${value}'` : undefined;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The same expression where it reads none of the fields. */
function renamed(node: Node, paths: Paths, names: ReadonlyMap<string, string>): Node {
  const of = (each: Node): Node => renamed(each, paths, names);
  const all = (nodes: readonly Node[]): readonly Node[] => {
    const made = nodes.map(of);
    return made.some((each, index) => each !== nodes[index]) ? made : nodes;
  };
  if (node.kind === 'select') {
    const operand = of(node.operand);
    const around = pathOf(node.operand, paths, []);
    const field = (around && names.get(keyOf([...around, node.field]))) ?? node.field;
    const isSame = operand === node.operand && field === node.field;
    return isSame ? node : { ...node, operand, field };
  }
  if (node.kind === 'call') {
    const [target, args] = [node.target && of(node.target), all(node.args)];
    return target === node.target && args === node.args ? node : { ...node, target, args };
  }
  if (node.kind === 'list') {
    const items = all(node.items);
    return items === node.items ? node : { ...node, items };
  }
  if (node.kind !== 'fold') return node;
  const inner = pathsOfFold(node, paths, []);
  const [range, initial] = [of(node.range), of(node.initial)];
  const [condition, step, result] = [node.condition, node.step, node.result].map((each) =>
    renamed(each, inner, names),
  ) as [Node, Node, Node];
  const parts = { range, initial, condition, step, result };
  const isSame = (Object.keys(parts) as (keyof typeof parts)[]).every(
    (key) => parts[key] === node[key],
  );
  return isSame ? node : { ...node, ...parts };
}

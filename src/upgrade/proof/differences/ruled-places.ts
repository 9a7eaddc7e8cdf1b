/** Values that the rules of a schema, at a place or around it, let no object have there. */
import { escapeName, type SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { type Place, schemasTo, stepsTo } from '../pin.js';
import { ruleOf } from '../values/cases/compiled.js';
import { type Assumed, compileAssumed, refusesNothing } from '../values/cases/rule-cases.js';
import { isNamed, readsOf } from './reads.js';

/** An expression about a value, in the words of a rule, by the expression for that value. */
export type Said = (value: string) => string;

/** Part of what is left of the budget that one question may cost: most follows from no rule around. */
export const shareOfKeyword = 1 / 100;

type Compiled = Map<SchemaNode, readonly Assumed[]>;

export class RuledPlaces {
  constructor(
    private readonly root: SchemaNode,
    private readonly budget: Budget,
    private readonly compiled: Compiled = new Map<SchemaNode, readonly Assumed[]>(),
  ) {}

  /** Whether the rules let no value be at the place, or around it. @param isOfValue at the place too */
  forbid(place: Place | undefined, isOfValue: boolean): boolean {
    for (let at = isOfValue ? place : place?.parent; at !== undefined; at = at.parent)
      if (this.keep(at)) return true;
    return false;
  }

  /**
   * Whether the rules let no value be at the place; with `said`, none of which that does not hold. Rules have
   * seen all that is stored there; values that a new default makes up are judged where defaults are compared.
   */
  keep(place: Place | undefined, said?: Said): boolean {
    const steps = stepsTo(place);
    const nodes = schemasTo(this.root, steps);
    const isFollowed = nodes.length > steps.length && steps.every(({ kind }) => kind !== 'key');
    if (!isFollowed || nodes.slice(1).some(({ nullable }) => nullable)) return false;
    const path = steps.map((step) => (step.kind === 'item' ? '[]' : step.name));
    const [rules, about] = this.rulesAbout(place, nodes, path);
    for (let from = said === undefined ? steps.length - 1 : steps.length; from >= 0; from--) {
      const node = nodes[from] as SchemaNode;
      const rule =
        node.rules.length === 0 || about[from]?.length === 0
          ? undefined
          : expression(path.slice(from), 'self', said);
      if (rule === undefined) continue;
      const assumed = about.slice(from).flatMap((those, up): Assumed[] => {
        const way = up === 0 ? undefined : path.slice(from, from + up);
        return (up === 0 ? (rules[from] ?? []) : those)
          .filter(({ isTransition }) => !isTransition)
          .map((each) => ({ ...each, path: way }));
      });
      const [asked, isWhole] = [ruleOf(rule), from === 0];
      const { budget } = this;
      if (refusesNothing(node, node, asked, assumed, isWhole, budget, undefined, shareOfKeyword))
        return true;
    }
    return false;
  }

  /** All rules of each value on the way, where one of them reads the place, and those that do. */
  private rulesAbout(
    place: Place | undefined,
    nodes: readonly SchemaNode[],
    path: readonly string[],
  ): readonly [(readonly Assumed[])[], (readonly Assumed[])[]] {
    const { compiled, budget } = this;
    const last = path.findLast((name) => name !== '[]');
    const identifier = last === undefined ? undefined : escapeName(last);
    const isThere = (index: number): boolean => index === path.length;
    const rules = nodes.map((node, index) => {
      const isAsked =
        isThere(index) ||
        (identifier !== undefined && node.rules.some(({ rule }) => rule.includes(identifier)));
      const isSkipped = !isAsked || node.embeddedResource || budget.isSpent;
      return isSkipped ? [] : rulesOf({ compiled, budget }, node);
    });
    const places: (Place | undefined)[] = [];
    for (let at = place; places.length < nodes.length; at = at?.parent) places.unshift(at);
    const about = rules.map((all, index) =>
      all.filter(
        ({ tree }) => isThere(index) || isNamed(readsOf(tree), place as Place, places[index]),
      ),
    );
    return [rules, about];
  }
}

/** A rule of what is said of the value at the end of the path, wherever there is one. */
function expression(path: readonly string[], value: string, said?: Said): string | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return said?.(value) ?? 'false';
  if (step === '[]') {
    const item = `i${path.length}`;
    const inner = expression(rest, item, said);
    return inner && `${value}.all(${item}, ${inner})`;
  }
  const identifier = escapeName(step);
  const inner = identifier && expression(rest, `${value}.${identifier}`, said);
  return inner && `(!has(${value}.${identifier}) || ${inner})`;
}

/** Compiled once for all that is inside. */
export function rulesOf(
  { compiled, budget }: { readonly compiled: Compiled; readonly budget: Budget },
  node: SchemaNode,
): readonly Assumed[] {
  const all = compiled.get(node) ?? compileAssumed(node, node.rules, budget);
  compiled.set(node, all);
  return all;
}

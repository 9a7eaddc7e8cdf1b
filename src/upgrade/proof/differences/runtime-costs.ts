/**
 * Estimates the cost of new rules where they are evaluated: an API server refuses an object if one
 * evaluation, or all of them together, would cost more than its limit.
 *
 * Sources: PerCallLimit and RuntimeCELCostBudget in k8s.io/apiserver/pkg/apis/cel/config.go. An
 * evaluation costs at most what is estimated for it, by the sizes that evaluations are charged for.
 */
import { type CelType, estimatedCost } from '../../../cel/index.js';
import {
  escapeName,
  maxCardinality,
  ofEvaluations,
  type SchemaNode,
  type SchemaSizes,
  sizesOfSchema,
  typeOfSchema,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import { keyOf, shorten } from './cel-rules.js';
import { below, formatPlace, type Place } from '../pin.js';
import { conjuncts, fieldOf, otherFieldsOf } from '../shape.js';
import { checkedRule } from '../values/cases/compiled.js';
import type { SchemaWalk } from './walk.js';
import { smallest } from '../../../text/long-lists.js';

/** Limit for one evaluation of one rule. */
const callLimit = 1_000_000n;
/** Limit for all evaluations in one object. */
const objectLimit = 10_000_000n;

const untried = 'objects as large as that are not made up';

/** In values: compiling takes time with the rule's length. */
const costOfRule = 20;
const costOfCharacter = 0.5;

/** A value that both schemas keep. */
interface Spot {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  readonly place: Place | undefined;
  /** As rules of the new schema see it; undefined where they cannot. */
  readonly type: CelType | undefined;
  readonly sizes: SchemaSizes | undefined;
  /** How often it is in one object at most; undefined where no bound says. */
  readonly often: bigint | undefined;
}

/** Objects that passed so far cost no more than that by the rules that they have met. */
export function compareRuntimeCosts(walk: SchemaWalk, before: SchemaNode, after: SchemaNode): void {
  if (!hasNewRule(before, after)) return;
  const found = new Costs(walk);
  found.visit({
    before,
    after,
    place: undefined,
    often: 1n,
    type: typeOfSchema(after, true),
    sizes: sizesOfSchema(after, true, ofEvaluations),
  });
  found.finish();
}

/** Rules that were there before are already accepted, whatever they cost. */
function hasNewRule(before: SchemaNode | undefined, after: SchemaNode | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  if (before === after || !after.holds('rules')) return false;
  const known = new Set(rulesOf(before).map(keyOf));
  return (
    rulesOf(after).some((rule) => !known.has(keyOf(rule))) ||
    hasNewRule(before.items, after.items) ||
    hasNewRule(otherFieldsOf(before), after.additionalProperties?.schema) ||
    [...(after.properties ?? [])].some(([name, field]) => hasNewRule(fieldOf(before, name), field))
  );
}

function rulesOf(node: SchemaNode): readonly ValidationRule[] {
  return conjuncts(node).flatMap(({ rules }) => rules);
}

class Costs {
  private total = 0n;
  private added = 0n;
  private isCut = false;

  constructor(private readonly walk: SchemaWalk) {}

  visit(spot: Spot): void {
    const { before, after, place, type, sizes, often } = spot;
    if (type === undefined || sizes === undefined || !after.holds('rules')) return;
    this.walk.budget.spend(1);
    const known = new Set(rulesOf(before).map(keyOf));
    const times = often ?? maxCardinality(sizes);
    for (const rule of rulesOf(after)) {
      if (this.walk.budget.isSpent) {
        this.isCut = true;
        return;
      }
      this.walk.budget.spend(costOfRule + costOfCharacter * rule.rule.length);
      const now = costOf(rule, type, sizes);
      if (now === undefined) continue;
      const cost = now > callLimit ? lower(now, this.costBefore(spot, rule, type)) : now;
      const isNew = !known.has(keyOf(rule));
      if (isNew && cost > callLimit) this.addCall(spot, rule, cost);
      // A rule that passes has cost no more than the limit of one evaluation.
      this.total += (cost > callLimit ? callLimit : cost) * times;
      if (isNew) this.added += cost * times;
    }
    for (const [name, field] of after.properties ?? []) {
      const identifier = escapeName(name);
      const from = fieldOf(before, name);
      if (from === undefined || identifier === undefined) continue;
      this.visit({
        before: from,
        after: field,
        often,
        place: below(place, { kind: 'property', name }),
        type: type.fields?.get(identifier),
        sizes: sizes.fields?.get(identifier) as SchemaSizes | undefined,
      });
    }
    this.visitEntries(spot, [before.items, after.items], [before.maxItems, after.maxItems]);
    const values = [otherFieldsOf(before), after.additionalProperties?.schema] as const;
    this.visitEntries(spot, values, [before.maxProperties, after.maxProperties]);
  }

  private visitEntries(
    { place, type, sizes, often, after: around }: Spot,
    [before, after]: readonly [SchemaNode | undefined, SchemaNode | undefined],
    bounds: readonly (number | undefined)[],
  ): void {
    if (before === undefined || after === undefined) return;
    const most = smallest(bounds.map((bound) => bound ?? Infinity));
    const isBound = often !== undefined && Number.isSafeInteger(most);
    const isItem = after === around.items;
    this.visit({
      before,
      after,
      place: below(place, isItem ? { kind: 'item' } : { kind: 'key', name: 'key' }),
      type: type?.parameters[type.parameters.length - 1],
      sizes: sizes?.item as SchemaSizes | undefined,
      often: isBound ? often * BigInt(Math.max(0, most)) : undefined,
    });
  }

  /** By the bounds that objects have kept to so far. */
  private costBefore(
    { before, place }: Spot,
    rule: ValidationRule,
    type: CelType,
  ): bigint | undefined {
    const isResource = place === undefined || before.embeddedResource;
    const sizes = sizesOfSchema(before, isResource, ofEvaluations);
    return sizes && costOf(rule, type, sizes);
  }

  private addCall({ place }: Spot, rule: ValidationRule, cost: bigint): void {
    const text = shorten(rule.rule);
    const path = formatPlace(place);
    const isOpen = this.walk.differences.some(
      (each) =>
        each.proof === 'open' && each.reason.endsWith(text) && formatPlace(each.place) === path,
    );
    if (isOpen) return;
    this.walk.add({
      place,
      proof: 'open',
      reason: `a validation rule is new and may cost more than an API server spends on one evaluation (up to ${cost} of ${callLimit}): ${text}`,
      limit: untried,
    });
  }

  finish(): void {
    const isOver = this.added > 0n && this.total > objectLimit;
    if (!isOver && !this.isCut) return;
    const sum = isOver
      ? `(up to ${this.total} of ${objectLimit})`
      : '(their costs were not added up)';
    this.walk.add({
      place: undefined,
      isOfAll: true,
      proof: 'open',
      reason: `with the new ones, all validation rules may cost more than an API server spends on one object ${sum}`,
      limit: untried,
    });
  }
}

function lower(one: bigint, other: bigint | undefined): bigint {
  return other !== undefined && other < one ? other : one;
}

function costOf(rule: ValidationRule, type: CelType, sizes: SchemaSizes): bigint | undefined {
  const checked = checkedRule(rule, type);
  return checked && estimatedCost(checked, sizes);
}

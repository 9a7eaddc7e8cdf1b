/** Looks for an object that a difference breaks. */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import {
  type FieldError,
  type SchemaNode,
  type VersionDefinition,
} from '../../../kubernetes/index.js';
import { asStored } from '../../crd/stored-write.js';
import { concerns, countBeside, describeErrors, isOfStatus } from './attribution.js';
import type { Difference } from '../differences/difference.js';
import { RuledPlaces } from '../differences/ruled-places.js';
import type { Budget } from '../budget.js';
import { EmptyPlaces } from '../values/empty.js';
import type { Isolation } from './isolation.js';
import { needAt, needOf, type Need } from './minimise.js';
import { ordinary, type Pin, pinAt, type Place, schemasTo, type Step, stepsTo } from '../pin.js';
import type { MildHarm } from '../../../rule/index.js';
import { Remembered } from '../values/remembered.js';
import { RuleSamples } from '../values/rule-samples.js';
import { maxValues, Sampler, type Variant } from '../values/sampler.js';
import { chained } from '../../../text/long-lists.js';
import { accepts } from '../shape.js';
import { leastSizeAt } from '../size.js';
import { harmless, kindOf, type Accepted, type Trial } from './trial.js';
import { harmsByItself } from './bare-place.js';
import {
  asShown,
  failedWitness,
  type Judge,
  type Outcome,
  type Shown,
  smallestWitness,
} from './witness.js';

export interface SearchLimits {
  /** Objects that one difference may put to the schemas. */
  readonly perDifference: number;
  /** Objects that all differences of a pair of versions may. */
  readonly inAll: number;
  /** How many of those may be looked for again in random surroundings. */
  readonly atRandom: number;
}

/** Budget that a search has left: objects, and values in all of them and in their ingredients. */
interface Limit {
  readonly tried: number;
  readonly spent: number;
}

/** Part of what is left that one difference may take, so that others get their turn. */
export const leastTurns = 4;

/** Small and plain objects first: they make the best witnesses. */
const variants: readonly Variant[] = [0, 1, 2].flatMap((richness) =>
  [0, 1, 2].flatMap((branch) =>
    [true, false].map((useDefaults) => ({ branch, richness, useDefaults })),
  ),
);
/** Objects that one difference may put to the schemas after others, where rules refused those. */
const maxMended = 25;
/** As many ways of making the rest of the object are followed when the old schema accepts them. */
const maxWays = 3;

export class Search {
  private triedAtRandom = 0;
  private turns = leastTurns;
  /** Accepted objects that have at the place of their difference what the difference is about. */
  private telling = 0;
  /** Outcomes of differences for which no budget was left, by reason; there may be a hundred thousand. */
  private readonly passedOver = new Map<string, Outcome>();
  private readonly emptyPlaces: EmptyPlaces;
  private readonly ruledPlaces: RuledPlaces;
  /** Undefined where the old schema has no rules. */
  private readonly ruleSamples: RuleSamples | undefined;
  private isMendedFirst = false;
  /** Plain surroundings that the rules of the old schema accept; none where it has no rules. */
  private readonly mendedWays: readonly Variant[];

  constructor(
    private readonly trial: Trial,
    private readonly isolation: Isolation,
    private readonly definition: VersionDefinition,
    private readonly after: VersionDefinition,
    private readonly limits: SearchLimits,
    private readonly budget: Budget,
  ) {
    this.emptyPlaces = new EmptyPlaces(definition.schema, budget);
    this.ruledPlaces = new RuledPlaces(definition.schema, budget);
    const mender = definition.schema.holds('rules') ? new RuleSamples(budget) : undefined;
    this.ruleSamples = mender;
    const ways = mender === undefined ? [] : [0, 1];
    this.mendedWays = ways.map((richness) => ({ branch: 0, richness, useDefaults: true, mender }));
  }

  /** @param turns of so many parts of the budget left it may take one */
  decide(difference: Difference, turns = leastTurns): Outcome {
    this.turns = turns;
    const { proof, reason } = difference;
    if (proof !== 'open') return { effect: proof, reason };
    const harmless = this.whyHarmless(difference);
    if (harmless !== undefined) return { effect: 'safe', reason: `${reason}; ${harmless}` };
    if (leastSizeAt(this.definition.schema, difference.place) > maxValues) {
      return {
        effect: 'undecided',
        isUntried: true,
        reason: `${reason}; an object that the old schema accepts has more than ${maxValues} values, which is more than is tried`,
      };
    }
    if (this.isUsedUp()) {
      let outcome = this.passedOver.get(reason);
      if (outcome === undefined) {
        const why = this.whyUndecided(difference, 0, 0, 0);
        outcome = { effect: 'undecided', isUntried: true, reason: `${reason}; ${why}` };
        this.passedOver.set(reason, outcome);
      }
      return outcome;
    }
    const { unevaluated, unjudged } = this.trial;
    const { telling } = this;
    const end = this.limitOf(this.limits.perDifference);
    const found = this.findAny(difference, end);
    if (found.outcome !== undefined) return withReason(difference, found.outcome);
    const { place, isOfAbsence } = difference;
    if (this.telling === telling && this.ruledPlaces.forbid(place, isOfAbsence !== true))
      return { effect: 'safe', reason: `${reason}; ${noValue}` };
    if (difference.isSafeAfterAll?.() === true)
      return { effect: 'safe', reason: `${reason}; it follows from rules of the old schema` };
    const why =
      this.budget.spent >= end.spent && !this.budget.isSpent
        ? 'only a few objects were tried: they have used up the part of the budget that is for this difference'
        : this.whyUndecided(difference, telling, unevaluated, unjudged);
    const obstacle =
      this.telling === telling ? this.keywordAround(difference.place) : difference.obstacle;
    const isUntried =
      difference.isOfAll === true ||
      this.isPast(end) ||
      this.isUsedUp() ||
      this.telling === telling ||
      harmsByItself(difference, this.trial, this.budget);
    return {
      effect: 'undecided',
      reason: `${reason}; ${why}${obstacle === undefined ? '' : `; in the way is ${obstacle}`}`,
      unattributed: found.unattributed,
      ...(obstacle === undefined ? {} : { obstacle }),
      ...(isUntried ? { isUntried: true as const } : {}),
      ...(this.budget.spent >= end.spent ? { isCutShort: true as const } : {}),
    };
  }

  /** The reason why no object can show harm at the place, whatever the difference is. */
  private whyHarmless({ place, isOfAbsence }: Difference): string | undefined {
    if (place === undefined) return undefined;
    if (this.emptyPlaces.isEmptyAt(place, isOfAbsence !== true)) {
      return noValue;
    }
    const { step, parent } = place;
    if (parent !== undefined || step.kind !== 'property') return undefined;
    const { group, version, kind, schema } = this.after;
    const only = new Map([
      ['kind', kind],
      ['apiVersion', `${group}/${version}`],
    ]).get(step.name);
    const node = schema.properties?.get(step.name);
    if (only === undefined || node === undefined) return undefined;
    const isRuled = node.holds('rules') || node.holds('rulesUnderAllOf');
    return !isRuled && accepts(node, only) ? `every object has ${only} there` : undefined;
  }

  private isUsedUp(): boolean {
    return this.trial.tried >= this.limits.inAll || this.budget.isSpent;
  }

  private isPast({ tried, spent }: Limit): boolean {
    return this.trial.tried >= tried || this.budget.spent >= spent;
  }

  /** The innermost keyword of the old schema that an object there has to satisfy as a whole. */
  private keywordAround(place: Place | undefined): string | undefined {
    const found = schemasTo(this.definition.schema, stepsTo(place))
      .reverse()
      .flatMap((node) => wholeKeywords.find((keyword) => isSaid(node, keyword)) ?? [])
      .at(0);
    return found === 'rules' ? 'x-kubernetes-validations' : found;
  }

  private whyUndecided(
    { limit }: Difference,
    telling: number,
    unevaluated: number,
    unjudged: number,
  ): string {
    if (this.trial.tried >= this.limits.inAll) {
      return `the budget of ${this.limits.inAll} objects is used up`;
    }
    if (this.budget.isSpent) {
      return `the budget is used up: ${this.trial.tried} objects of this size were tried`;
    }
    if (limit !== undefined) return limit;
    if (this.trial.unjudged > unjudged) {
      return 'the validation rules of the new schema could not be evaluated';
    }
    if (this.telling > telling) {
      return 'no object was found that it breaks, and no proof that there is none';
    }
    if (this.trial.unevaluated > unevaluated) {
      return 'the validation rules of the old schema could not be evaluated';
    }
    return 'no object was found that the old schema accepts there';
  }

  /** All if none is accepted; one at a time, for the first mostly does, and richer objects cost more. */
  private *ways(difference: Difference, end: Limit): Generator<Variant> {
    let found = 0;
    const seen = new Set<string>();
    for (const variant of variants) {
      if (found >= maxWays || this.isPast(end)) break;
      const object = this.make(difference, undefined, variant);
      if (object === undefined) continue;
      const text = JSON.stringify(object);
      if (seen.has(text)) continue;
      seen.add(text);
      if (this.accept(object, difference) === undefined) continue;
      found++;
      yield variant;
    }
  }

  private findAny(difference: Difference, end: Limit): Found {
    if (difference.isTransition !== true) return this.find(difference, end);
    if (difference.isAskedOnCreate !== true) {
      return this.findTransition(difference, end) ?? this.find(difference, end);
    }
    const found = this.find(difference, end);
    return found.outcome === undefined ? (this.findTransition(difference, end) ?? found) : found;
  }

  private find(difference: Difference, end: Limit): Found {
    const pins = new Remembered(difference.candidates?.() ?? []);
    let found: Found = {};
    const { accepted } = this.trial;
    const passes = [this.ways(difference, end), this.mendedWays];
    for (const ways of this.isMendedFirst ? passes.reverse() : passes) {
      const objects = this.plain(difference, pins, ways, end);
      found = { ...this.among(objects, difference), ...found };
      if (found.outcome !== undefined) break;
      // Where rules refuse all plain surroundings, they mostly do so around the next difference too.
      if (this.trial.accepted === accepted) this.isMendedFirst = ways !== this.mendedWays;
    }
    return found;
  }

  private limitOf(objects: number): Limit {
    return {
      tried: Math.min(this.trial.tried + objects, this.limits.inAll),
      spent: this.budget.spent + this.budget.left / this.turns,
    };
  }

  /** Called after all differences had their turn, for this finds less for what it costs. */
  decideAtRandom(difference: Difference, outcome: Outcome): Outcome {
    this.turns = leastTurns;
    const isOpen =
      outcome.effect === 'undecided' &&
      difference.candidates !== undefined &&
      this.passedOver.get(difference.reason) !== outcome;
    if (!isOpen || this.budget.isSpent || this.triedAtRandom >= this.limits.atRandom)
      return outcome;
    const before = this.trial.tried;
    const found = this.among(this.random(difference), difference);
    this.triedAtRandom += this.trial.tried - before;
    if (found.outcome !== undefined) return withReason(difference, found.outcome);
    return found.unattributed === undefined || outcome.unattributed !== undefined
      ? outcome
      : { ...outcome, unattributed: found.unattributed };
  }

  decideTogether(difference: Difference, object: JsonObject): Outcome {
    const outcome = this.report(difference, object, (_, all) => all);
    return withReason(difference, { ...outcome, reason: `${together}: ${outcome.reason}` });
  }

  harmOf({ harmOf }: Difference, { effect, witness, writes, isOfStatus }: Outcome): Mild {
    if (effect === 'safe' || effect === 'behavior') return undefined;
    const isBlocking = effect === 'breaking' && writes?.stored?.update !== 'accepted';
    const isMild =
      isOfStatus === true && this.definition.hasStatus && this.after.hasStatus && !isBlocking;
    return isMild ? 'StatusHarmed' : harmOf?.(witness);
  }

  /** Places of the changes to which the harm goes back that a consequence does, or may do. */
  causesOf(difference: Difference, { effect, witness }: Outcome): readonly string[] {
    if (difference.change?.isConsequence !== true || effect === 'safe') return [];
    if (!isObject(witness ?? null)) return this.isolation.causesOf(difference, undefined);
    const accepted = this.trial.accept(witness as JsonObject);
    return accepted === undefined ? [] : this.isolation.causesOf(difference, accepted);
  }

  private among(objects: Iterable<JsonObject>, difference: Difference): Found {
    const own: Judge = (object, all) => this.isolation.ownHarm(difference, object, all);
    const cured: Judge = (object, all) =>
      this.isolation.isCured(difference, object) ? all : harmless;
    const report = (object: JsonObject, first: Shown, judge = own): Outcome =>
      this.report(difference, object, judge, first);
    let [crowded, joint]: (readonly [JsonObject, Shown] | undefined)[] = [];
    let other: JsonObject | undefined;
    let [crowds, cures] = [maxCrowded, maxCures];
    for (const object of objects) {
      const accepted = this.accept(object, difference);
      const all = accepted === undefined ? harmless : this.trial.harm(accepted);
      if (accepted === undefined || kindOf(all) === undefined) continue;
      const harm = own(accepted, all);
      const others = countBeside(harm, all);
      if (harm !== harmless) {
        if (others === 0) return { outcome: report(object, { harm, others }) };
        crowded ??= [object, { harm, others }];
        if (--crowds <= 0) break;
        continue;
      }
      other ??= object;
      if (joint !== undefined || cures <= 0 || !concerns(all, difference.place)) continue;
      cures--;
      if (cured(accepted, all) !== harmless) joint = [object, { harm: all, others: 0 }];
    }
    if (crowded !== undefined) return { outcome: report(...crowded) };
    if (joint === undefined) return { unattributed: other };
    const outcome = report(...joint, cured);
    return { outcome: { ...outcome, reason: `${together}: ${outcome.reason}` } };
  }

  /** The object, if the old schema accepts it; it counts where it says something of the difference. */
  private accept(object: JsonObject, { place, isOfAbsence }: Difference): Accepted | undefined {
    const accepted = this.trial.accept(object);
    if (accepted !== undefined && holdsAt(accepted.stored, stepsTo(place), isOfAbsence === true)) {
      this.telling++;
    }
    return accepted;
  }

  private *plain(
    difference: Difference,
    pins: Iterable<Pin>,
    ways: Iterable<Variant>,
    end: Limit,
  ): Generator<JsonObject> {
    const isMended = ways === this.mendedWays;
    const last = isMended ? { ...this.limitOf(maxMended), spent: end.spent } : end;
    if (this.ruleSamples !== undefined) this.ruleSamples.until = end.spent;
    const all = isMended ? new Remembered(chained([ordinary], boundedFirst(pins))) : pins;
    for (const way of ways) {
      for (const pin of all) {
        if (this.isPast(last)) return;
        const object = this.make(difference, pin, way);
        if (object !== undefined) yield object;
      }
    }
  }

  private *random(difference: Difference): Generator<JsonObject> {
    const end = this.limitOf(maxAtRandom.perDifference);
    const pins = [...new Remembered(difference.candidates?.() ?? []).first(maxAtRandom.candidates)];
    for (let seed = 1; seed <= maxAtRandom.perDifference && !this.isPast(end); seed++) {
      const variant = { branch: 0, richness: 4, useDefaults: true, seed };
      // Every third without a candidate: the place as the schemas would have it.
      const pin = seed % 3 === 0 ? undefined : pins[(seed * 7) % Math.max(1, pins.length)];
      const object = this.make(difference, pin, variant, seed % 2 === 0);
      if (object !== undefined) yield object;
    }
  }

  /** Values that the new schema takes are preferred around the place: then only the place can break. */
  private make(
    difference: Difference,
    pin: Pin | undefined,
    variant: Variant,
    isAlone = false,
  ): JsonObject | undefined {
    const { group, version, kind, namespaced, schema } = this.definition;
    const sampler = new Sampler(variant, this.budget);
    const schemas = isAlone ? [schema] : [schema, this.after.schema];
    return sampler.resource(schemas, pinAt(difference.place, pin), {
      apiVersion: `${group}/${version}`,
      kind,
      namespaced,
    });
  }

  private report(difference: Difference, object: JsonObject, judge: Judge, first?: Shown): Outcome {
    const need = this.needOf(difference, object);
    const outcome = smallestWitness(this.trial, this.budget, object, judge, { need, first });
    const { effect, witness } = outcome;
    if (effect !== 'breaking' || witness === undefined || !isObject(witness)) return outcome;
    return { ...outcome, writes: this.trial.writes(witness) };
  }

  /** A default would put another value at the place, and a consequence does its harm elsewhere. */
  private needOf({ place, isOfAbsence, change }: Difference, object: JsonObject): Need {
    const steps = stepsTo(place);
    const isThere = isOfAbsence !== true && holdsAt(object, steps, false);
    const isApart = change?.isConsequence === true || place === undefined || !isThere;
    const [old, next] = [this.definition.schema, this.after.schema];
    const way = [old, next].flatMap((root) => schemasTo(root, steps).slice(1));
    if (isApart || way.some((node) => node.default !== undefined)) return needOf(old);
    return needAt(old, place);
  }

  /** Pairs of objects for a rule that compares with the old value. */
  private findTransition(difference: Difference, end: Limit): Found | undefined {
    const accepted: JsonObject[] = [];
    let followed = 0;
    for (const way of chained(this.ways(difference, end), this.mendedWays)) {
      if (followed++ >= maxWays) break;
      for (const pin of difference.candidates?.() ?? []) {
        if (this.isPast(end) || accepted.length >= 16) break;
        const object = this.make(difference, pin, way);
        if (object !== undefined && this.accept(object, difference)) accepted.push(object);
      }
    }
    for (const before of accepted) {
      for (const after of accepted) {
        if (before === after) continue;
        if (this.isPast(end)) return undefined;
        if (this.refusal(difference, after, before).length === 0) continue;
        const [old, now] = [asShown(before), asShown(after)];
        const shown = this.refusal(difference, now, old);
        if (shown.length === 0) return { outcome: failedWitness };
        return {
          outcome: {
            effect: 'breaking',
            reason: `an update is refused: ${describeErrors(shown)}`,
            witness: { old, new: now },
            writes: this.trial.writes(old, now),
            isOfStatus: isOfStatus({ errors: shown, lost: [] }),
          },
        };
      }
    }
    return undefined;
  }

  private refusal(
    difference: Difference,
    after: JsonObject,
    before: JsonObject,
  ): readonly FieldError[] {
    const [object, old] = [asStored(after), asStored(before)];
    const all = this.trial.refusesUpdate(object, old);
    return all === undefined ? [] : this.isolation.ownRefusal(difference, object, old, all);
  }
}

const wholeKeywords = ['rules', 'oneOf', 'anyOf', 'not', 'allOf', 'pattern'] as const;

function isSaid(node: SchemaNode, keyword: (typeof wholeKeywords)[number]): boolean {
  const value = node[keyword];
  return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : value !== undefined;
}

type Mild = MildHarm | undefined;

interface Found {
  readonly outcome?: Outcome;
  readonly unattributed?: JsonObject;
}

const together = 'together with other changes';
const noValue = 'no object that the old schema accepts has a value there';

const maxCrowded = 8;
/** Objects that are put to the schemas without one difference. */
const maxCures = 4;

/** Whether some value is at the place, or for what is about its absence, in one that could have it. */
function holdsAt(
  value: JsonValue | undefined,
  [step, ...rest]: readonly Step[],
  isOfAbsence: boolean,
): boolean {
  if (step === undefined) return (value !== undefined && value !== null) !== isOfAbsence;
  if (step.kind === 'item') {
    return Array.isArray(value) && value.some((item) => holdsAt(item, rest, isOfAbsence));
  }
  return isObject(value) && holdsAt(own(value, step.name), rest, isOfAbsence);
}

function withReason({ reason }: Difference, outcome: Outcome): Outcome {
  return { ...outcome, reason: `${reason}; ${outcome.reason}` };
}

/** Objects with random surroundings that are tried, and candidates that are in them. */
const maxAtRandom = { perDifference: 40, candidates: 24 };

/** Values that can be made to keep the rules come before fixed ones. */
function* boundedFirst(pins: Iterable<Pin>): Generator<Pin> {
  const others: Pin[] = [];
  for (const pin of pins) {
    if (pin.kind === 'within') yield pin;
    else others.push(pin);
  }
  yield* others;
}

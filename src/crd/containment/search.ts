/** Looks for an object that a difference breaks. */
import type { JsonObject, JsonValue } from '../../documents/index.js';
import type { Effect } from '../../finding.js';
import type { FieldError } from '../objects/field-error.js';
import type { VersionDefinition } from '../objects/definition.js';
import { concerns } from './blame.js';
import type { Difference } from './difference.js';
import { pinAt, type Pin } from './pin.js';
import { Sampler, type Variant } from './sampler.js';
import { minimise, type Damage, type Trial } from './trial.js';

export interface Outcome {
  readonly effect: Effect;
  readonly reason: string;
  readonly witness?: JsonValue;
  /** Something breaks, but as far as can be told by another difference. */
  readonly isElsewhere?: boolean;
}

export interface SearchBudget {
  /** Objects that one difference may put to the schemas. */
  readonly perDifference: number;
  /** Objects that all differences of a pair of versions may. */
  readonly inAll: number;
}

/** Small and plain objects first: they make the best witnesses. */
const variants: readonly Variant[] = [0, 1, 2].flatMap((richness) =>
  (richness < 2 ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : [0, 1, 2]).flatMap((branch) =>
    [true, false].map((useDefaults) => ({ branch, richness, useDefaults })),
  ),
);
/** As many ways of making the rest of the object are followed when the old schema accepts them. */
const mostWays = 3;

export class Search {
  constructor(
    private readonly trial: Trial,
    private readonly definition: VersionDefinition,
    private readonly after: VersionDefinition,
    private readonly budget: SearchBudget,
  ) {}

  /** Decides a difference that the walk left open. */
  decide(difference: Difference): Outcome {
    const { proof, reason, otherwise } = difference;
    if (proof !== 'open') return { effect: proof, reason };
    if (this.trial.tried >= this.budget.inAll) {
      return { effect: 'undecided', reason: `${reason}; ${this.obstacle(difference, 0, 0)}` };
    }
    const { accepted, unevaluated } = this.trial;
    const end = Math.min(this.trial.tried + this.budget.perDifference, this.budget.inAll);
    const found =
      (difference.isTransition === true ? this.findTransition(difference, end) : undefined) ??
      this.find(difference, end);
    if (found !== undefined) return { ...found, reason: `${reason}; ${found.reason}` };
    if (otherwise !== undefined && this.trial.unevaluated === unevaluated) {
      return { effect: otherwise, reason };
    }
    const obstacle = this.obstacle(difference, accepted, unevaluated);
    return { effect: 'undecided', reason: `${reason}; ${obstacle}` };
  }

  private obstacle({ limit }: Difference, accepted: number, unevaluated: number): string {
    if (this.trial.tried >= this.budget.inAll) {
      return `the budget of ${this.budget.inAll} objects is used up`;
    }
    if (limit !== undefined) return limit;
    if (this.trial.accepted > accepted) {
      return 'no object was found that it breaks, and no proof that there is none';
    }
    if (this.trial.unevaluated > unevaluated) {
      return 'the validation rules of the old schema could not be evaluated';
    }
    return 'no object was found that the old schema accepts there';
  }

  /**
   * Ways of making an object around the place that the old schema accepts; all of them if none is.
   * One at a time, for the first mostly does, and richer objects cost more.
   */
  private *ways(difference: Difference, end: number): Generator<Variant> {
    let found = 0;
    const seen = new Set<string>();
    for (const variant of variants) {
      if (found >= mostWays || this.trial.tried >= end) break;
      const object = this.make(difference, undefined, variant);
      if (object === undefined) continue;
      const text = JSON.stringify(object);
      if (seen.has(text)) continue;
      seen.add(text);
      if (!this.trial.isAccepted(object)) continue;
      found++;
      yield variant;
    }
    if (found === 0) yield* variants;
  }

  private find(difference: Difference, end: number): Outcome | undefined {
    let elsewhere: Outcome | undefined;
    const pins = [...(difference.candidates?.() ?? [])];
    for (const way of this.ways(difference, end)) {
      for (const pin of pins) {
        if (this.trial.tried >= end) return elsewhere;
        const object = this.make(difference, pin, way);
        const damage = object === undefined ? undefined : this.trial.damage(object);
        if (object === undefined || damage === undefined) continue;
        const isHere = (each: Damage): boolean => concerns(each, difference.place);
        if (isHere(damage)) return this.report(object, damage, isHere);
        elsewhere ??= { ...this.report(object, damage, () => true), isElsewhere: true };
      }
    }
    return elsewhere;
  }

  /** Values that the new schema takes are preferred around the place: then only the place can break. */
  private make(
    difference: Difference,
    pin: Pin | undefined,
    variant: Variant,
  ): JsonObject | undefined {
    const { group, version, kind, namespaced, schema } = this.definition;
    const sampler = new Sampler(variant, { apiVersion: `${group}/${version}`, kind, namespaced });
    return sampler.resource([schema, this.after.schema], pinAt(difference.place, pin));
  }

  private report(
    object: JsonObject,
    damage: Damage,
    isMeant: (damage: Damage) => boolean,
  ): Outcome {
    const holds = (smaller: JsonObject): boolean => {
      const left = this.trial.damage(smaller);
      return left !== undefined && left.kind === damage.kind && isMeant(left);
    };
    const witness = minimise(object, holds);
    const final = this.trial.damage(witness) ?? damage;
    return { effect: final.kind, reason: describe(final), witness };
  }

  /** Pairs of objects for a rule that compares with the old value. */
  private findTransition(difference: Difference, end: number): Outcome | undefined {
    const accepted: JsonObject[] = [];
    let followed = 0;
    for (const way of this.ways(difference, end)) {
      if (followed++ >= mostWays) break;
      for (const pin of difference.candidates?.() ?? []) {
        if (this.trial.tried >= end || accepted.length >= 16) break;
        const object = this.make(difference, pin, way);
        if (object !== undefined && this.trial.isAccepted(object)) accepted.push(object);
      }
    }
    for (const before of accepted) {
      for (const after of accepted) {
        if (before === after) continue;
        if (this.trial.tried >= end) return undefined;
        const errors = this.trial.refusesUpdate(asStored(after), asStored(before));
        if (errors !== undefined && concerns({ kind: 'breaking', errors }, difference.place)) {
          return {
            effect: 'breaking',
            reason: `an update is refused: ${describeErrors(errors)}`,
            witness: { old: before, new: after },
          };
        }
      }
    }
    return undefined;
  }
}

/** An update names what it changes. */
function asStored(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  const uid = 'b7d3d5a1-3c3e-4b8a-9a67-1f1e2d3c4b5a';
  return { ...object, metadata: { ...metadata, uid, resourceVersion: '1' } };
}

function describe(damage: Damage): string {
  if (damage.kind === 'breaking') return describeErrors(damage.errors);
  return `values vanish: ${damage.lost.slice(0, 3).join(', ')}`;
}

const texts = new Map<string, string>([
  ['FieldValueRequired', 'Required value'],
  ['FieldValueDuplicate', 'Duplicate value'],
  ['FieldValueTooLong', 'Too long'],
  ['FieldValueTooMany', 'Too many'],
  ['FieldValueNotSupported', 'Unsupported value'],
]);

function describeErrors(errors: readonly FieldError[]): string {
  const first =
    errors.find(({ detail }) => !detail.startsWith('some validation rules were not checked')) ??
    errors[0];
  if (first === undefined) return 'it is refused';
  const { type, field, detail } = first;
  return [field, texts.get(type), detail]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
}

/** Looks for an object that a difference breaks. */
import type { JsonObject, JsonValue } from '../../documents/index.js';
import type { Effect } from '../../finding.js';
import type { FieldError } from '../objects/field-error.js';
import type { VersionDefinition } from '../objects/definition.js';
import type { Difference } from './difference.js';
import { pinAt, type Pin } from './pin.js';
import { Sampler, type Variant } from './sampler.js';
import { minimise, type Damage, type Trial } from './trial.js';

export interface Outcome {
  readonly effect: Effect;
  readonly reason: string;
  readonly witness?: JsonValue;
}

/** Small and plain objects first: they make the best witnesses. */
const variants: readonly Variant[] = [
  { branch: 0, richness: 0, useDefaults: true },
  { branch: 0, richness: 0, useDefaults: false },
  { branch: 1, richness: 0, useDefaults: true },
  { branch: 2, richness: 0, useDefaults: true },
  { branch: 0, richness: 1, useDefaults: true },
  { branch: 0, richness: 2, useDefaults: true },
  { branch: 1, richness: 2, useDefaults: false },
  { branch: 3, richness: 1, useDefaults: false },
];

export interface SearchBudget {
  /** Objects that one difference may put to the schemas. */
  readonly perDifference: number;
  /** Objects that all differences of a pair of versions may. */
  readonly inAll: number;
}

export class Search {
  constructor(
    private readonly trial: Trial,
    private readonly definition: VersionDefinition,
    private readonly budget: SearchBudget,
  ) {}

  /** Decides a difference that the walk left open. */
  decide(difference: Difference): Outcome {
    const { proof, reason, otherwise } = difference;
    if (proof !== 'open') return { effect: proof, reason };
    const { accepted, unevaluated } = this.trial;
    const found = difference.isTransition === true ? this.findTransition(difference) : undefined;
    const hit = found ?? this.find(difference);
    if (hit !== undefined) return { ...hit, reason: `${reason}; ${hit.reason}` };
    if (otherwise !== undefined && this.trial.unevaluated === unevaluated)
      return { effect: otherwise, reason };
    return {
      effect: 'undecided',
      reason: `${reason}; ${this.obstacle(difference, accepted, unevaluated)}`,
    };
  }

  private obstacle({ limit }: Difference, accepted: number, unevaluated: number): string {
    if (this.trial.tried >= this.budget.inAll)
      return `the budget of ${this.budget.inAll} objects is used up`;
    if (limit !== undefined) return limit;
    if (this.trial.accepted > accepted)
      return 'no object was found that it breaks, and no proof that there is none';
    if (this.trial.unevaluated > unevaluated)
      return 'the validation rules of the old schema could not be evaluated';
    return 'no object was found that the old schema accepts there';
  }

  private find(difference: Difference): Outcome | undefined {
    const end = Math.min(this.trial.tried + this.budget.perDifference, this.budget.inAll);
    const pins = [...(difference.candidates?.() ?? [])];
    for (const variant of variants) {
      for (const pin of pins) {
        if (this.trial.tried >= end) return undefined;
        const object = this.make(difference, pin, variant);
        const damage = object === undefined ? undefined : this.trial.damage(object);
        if (object === undefined || damage === undefined) continue;
        return this.report(object, damage);
      }
    }
    return undefined;
  }

  private make(difference: Difference, pin: Pin, variant: Variant): JsonObject | undefined {
    const { group, version, kind, namespaced, schema } = this.definition;
    const sampler = new Sampler(variant, { apiVersion: `${group}/${version}`, kind, namespaced });
    return sampler.resource(schema, pinAt(difference.place, pin));
  }

  private report(object: JsonObject, damage: Damage): Outcome {
    const holds = (smaller: JsonObject): boolean =>
      this.trial.damage(smaller)?.kind === damage.kind;
    const witness = minimise(object, holds);
    const final = this.trial.damage(witness) ?? damage;
    return { effect: final.kind, reason: describe(final), witness };
  }

  /** Pairs of objects for a rule that compares with the old value. */
  private findTransition(difference: Difference): Outcome | undefined {
    const end = Math.min(this.trial.tried + this.budget.perDifference, this.budget.inAll);
    const accepted: JsonObject[] = [];
    for (const variant of variants.slice(0, 5)) {
      for (const pin of difference.candidates?.() ?? []) {
        if (this.trial.tried >= end || accepted.length >= 16) break;
        const object = this.make(difference, pin, variant);
        if (object !== undefined && this.trial.isAccepted(object)) accepted.push(object);
      }
    }
    for (const before of accepted) {
      for (const after of accepted) {
        if (before === after) continue;
        if (this.trial.tried >= end) return undefined;
        const object = withResourceVersion(after);
        const old = withResourceVersion(before);
        const errors = this.trial.refusesUpdate(object, old);
        if (errors !== undefined) {
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

/** An update names the version that it changes. */
function withResourceVersion(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  return {
    ...object,
    metadata: { ...metadata, uid: 'b7d3d5a1-3c3e-4b8a-9a67-1f1e2d3c4b5a', resourceVersion: '1' },
  };
}

function describe(damage: Damage): string {
  if (damage.kind === 'breaking') return describeErrors(damage.errors);
  return `values vanish: ${damage.lost.slice(0, 3).join(', ')}`;
}

function describeErrors(errors: readonly FieldError[]): string {
  const first = errors[0];
  return first === undefined ? 'it is refused' : `${first.field}: ${first.detail}`;
}

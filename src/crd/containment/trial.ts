/** Puts an object to both schemas, as the API server would. Every witness passes through here. */
import { isObject, own, type JsonObject, type JsonValue } from '../../documents/index.js';
import { sameValue } from '../objects/equality.js';
import { BadRequest, type FieldError } from '../objects/field-error.js';
import { ranOutOfSteps, type ObjectResult, type ObjectValidator } from '../objects/validator.js';
import type { Effort } from './effort.js';
import { sizeOf } from './size.js';

export type Damage =
  | { readonly kind: 'breaking'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'data-loss'; readonly lost: readonly string[] };

/** An object whose rules run to their bound takes the time of many others. */
const exhaustingCost = 25;
/** In values. */
const usualSize = 20;

/** Both schemas look at an object several times: pruned, defaulted, validated. In values. */
const costOfTrial = 2;

export class Trial {
  /** How many objects were put to the old schema; what budgets count. */
  tried = 0;
  /** How many of them the old schema accepts. */
  accepted = 0;
  /** How many it neither accepts nor refuses: a rule could not be evaluated. */
  unevaluated = 0;

  constructor(
    readonly before: ObjectValidator,
    readonly after: ObjectValidator,
    /** The apiVersion under which the new schema reads stored objects. */
    private readonly apiVersionAfter: string,
    private readonly effort: Effort,
  ) {}

  /**
   * What the change does to an object, if the old schema accepts it. Fields that the old schema
   * prunes are not held against the new one.
   */
  damage(object: JsonObject): Damage | undefined {
    const prepared = this.accept(object);
    if (prepared === undefined) return undefined;
    const kept = this.before.prune(object);
    const now = this.after.validateCreate(this.convert(kept));
    this.note(now);
    if (now.valid === false) return { kind: 'breaking', errors: now.errors };
    const stored = this.convert(prepared);
    const later = this.after.validateCreate(stored);
    if (later.valid === false) return { kind: 'breaking', errors: later.errors };
    const lost: string[] = [];
    collectLost(stored, this.after.pruneAndDefault(stored), '', lost);
    return lost.length > 0 ? { kind: 'data-loss', lost } : undefined;
  }

  /** Whether an update that the old schema accepts is refused by the new one. */
  refusesUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] | undefined {
    if (!this.isAccepted(old)) return undefined;
    if (this.before.validateUpdate(object, old).valid !== true) return undefined;
    const now = this.after.validateUpdate(this.convert(object), this.convert(old));
    return now.valid === false ? now.errors : undefined;
  }

  /** Whether the old schema accepts the object at all. */
  isAccepted(object: JsonObject): boolean {
    return this.accept(object) !== undefined;
  }

  /** The object as it is stored, if the old schema accepts it. */
  private accept(object: JsonObject): JsonObject | undefined {
    this.tried++;
    const prepared = this.prepare(object);
    // Defaults may make an object much larger than what was written.
    this.effort.spend(costOfTrial * (1 + sizeOf(prepared ?? object)));
    if (prepared === undefined) return undefined;
    const result = this.before.validateCreate(object);
    this.note(result);
    const { valid } = result;
    if (valid === true) this.accepted++;
    if (valid === null) this.unevaluated++;
    return valid === true ? prepared : undefined;
  }

  private note(result: ObjectResult): void {
    if (!ranOutOfSteps(result)) return;
    this.tried += exhaustingCost;
    this.effort.spend(exhaustingCost * costOfTrial * usualSize);
  }

  private prepare(object: JsonObject): JsonObject | undefined {
    try {
      return this.before.pruneAndDefault(object);
    } catch (error) {
      if (error instanceof BadRequest) return undefined;
      throw error;
    }
  }

  private convert(object: JsonObject): JsonObject {
    if (own(object, 'apiVersion') === this.apiVersionAfter) return object;
    return { ...object, apiVersion: this.apiVersionAfter };
  }
}

/** Paths of values that are gone; what defaults add is no loss. */
function collectLost(
  before: JsonValue,
  after: JsonValue | undefined,
  path: string,
  lost: string[],
): void {
  if (after === undefined) {
    // A dropped null is a field left out: nothing that it said is gone.
    if (before !== null) lost.push(path);
  } else if (isObject(before) && isObject(after)) {
    for (const key of Object.keys(before)) {
      collectLost(before[key] as JsonValue, own(after, key), `${path}.${key}`, lost);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, item] of before.entries())
      collectLost(item, after[index], `${path}[${index}]`, lost);
  } else if (before !== null && !sameValue(before, after)) {
    lost.push(path);
  }
}

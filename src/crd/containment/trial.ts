/** Puts an object to both schemas, as the API server would. Every witness passes through here. */
import {
  defineOwn,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../documents/index.js';
import { sameValue } from '../objects/equality.js';
import type { FieldError } from '../objects/field-error.js';
import { ranOutOfSteps, type ObjectValidator } from '../objects/validator.js';

export type Damage =
  | { readonly kind: 'breaking'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'data-loss'; readonly lost: readonly string[] };

/** An object whose rules run to their bound takes the time of many others. */
const exhaustingCost = 25;

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
  ) {}

  /**
   * What the change does to an object, if the old schema accepts it. Fields that the old schema
   * prunes are not held against the new one.
   */
  damage(object: JsonObject): Damage | undefined {
    if (!this.isAccepted(object)) return undefined;
    const kept = this.before.prune(object);
    const converted = this.convert(kept);
    const now = this.after.validateCreate(converted);
    if (ranOutOfSteps(now)) this.tried += exhaustingCost;
    if (now.valid === false) return { kind: 'breaking', errors: now.errors };
    const stored = this.convert(this.before.pruneAndDefault(object));
    if (this.after.validateCreate(stored).valid === false) {
      return { kind: 'breaking', errors: this.after.validateCreate(stored).errors };
    }
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
    this.tried++;
    const result = this.before.validateCreate(object);
    const { valid } = result;
    if (valid === true) this.accepted++;
    if (valid === null) this.unevaluated++;
    if (ranOutOfSteps(result)) this.tried += exhaustingCost;
    return valid === true;
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

/** Removes what the damage does not need, largest parts first. */
export function minimise(object: JsonObject, holds: (smaller: JsonObject) => boolean): JsonObject {
  let smallest = object;
  let left = 80;
  const shrink = (path: readonly (string | number)[], value: JsonValue): void => {
    const keys = Array.isArray(value)
      ? [...value.keys()].reverse()
      : isObject(value)
        ? Object.keys(value)
        : [];
    for (const key of keys) {
      if (path.length === 0 && typeof key === 'string' && identityFields.has(key)) continue;
      if (left-- <= 0) return;
      const without = remove(smallest, [...path, key]);
      if (holds(without)) smallest = without;
      else {
        const child = Array.isArray(value)
          ? value[key as number]
          : own(value as JsonObject, key as string);
        if (child !== undefined) shrink([...path, key], child);
      }
    }
  };
  shrink([], smallest);
  return smallest;
}

const identityFields = new Set(['apiVersion', 'kind', 'metadata']);

function remove(root: JsonObject, path: readonly (string | number)[]): JsonObject {
  return removeAt(root, path, 0) as JsonObject;
}

function removeAt(value: JsonValue, path: readonly (string | number)[], depth: number): JsonValue {
  const key = path[depth];
  const isLast = depth === path.length - 1;
  if (Array.isArray(value)) {
    return isLast
      ? value.filter((_, index) => index !== key)
      : value.map((item, index) => (index === key ? removeAt(item, path, depth + 1) : item));
  }
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) {
    const item = value[name] as JsonValue;
    if (name !== key) defineOwn(copy, name, item);
    else if (!isLast) defineOwn(copy, name, removeAt(item, path, depth + 1));
  }
  return copy;
}

/** Puts objects to schemas, as the API server would. Every witness passes through here. */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import {
  BadRequest,
  type Created,
  type FieldError,
  type ObjectResult,
  type ObjectValidator,
  ofCompiledRules,
  sameValue,
  type SchemaNode,
} from '../../../kubernetes/index.js';
import type { StoredWrites } from '../../../rule/index.js';
import { isUpdatable, writesOfStored } from '../../crd/stored-write.js';
import type { Budget } from '../budget.js';
import { formatName } from '../../crd/schema-keys.js';
import { sizeOf } from '../size.js';

/** Effects of a schema on an object; no effect where both lists are empty. */
export interface Harm {
  readonly errors: readonly FieldError[];
  /** Paths of values that vanish from what is stored, names as `formatName` writes them. */
  readonly lost: readonly string[];
}

export const harmless: Harm = { errors: [], lost: [] };

/** No harm was seen, and some rule could not be evaluated. */
const unknown: Harm = { errors: [], lost: [] };

export function kindOf({ errors, lost }: Harm): 'breaking' | 'data-loss' | undefined {
  if (errors.length > 0) return 'breaking';
  return lost.length > 0 ? 'data-loss' : undefined;
}

export interface Accepted {
  /** As it is written again, without fields that the old schema prunes: they are not held against the new one. */
  readonly written: JsonObject;
  /** As it was stored, with the old defaults. */
  readonly stored: JsonObject;
  readonly size: number;
}

/** Steps of rules that take the time of one object. */
const stepsPerObject = 100_000;

export class Trial {
  /** How many objects were put to the old schema; what budgets count. */
  tried = 0;
  /** How many of them the old schema accepts. */
  accepted = 0;
  /** How many it neither accepts nor refuses: a rule could not be evaluated. */
  unevaluated = 0;
  /** How many accepted ones met a rule of the new schema that could not be evaluated. */
  unjudged = 0;
  /** The size of the largest object that each schema has made of one by its defaults. */
  private readonly largest = new Map<ObjectValidator, number>();

  constructor(
    readonly before: ObjectValidator,
    readonly after: ObjectValidator,
    /** The apiVersion under which the new schema reads stored objects. */
    protected readonly apiVersionAfter: string,
    protected readonly budget: Budget,
    /** An API server has compiled the rules of the new schema. */
    protected readonly isTaken = false,
  ) {}

  between(before: ObjectValidator, after: ObjectValidator): Trial {
    return new Trial(before, after, this.apiVersionAfter, this.budget, this.isTaken);
  }

  accept(object: JsonObject): Accepted | undefined {
    this.tried++;
    const { result, prepared, size } = this.create(this.before, object);
    if (prepared === undefined) return undefined;
    const { valid } = ofCompiledRules(result);
    if (valid === null) this.unevaluated++;
    if (valid !== true) return undefined;
    this.accepted++;
    const written = this.convert(prepared.pruned);
    const isSame = prepared.stored === prepared.pruned;
    return { written, stored: isSame ? written : this.convert(prepared.stored), size };
  }

  harm({ written, stored }: Accepted, schema: ObjectValidator = this.after): Harm {
    const first = this.create(schema, written);
    let result = this.read(first.result);
    let read = first.prepared?.stored ?? stored;
    if (stored !== written) {
      const again = result.valid === false ? undefined : this.create(schema, stored);
      if (again !== undefined) result = this.read(again.result);
      read = again?.prepared?.stored ?? readBy(schema, stored);
    }
    if (result.valid === true && this.dropsStatus(schema)) {
      result = this.read(schema.post(written).result);
    }
    if (result.valid === null) this.unjudged++;
    const lost: string[] = [];
    collectLost(stored, read, '', lost, this.before.schema);
    const errors = result.valid === false ? result.errors : [];
    if (errors.length + lost.length > 0) return { errors, lost };
    return result.valid === null ? unknown : harmless;
  }

  /** The effect of the new schema on an object, if the old one accepts it. */
  damage(object: JsonObject): Harm {
    const accepted = this.accept(object);
    return accepted === undefined ? harmless : this.harm(accepted);
  }

  /** Why a schema refuses an update that the old one accepts; undefined where it does not. */
  refusesUpdate(
    object: JsonObject,
    old: JsonObject,
    schema: ObjectValidator = this.after,
  ): readonly FieldError[] | undefined {
    const accepted = this.accept(old);
    if (accepted === undefined) return undefined;
    this.budget.spend(2 * (1 + this.sizeUnder(schema, accepted)));
    if (ofCompiledRules(this.before.validateUpdate(object, old)).valid !== true) return undefined;
    const now = this.read(schema.validateUpdate(this.convert(object), this.convert(old)));
    return now.valid === false ? now.errors : undefined;
  }

  /** @param change an update of the stored object that is refused */
  writes(object: JsonObject, change?: JsonObject): StoredWrites {
    const accepted = this.accept(object);
    if (accepted === undefined) return {};
    const { stored, written } = accepted;
    const size = Math.max(accepted.size, this.create(this.after, written).size);
    const read = (result: ObjectResult): ObjectResult => {
      this.budget.spend(1 + size);
      return this.read(result);
    };
    const changed = change && this.convert(change);
    const writes = writesOfStored(this.after, stored, read, changed, written);
    if (writes.stored?.update !== 'refused') return writes;
    // An object is not stuck by the change if the old rules refuse every update of it too.
    const before = this.create(this.before, object).prepared?.stored ?? object;
    return isUpdatable(this.before, before) ? writes : {};
  }

  /** Whether a create loses the status from now on, which stored objects keep. */
  private dropsStatus({ definition }: ObjectValidator): boolean {
    return definition.hasStatus && !this.before.definition.hasStatus;
  }

  private read(result: ObjectResult): ObjectResult {
    return this.isTaken ? ofCompiledRules(result) : result;
  }

  /** Pays for its values, which defaults may have made many more, and for branches; its rules pay by themselves. */
  private create(schema: ObjectValidator, object: JsonObject): Created & { readonly size: number } {
    const created = schema.create(object);
    const { ruleSteps, branches, prepared } = created;
    const size = sizeOf(prepared?.stored ?? object);
    this.largest.set(schema, Math.max(size, this.largest.get(schema) ?? 0));
    this.tried += Math.floor(ruleSteps / stepsPerObject);
    // A branch of a logical operator takes the time of a value.
    this.budget.spend(1 + size + branches);
    return { ...created, size };
  }

  private sizeUnder(schema: ObjectValidator, { size }: Accepted): number {
    return Math.max(size, this.largest.get(schema) ?? 0);
  }

  private convert(object: JsonObject): JsonObject {
    if (own(object, 'apiVersion') === this.apiVersionAfter) return object;
    return { ...object, apiVersion: this.apiVersionAfter };
  }
}

/** A stored object as it is read; what cannot be decoded at all has lost nothing. */
function readBy(schema: ObjectValidator, stored: JsonObject): JsonObject {
  try {
    return schema.pruneAndDefault(stored);
  } catch (error) {
    if (error instanceof BadRequest) return stored;
    throw error;
  }
}

/** Defaults that are added are no loss. @param node by which it was stored; undefined where it declares nothing */
function collectLost(
  before: JsonValue,
  after: JsonValue | undefined,
  path: string,
  lost: string[],
  node: SchemaNode | undefined,
): void {
  if (after === undefined) {
    if (before !== null) lost.push(path);
  } else if (isObject(before) && isObject(after)) {
    const others = node?.additionalProperties?.schema;
    for (const key of Object.keys(before)) {
      const [value, now] = [before[key] as JsonValue, own(after, key)];
      const declared = node?.properties?.get(key);
      // A field whose null is dropped is a field left out; a map loses the key that was in it.
      if (value === null && now === undefined && !declared && others !== undefined) {
        lost.push(`${path}.${formatName(key)}`);
      } else collectLost(value, now, `${path}.${formatName(key)}`, lost, declared ?? others);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, item] of before.entries())
      collectLost(item, after[index], `${path}[${index}]`, lost, node?.items);
  } else if (before !== null && !sameValue(before, after)) {
    lost.push(path);
  }
}

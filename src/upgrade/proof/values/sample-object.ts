/** An object that a version of a definition accepts, with something in it at some place. */
import { compileValidator, type ObjectValidator } from '../../../kubernetes/index.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import { Budget, TimeOverError } from '../budget.js';
import { type Pin, pinAt, type Place } from '../pin.js';
import { RuleSamples } from './rule-samples.js';
import { Sampler } from './sampler.js';

interface SampleWish {
  readonly place?: Place | undefined;
  readonly pin?: Pin | undefined;
  readonly isOver?: (() => boolean) | undefined;
}

/** In values: an example is looked for, not searched for. */
const maxValues = 50_000;

/** Undefined where none was found within the bound, or where the version cannot be read. */
export function sampleObject(
  definition: JsonObject,
  version: string,
  { place, pin, isOver }: SampleWish = {},
): JsonObject | undefined {
  const validator = compiled(definition, version);
  if (validator === undefined) return undefined;
  try {
    return sample(validator, version, { place, pin }, new Budget(maxValues, isOver));
  } catch (error) {
    if (error instanceof TimeOverError) return undefined;
    throw error;
  }
}

function sample(
  validator: ObjectValidator,
  version: string,
  { place, pin }: SampleWish,
  budget: Budget,
): JsonObject | undefined {
  const { schema, group, kind, namespaced } = validator.definition;
  const identity = { apiVersion: `${group}/${version}`, kind, namespaced };
  const menders = schema.holds('rules') ? [undefined, new RuleSamples(budget)] : [undefined];
  for (const mender of menders) {
    for (const richness of [0, 1, 2]) {
      for (const branch of [0, 1, 2, 3]) {
        if (budget.isSpent) return undefined;
        const variant = { branch, richness, useDefaults: true, mender };
        const sampler = new Sampler(variant, budget);
        const object = sampler.resource([schema], pinAt(place, pin), identity);
        if (object !== undefined && validator.validateCreate(object).valid === true) return object;
      }
    }
  }
  return undefined;
}

function compiled(definition: JsonObject, version: string): ObjectValidator | undefined {
  try {
    return compileValidator(definition, version);
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof RangeError) return undefined;
    throw error;
  }
}

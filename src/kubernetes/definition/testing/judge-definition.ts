/** Questions that tests ask about one definition. */
import type { JsonObject } from '../../../text/documents/index.js';
import { DefinitionCosts } from '../costs.js';
import { DefinitionReview, type Refusal } from '../judge.js';

/** Asks each of the minors about a create, or about an update of the old definition. */
export function judgeDefinition(
  definition: JsonObject,
  old: JsonObject | undefined,
  minors: readonly string[],
): Refusal[] {
  const on = old === undefined ? 'create' : 'update';
  return new DefinitionReview(definition, old).refusals(on, minors);
}

export function costsOf(definition: JsonObject): DefinitionCosts {
  return new DefinitionCosts(new DefinitionReview(definition));
}

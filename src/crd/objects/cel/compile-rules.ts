/** x-kubernetes-validations of a schema, compiled once. */
import type { JsonObject } from '../../../documents/index.js';
import type { Correlated } from '../correlation.js';
import type { SchemaNode } from '../schema.js';
import type { RulesOutcome } from './outcome.js';

export interface CompiledRules {
  evaluate(
    object: JsonObject,
    old: JsonObject | undefined,
    correlated: Correlated | undefined,
  ): RulesOutcome;
}

/** Undefined where the schema has no rules. */
export function compileRules(schema: SchemaNode): CompiledRules | undefined {
  if (!hasRules(schema)) return undefined;
  return {
    evaluate: () => ({ errors: [], notEvaluated: [{ field: '', reason: 'CEL is not evaluated' }] }),
  };
}

function hasRules(schema: SchemaNode | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.rules.length > 0 || hasRules(schema.items)) return true;
  if (hasRules(schema.additionalProperties?.schema)) return true;
  return [...(schema.properties?.values() ?? [])].some(hasRules);
}

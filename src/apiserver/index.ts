export { ValidatorCache } from './cache.js';
export { readDefinition, schemaOf, type VersionDefinition } from './definition.js';
export { BadRequest, sortErrors, type FieldError, type FieldErrorType } from './field-error.js';
export { readSchema, type SchemaNode, type ValidationRule } from './schema.js';
export {
  compileValidator,
  ofCompiledRules,
  ranOutOfSteps,
  type ObjectResult,
  type ObjectValidator,
} from './validator.js';
export { maxCardinality, sizesOfSchema, type SchemaSizes } from './rules/declared-sizes.js';
export type { NotEvaluated } from './rules/outcome.js';
export { compileSchema, type Check } from './open-api.js';
export { errorBody, type SchemaError } from './schema-errors.js';

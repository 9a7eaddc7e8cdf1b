export { ValidatorCache } from './cache.js';
export { schemaOf } from './definition.js';
export { sortErrors, type FieldError, type FieldErrorType } from './field-error.js';
export { readSchema } from './schema.js';
export {
  compileValidator,
  ofCompiledRules,
  ranOutOfSteps,
  type ObjectResult,
  type ObjectValidator,
} from './validator.js';
export { compileSchema } from './open-api.js';
export { errorBody, type SchemaError } from './schema-errors.js';

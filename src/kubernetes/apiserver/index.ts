export { sortErrors, type FieldError, type FieldErrorType } from './field-error.js';
export { compileValidator, type ObjectResult, type ObjectValidator } from './validator.js';
export { type SchemaError } from './schema-errors.js';

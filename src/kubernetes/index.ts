export {
  ValidatorCache,
  compileDefinition,
  compileValidator,
  type Created,
  type ObjectResult,
  type ObjectValidator,
  ofCompiledRules,
  type RuleBudget,
  ranOutOfSteps,
  ratchetingSince,
} from './apiserver/validator.js';
export {
  readDefinition,
  schemaOf,
  type VersionDefinition,
  type ScalePaths,
  validateScale,
} from './apiserver/definition.js';
export { identity, sameValue, truncateToInt64 } from './apiserver/equality.js';
export {
  BadRequest,
  type FieldError,
  type FieldErrorType,
  fieldOf,
  isUnchecked,
  sortErrors,
  wholeObject,
} from './apiserver/field-error.js';
export { KnownSchemas } from './apiserver/known-schemas.js';
export { numberRange } from './apiserver/keyword-rules.js';
export { compileSchema, type Release } from './apiserver/open-api.js';
export { Defaults } from './apiserver/prepare.js';
export { compileRules } from './apiserver/rules/compile-rules.js';
export {
  maxCardinality,
  ofEstimates,
  ofEvaluations,
  type SchemaSizes,
  sizesOfSchema,
  typeOfSchema,
} from './apiserver/rules/declared-types.js';
export { readWithoutSchema } from './apiserver/rules/from-json.js';
export { RuleValues, compileRuleExpression } from './apiserver/rules/rule.js';
export { escapeName, unescapeName } from './apiserver/rules/field-names.js';
export { errorBody, type SchemaError } from './apiserver/schema-errors.js';
export { readSchema } from './apiserver/read-schema.js';
export {
  type JudgedKeyword,
  keywordsOfNodes,
  type SchemaKeywords,
  SchemaNode,
  type ValidationRule,
} from './apiserver/schema.js';
export {
  type CostBound,
  type CostEstimate,
  type CostPlace,
  DefinitionCosts,
} from './definition/costs.js';
export { languageOf } from './definition/languages.js';
export { keysOfField } from './definition/field-keys.js';
export { DefinitionReview, type Refusal } from './definition/judge.js';
export {
  askedMinors,
  knownMinors,
  minorsByDefault,
  minorsByRelease,
  newestMinor,
  releaseFor,
  releasesByMinor,
  type TargetMinors,
  traitsOf,
} from './definition/minors.js';
export { type Sizes, sizesOf } from './definition/sizes.js';
export { type DerivedDefinition, definitionSource, mentionsSource } from './sources/index.js';
export { definitionOfJsonSchema, type KindVersion } from './sources/json-schema.js';

/**
 * CEL, the language of validation rules and constraints, equal to cel-go 0.26 as Kubernetes 1.35 runs
 * it: what it refuses, in its words and at its places, and what its expressions give.
 *
 * - What comes in: a text, the types of its variables and a language (`kubernetes`, or one made of
 *   parts of it); the values of the variables and how many steps may be spent on them.
 * - What goes out: a tree in which each node has its type and each call the ids of its overloads; a
 *   program; its value or an `EvaluationError`. `NotEvaluable` says that neither is known.
 * - What it knows nothing of: schemas, definitions and JSON. Who has data gives it as `CelList`,
 *   `CelMap` or another value.
 */
export { attempt, isEqualTo, isEqualToRead, listOf, ValueMap } from './collections.js';
export {
  CelMistakes,
  CompilerPanic,
  EvaluationError,
  NotEvaluable,
  noSuchOverload,
  Panic,
  tooManySteps,
  spend,
  within,
  type Budget,
  type Variables,
  typeNameOf,
  CelList,
  CelMap,
  Duration,
  noValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type CelValue,
} from './values.js';
export type { DeclaredSizes } from './cost/call-costs.js';
export { estimatedCost } from './cost/estimate.js';
export { compileObserved, twoVariableMacro, type Language } from './language.js';
export {
  kubernetes,
  kubernetesLibraries,
  standardFunctions,
  standardTypes,
} from './library/kubernetes.js';
export { writtenText } from './library/conversions.js';
export { nanosOf, quantityProblem } from './library/quantity.js';
export { declare, FunctionTable } from './overloads.js';
export {
  checkExpression,
  makeProgram,
  parseExpression,
  type CheckedExpression,
  type Program,
} from './program.js';
export { standardMacros } from './syntax/macros.js';
export { reservedWords } from './syntax/parser.js';
export { childrenOf, type Node } from './syntax/tree.js';
export {
  listOfType,
  mapOfType,
  objectType,
  isOptional,
  optionalOf,
  types,
  typeText,
  type CelType,
} from './types.js';

/** CEL for those who have no definition: a language of their own, one variable, JSON values. */
export { CelMistakes, compileBare, dynamicValue, type BareProgram } from './bare-program.js';
export { EvaluationError, NotEvaluable } from './errors.js';
export { listOf } from './from-json.js';
export { overloads as kubernetesOverloads } from './functions.js';
export { itemAt, type CelList } from './lists.js';
export { ValueMap } from './maps.js';
export type { Language } from './scope.js';
export { declare, FunctionTable } from './signature.js';
export { listOfType, mapOfType, types, type CelType } from './types.js';
export { Uint, type CelValue } from './values.js';

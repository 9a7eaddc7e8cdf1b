export { InvalidInputError, type InputErrorCode, type Place } from './error.js';
export { parseJson, stringifyJson, type ParseOptions } from './json.js';
export { defaultLimits, type Limits } from './limits.js';
export { defineOwn, isObject, NumberText, own, type JsonObject, type JsonValue } from './value.js';

export {
  ifRefused,
  orRefusal,
  InvalidInputError,
  invalidInput,
  type InputErrorCode,
  type Place,
  defaultLimits,
  limitValues,
} from './error.js';
export {
  asBuffer,
  measureShared,
  parseJson,
  parseShared,
  stringifyJson,
  type MeasuredJson,
  keyLengths,
} from './json.js';
export {
  defineOwn,
  mapMembers,
  isObject,
  NumberText,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from './value.js';
export {
  inNamespace,
  metaOf,
  type OwnerReference,
  objectsOf,
  readList,
  type ListedObject,
  type ObjectList,
  type PlaceInList,
} from './object-meta.js';
export { documentOf, parseDocuments, readDocuments, type Document } from './documents.js';
export { formatPath, parsePath, type Path } from './text-tree.js';
export { writeYaml } from './write-yaml.js';
export { parseYaml, type Dialect, commentsIn } from './yaml.js';

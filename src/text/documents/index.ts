export { InvalidInputError, type InputErrorCode, type Place } from './error.js';
export {
  asBuffer,
  measureShared,
  parseJson,
  parseShared,
  stringifyJson,
  type MeasuredJson,
} from './json.js';
export { defaultLimits, limitValues } from './limits.js';
export {
  defineOwn,
  isObject,
  NumberText,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from './value.js';
export { keyLengths } from './json.js';
export { inNamespace, metaOf, type OwnerReference } from './object-meta.js';
export {
  objectsOf,
  readList,
  type ListedObject,
  type ObjectList,
  type PlaceInList,
} from './object-list.js';
export { documentOf, parseDocuments, readDocuments, type Document } from './documents.js';
export { formatPath, parsePath, type Path } from './text-tree.js';
export { writeYaml } from './write-yaml.js';
export { parseYaml, type Dialect } from './yaml.js';
export { commentsIn } from './yaml.js';

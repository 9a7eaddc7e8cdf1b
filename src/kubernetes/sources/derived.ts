import {
  InvalidInputError,
  type InputErrorCode,
  formatPath,
  type JsonObject,
  type Path,
} from '../../text/documents/index.js';

export interface DerivedDefinition {
  /** Without what only the controller knows, such as its owner. */
  readonly crd: JsonObject;
  /** Where in the object a value of the definition comes from; of what the controller adds, what is around it. */
  readonly keysInSource: (keys: Path) => Path;
  readonly unknown?: readonly Path[];
}

export interface DefinitionSource {
  readonly kind: string;
  readonly group: string;
  readonly derive: (object: JsonObject) => readonly DerivedDefinition[];
}

export function refused(
  message: string,
  keys: Path,
  code: InputErrorCode = 'E_INPUT',
): InvalidInputError {
  return new InvalidInputError(code, message, { path: formatPath(keys) });
}

export function present(entries: Record<string, JsonObject[string] | undefined>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) object[key] = value;
  return object;
}

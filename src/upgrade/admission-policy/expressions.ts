/** What several expressions of a policy say alike. */
import { type JsonValue, stringifyJson } from '../../text/documents/index.js';

/** A literal of CEL. */
export function literal(value: JsonValue): string {
  return stringifyJson(value);
}

export const isIntOrString = '"x-kubernetes-int-or-string"';
export const preservesName = 'x-kubernetes-preserve-unknown-fields';
export const preserves = literal(preservesName);

/** Whether an extension of a schema is there and true. */
export function isSet(extension: string, schema: string): string {
  return `(${extension} in ${schema} && ${schema}[${extension}] == true)`;
}

/** Whether the values of a map, or of what nobody declared, are of any kind. */
export function hasNoSchema(schema: string): string {
  return `(!has(${schema}.additionalProperties) || ${schema}.additionalProperties == true)`;
}

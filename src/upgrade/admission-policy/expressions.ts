/** What several expressions of a policy say alike. */
import { type JsonValue, stringifyJson } from '../../text/documents/index.js';

/** A literal of CEL. */
export function literal(value: JsonValue): string {
  return stringifyJson(value);
}

export const isIntOrString = '"x-kubernetes-int-or-string"';
export const preserves = '"x-kubernetes-preserve-unknown-fields"';

/** Whether an extension of a schema is there and true. */
export function isSet(extension: string, schema: string): string {
  return `(${extension} in ${schema} && ${schema}[${extension}] == true)`;
}

import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { proveUpgrade } from '../proof.js';
import type { ProofJudgement } from '../result.js';

type Rest =
  Parameters<typeof proveUpgrade> extends [unknown, unknown, ...infer More] ? More : never;

export function proveDocuments(old: JsonValue, next: JsonValue, ...rest: Rest): ProofJudgement {
  const read = readCustomResourceDefinition;
  return proveUpgrade(read(old), read(next), ...rest);
}

/** The definition as a cluster has it that was given this file. */
export function installedDocument(document: JsonObject): JsonObject {
  return readCustomResourceDefinition(document).asInstalled().document;
}

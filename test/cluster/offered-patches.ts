/** What a denial offers to change. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { answer } from '../../src/checks/operations/answer.js';
import { own, type JsonObject } from '../../src/text/documents/index.js';
import { objectsAt } from '../../src/text/documents/fields.js';

/** All patches of the denial together, and each by itself. */
export function patchesOf(old: JsonObject, next: JsonObject): Operation[][] {
  const judged = answer('crd', { old, new: next });
  const each = objectsAt(judged as JsonObject, 'verdict', 'findings').flatMap((finding) => {
    const patch = own(finding, 'fix');
    return Array.isArray(patch) && patch.length > 0 ? [patch as unknown as Operation[]] : [];
  });
  return each.length > 1 ? [each.flat(), ...each] : each;
}

/** Undefined where it does not fit: two findings of one cause have the same patch, which fits once. */
export function patched(next: JsonObject, patch: readonly Operation[]): JsonObject | undefined {
  try {
    return jsonPatch.applyPatch(structuredClone(next), patch).newDocument;
  } catch {
    return undefined;
  }
}

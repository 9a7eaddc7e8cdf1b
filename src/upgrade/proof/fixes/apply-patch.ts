import jsonPatch, { type Operation } from 'fast-json-patch';
import { isObject, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { readPointer } from '../../../text/json-pointer.js';

/**
 * The patched document. Values that the patch leaves alone are identical (`===`) in both, so comparisons
 * can skip them.
 *
 * @param copies what was copied for earlier patches of the document and is changed in place
 * @throws Error where the patch does not fit
 */
export function applyPatch(
  document: JsonObject,
  patch: readonly Operation[],
  copies: Set<JsonValue> = new Set(),
): JsonObject {
  let patched = document;
  for (const operation of patch) {
    const changed = [operation.path, ...('from' in operation ? [operation.from] : [])];
    for (const pointer of changed)
      patched = withParentsCopied(patched, readPointer(pointer), copies);
    patched = jsonPatch.applyOperation(patched, operation).newDocument;
  }
  return patched;
}

/** Copies every parent of the value at the place, so that the value can be set or removed. */
function withParentsCopied(
  document: JsonObject,
  place: readonly string[],
  copies: Set<JsonValue>,
): JsonObject {
  const root = copies.has(document) ? document : { ...document };
  copies.add(root);
  let parent: JsonObject | JsonValue[] = root;
  for (const key of place.slice(0, -1)) {
    const child: JsonValue | undefined = Array.isArray(parent)
      ? parent[Number(key)]
      : Object.hasOwn(parent, key)
        ? parent[key]
        : undefined;
    if (!Array.isArray(child) && !isObject(child)) throw new Error(`nothing holds ${key}`);
    if (copies.has(child)) {
      parent = child;
      continue;
    }
    const copy: JsonObject | JsonValue[] = Array.isArray(child) ? [...child] : { ...child };
    copies.add(copy);
    if (Array.isArray(parent)) parent[Number(key)] = copy;
    else parent[key] = copy;
    parent = copy;
  }
  return root;
}

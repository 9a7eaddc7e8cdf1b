/** Whether an object that a new definition refuses can still be updated once it is stored. */
import { defineOwn, own, type JsonObject } from '../../text/documents/index.js';
import type { StoredWrites } from '../../rule/index.js';
import {
  type ObjectResult,
  type ObjectValidator,
  ratchetingSince,
} from '../../kubernetes/index.js';
import { objectAt } from '../../text/documents/fields.js';

/**
 * Asks for the least update there is, one of the metadata alone. Whatever else changes, what is refused
 * of the object as a whole is no longer unchanged, so that an update without any change tells nothing.
 *
 * @param read what becomes of an answer, where the API server knows more of the rules
 * @returns nothing where a rule could not be evaluated
 */
export function writesOfStored(
  validator: ObjectValidator,
  object: JsonObject,
  read: (result: ObjectResult) => ObjectResult = (result) => result,
): StoredWrites {
  const old = asStored(object);
  const touched = withAnnotation(old);
  const answer = (isRatcheting: boolean): boolean | null =>
    read(validator.validateUpdate(touched, old, isRatcheting)).valid;
  switch (answer(true)) {
    case true:
      return {
        stored: 'updatable',
        ...(answer(false) === true ? {} : { storedFrom: ratchetingSince }),
      };
    case false:
      return { stored: 'stuck' };
    case null:
      return {};
  }
}

/** No update goes without a resourceVersion, and objects from a file or made up have none. */
export function asStored(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  if (own(metadata, 'resourceVersion') !== undefined) return object;
  const uid = 'b7d3d5a1-3c3e-4b8a-9a67-1f1e2d3c4b5a';
  return withMetadata(object, { uid, ...metadata, resourceVersion: '1' });
}

function withAnnotation(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  return withMetadata(object, {
    ...metadata,
    annotations: { ...objectAt(metadata, 'annotations'), 'olm-guard.io/updated': '' },
  });
}

function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) defineOwn(copy, key, own(object, key) ?? null);
  copy['metadata'] = metadata;
  return copy;
}

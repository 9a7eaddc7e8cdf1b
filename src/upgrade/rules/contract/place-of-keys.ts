/** From the keys of a schema in a definition to the place of its values in an object. */
import type { Keys } from '../../crd/schema-keys.js';
import { below, type Place } from '../../proof/pin.js';

/** Null for a schema that is no field's own: one under a logical operator. */
export function placeOfKeys(keys: Keys): Place | undefined | null {
  let place: Place | undefined;
  for (let index = keysOfVersion; index < keys.length; index++) {
    const keyword = keys[index];
    if (keyword === 'properties') {
      index += 1;
      place = below(place, { kind: 'property', name: String(keys[index]) });
    } else if (keyword === 'items') place = below(place, { kind: 'item' });
    else if (keyword === 'additionalProperties') place = below(place, { kind: 'key', name: 'key' });
    else return null;
  }
  return place;
}

/** spec, versions, 0, schema, openAPIV3Schema */
const keysOfVersion = 5;

/** Defaults: what an unchanged manifest comes to mean. */
import { isObject, type JsonValue } from '../../../text/documents/index.js';
import { Defaults, sameValue, type SchemaNode } from '../../../kubernetes/index.js';
import { keywords } from './change.js';
import { absent, pinValue, type Place } from '../pin.js';
import { accepts } from '../shape.js';
import type { Pair, Walk } from './pair.js';

/** With the defaults that lie within it. */
export function filled(node: SchemaNode, value: JsonValue): JsonValue {
  return isObject(value) ? new Defaults(node).apply(value) : value;
}

/** @returns whether absent values look otherwise under the new schema */
export function compareDefaults(walk: Walk, pair: Pair): boolean {
  const { before, after, place, mode } = pair;
  if (mode === 'validation') return false;
  const [old, now] = [before.default, after.default];
  if (old === undefined && now === undefined) return false;
  if (old !== undefined && now !== undefined && sameValue(old, now)) return false;
  if (now === undefined) {
    // A null in a list stays where a null of a field would be dropped.
    if (place?.step.kind === 'item' && !before.nullable && !accepts(after, null)) {
      walk.add({
        place,
        proof: 'open',
        reason: 'the default is gone that took the place of null items',
        change: { at: place, exchange: keywords('default') },
        candidates: () => [pinValue(null)],
      });
      return true;
    }
    walk.add({
      place,
      proof: 'behavior',
      reason: 'the default is gone: an absent value stays absent',
    });
  } else {
    const reason =
      old === undefined ? 'a default is set where there was none' : 'the default is another value';
    // The API server refuses a definition whose default its own schema refuses.
    if (isInEveryObject(place)) {
      walk.add({ place, proof: 'safe', reason: `${reason}, of what every object has` });
      return false;
    }
    // A default is set for the null of an item alone, which was refused; that of a key was dropped.
    if (
      old === undefined &&
      place?.step.kind === 'item' &&
      before.type !== '' &&
      !before.nullable
    ) {
      walk.add({ place, proof: 'safe', reason: `${reason}, for a null that was not stored` });
      return false;
    }
    if (accepts(after, filled(after, now))) walk.add({ place, proof: 'behavior', reason });
    else
      walk.add({
        place,
        proof: 'open',
        isOfAbsence: true,
        reason: `${reason}, and the schema refuses it`,
        change: { at: place, exchange: keywords('default') },
        candidates: () => [absent],
      });
  }
  return pair.isGiven !== true;
}

/** Whether an API server gives the field to every object. */
function isInEveryObject(place: Place | undefined): boolean {
  const { parent, step } = place ?? {};
  return step?.kind === 'property' && parent === undefined && ofResources.has(step.name);
}

const ofResources: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

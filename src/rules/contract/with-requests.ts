/** The same with requests that show each finding: looking for objects brings the proof along. */
import { sampleObject } from '../../proof/sample-object.js';
import { below, type Place } from '../../proof/pin.js';
import type { ChangedField } from '../../crd/difference.js';
import { locationOf } from '../../crd/place.js';
import { isObject, type JsonValue } from '../../text/documents/index.js';
import { judgeContract, type ContractJudgement } from './judge.js';
import type { Sample } from './rule.js';

/** For so many fields of one definition. */
const maxSamples = 100;

/** @throws InvalidInputError `E_INPUT` when one of them is no v1 CustomResourceDefinition */
export function judgeContractWithRequests(old: JsonValue, next: JsonValue): ContractJudgement {
  let left = maxSamples;
  const sample: Sample = (version, within) => {
    if (left-- <= 0 || !isObject(old)) return undefined;
    const place = within === undefined ? undefined : placeOfField(within.field);
    return place === null ? undefined : sampleObject(old, version, place, within?.pin);
  };
  return judgeContract(old, next, sample);
}

/** Null for a schema that is no field's own: one under a logical operator. */
function placeOfField({ spot }: ChangedField): Place | undefined | null {
  const { keys } = locationOf({ side: 'new', version: 0, spot });
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

/** The same with requests that show each finding: looking for objects brings the proof along. */
import { sampleObject } from '../../proof/sample-object.js';
import type { Keys } from '../../crd/schema-keys.js';
import type { ChangedField } from '../../crd/difference.js';
import { locationOf } from '../../crd/place.js';
import { isObject, type JsonValue } from '../../text/documents/index.js';
import { judgeContract, type ContractJudgement } from './judge.js';
import { placeOfKeys } from './place-of-keys.js';
import type { Sample } from './rule.js';

/** For so many fields of one definition. */
const maxSamples = 100;

/** @throws InvalidInputError `E_INPUT` when one of them is no v1 CustomResourceDefinition */
export function judgeContractWithRequests(old: JsonValue, next: JsonValue): ContractJudgement {
  let left = maxSamples;
  const sample: Sample = (version, within) => {
    if (left-- <= 0 || !isObject(old)) return undefined;
    const place = within === undefined ? undefined : placeOfKeys(keysOf(within.field));
    return place === null ? undefined : sampleObject(old, version, place, within?.pin);
  };
  return judgeContract(old, next, sample);
}

function keysOf({ spot }: ChangedField): Keys {
  return locationOf({ side: 'new', version: 0, spot }).keys;
}

import { Witnesses } from '../../proof/witnesses.js';
import { sampleObject } from '../../proof/values/sample-object.js';
import { locationOf } from '../../crd/place.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { judgeContract, type ContractJudgement } from './judge.js';
import { placeOfKeys } from './place-of-keys.js';
import type { Sample, FieldContext } from './rule.js';
import type { UpgradePair } from '../../pair.js';

/** For so many fields of one definition. */
const maxSamples = 100;

/** An object is looked for, and not searched for. */
const limits = { perDifference: 40, inAll: 400, atRandom: 0, values: 100_000 };

/** Where the pair's time is over, no request or witness is looked for any longer. */
export function judgeContractWithRequests(pair: UpgradePair): ContractJudgement {
  const { isOver = () => false } = pair.options;
  let left = maxSamples;
  const sampleOf = (definition: JsonObject, version: string, within?: FieldContext): Sampled => {
    if (left-- <= 0 || isOver()) return undefined;
    const place =
      within === undefined
        ? undefined
        : placeOfKeys(locationOf({ side: 'new', version: 0, spot: within.field.spot }).keys);
    if (place === null) return undefined;
    return sampleObject(definition, version, { place, pin: within?.pin, isOver });
  };
  const { old, next, known } = pair;
  const back = new Witnesses(next, old, { limits, isOver, known });
  return judgeContract(pair, {
    sample: (version, within) => sampleOf(old.document, version, within),
    shows: (version, paths, within) => {
      if (within.pin !== undefined) return sampleOf(next.document, version, within);
      for (const path of paths) {
        const witness = back.find(version, path);
        if (witness !== undefined) return witness;
      }
      return undefined;
    },
  });
}

type Sampled = ReturnType<Sample>;

/** Proofs about pairs with every keyword, attacked by objects that the proof's own search never made. */
import { expect } from 'chai';
import { isObject, type JsonObject } from '../../text/documents/index.js';
import { compileValidator } from '../../kubernetes/apiserver/validator.js';
import { Budget } from './budget.js';
import { proveDocuments } from './testing/prove-documents.js';
import type { ProofResult } from './result.js';
import { effects } from '../../rule/finding.js';
import { kindOf, Trial } from './search/trial.js';
import { Dice } from './testing/dice.js';
import { wildObject } from './testing/wild-objects.js';
import { wildPair, type WildPair } from './testing/wild-pairs.js';
import { samples } from '../../rule/testing/samples.js';

const pairs = samples(25);
const attacks = 80;
/** Of the pairs that an attack breaks; the others may stay undecided. */
const leastFound = 0.97;

interface Attacked {
  readonly seed: number;
  readonly damage: ReturnType<typeof kindOf>;
  readonly effect: ProofResult['effect'];
  readonly accepted: number;
}

function trialOf({ old, new: next, from, to }: WildPair): Trial {
  return new Trial(
    compileValidator(old, from),
    compileValidator(next, to),
    `test.example.com/${to}`,
    new Budget(Infinity),
  );
}

function resultsOf({ old, new: next, from, to }: WildPair): readonly ProofResult[] {
  return proveDocuments(old, next).results.filter(
    (result) => (result.from ?? result.version) === from && result.version === to,
  );
}

function attack(seed: number): Attacked {
  const pair = wildPair(seed);
  const trial = trialOf(pair);
  const dice = new Dice(seed ^ 0x5bd1e995);
  let damage: ReturnType<typeof kindOf>;
  for (let left = attacks; left > 0 && damage !== 'breaking'; left--) {
    damage = kindOf(trial.damage(wildObject(dice, pair.before, pair.after))) ?? damage;
  }
  const results = resultsOf(pair);
  const effect = effects.find((each) => results.some((result) => result.effect === each)) ?? 'safe';
  return { seed, damage, effect, accepted: trial.accepted };
}

describe('proofs of wild pairs', () => {
  let attacked: Attacked[] = [];
  before(() => {
    attacked = Array.from({ length: pairs }, (_, seed) => attack(seed + 1));
  });

  it('attacks with objects that the old schema accepts', () => {
    const accepted = attacked.reduce((sum, each) => sum + each.accepted, 0);
    expect(accepted).to.be.greaterThan(pairs * 10);
    expect(attacked.filter(({ damage }) => damage !== undefined).length).to.be.greaterThan(
      pairs / 4,
    );
    expect(attacked.filter(({ effect }) => effect === 'safe').length).to.be.greaterThan(pairs / 10);
  });

  it('calls nothing safe that an attack breaks', () => {
    const wrong = attacked.filter(
      ({ damage, effect }) => damage !== undefined && (effect === 'safe' || effect === 'behavior'),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('finds almost all harm that an attack finds', () => {
    const broken = attacked.filter(({ damage }) => damage !== undefined);
    const found = broken.filter(({ damage, effect }) =>
      damage === 'breaking' ? effect === 'breaking' : effect === 'breaking' || effect === damage,
    );
    expect(found.length / broken.length).to.be.at.least(leastFound);
  });

  it('shows witnesses that hold', () => {
    for (let seed = 1; seed <= samples(4); seed++) {
      const pair = wildPair(seed);
      const trial = trialOf(pair);
      for (const { effect, witness } of resultsOf(pair)) {
        if (effect !== 'breaking' && effect !== 'data-loss') continue;
        expect(isObject(witness ?? null), `pair ${seed} has a witness`).to.equal(true);
        const damage = trial.damage(witness as JsonObject);
        const shown = effect === 'breaking' ? damage.errors : damage.lost;
        expect(shown, `the witness of pair ${seed}`).not.to.deep.equal([]);
      }
    }
  });
});

/**
 * Random pairs of definitions: none that differs is passed over in silence, and what is said of
 * rollbacks and of readers holds for objects that nobody here made up for it.
 */
import { expect } from 'chai';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { crd } from '../../../checks/operations/crd.js';
import { Budget } from '../../proof/budget.js';
import { Dice } from '../../proof/testing/dice.js';
import { wildObject } from '../../proof/testing/wild-objects.js';
import { wildPair, type WildPair } from '../../proof/testing/wild-pairs.js';
import { kindOf, Trial } from '../../proof/search/trial.js';
import { samples } from '../../../rule/testing/samples.js';
import { isObject, own, sameJson, type JsonObject } from '../../../text/documents/index.js';
import { judgeContract } from './judge.js';
import { judgeRollback } from './judge-rollback.js';
import { changes, randomDefinition } from './testing/random-definitions.js';
import { UpgradePair } from '../../pair.js';

interface Said {
  readonly reason: string;
}

function resultsOf(old: JsonObject, next: JsonObject): readonly Said[] {
  const { output } = crd.judge({ old, new: next, profile: 'proof' });
  return (output as { readonly results: readonly Said[] }).results;
}

describe('random differences beside the schemas', function () {
  this.timeout(600_000);

  it('are never passed over in silence, one by one and together', () => {
    const met = new Map<string, number>();
    for (let seed = 1; seed <= samples(46); seed++) {
      const dice = new Dice(seed);
      const old = randomDefinition(dice);
      const together = structuredClone(old);
      // Each in its turn, so that none is missed, with others beside it.
      const chosen = [changes[seed % changes.length]!, ...dice.some(changes, 2 / changes.length)];
      for (const [name, change] of new Set(chosen)) {
        const next = structuredClone(old);
        change(next, dice);
        change(together, dice);
        if (sameJson(old, next)) continue;
        const said = resultsOf(old, next).map(({ reason }) => reason);
        const which = `seed ${seed}: ${name}`;
        expect(said, which).not.to.deep.equal([]);
        expect(
          said.filter((reason) => /no rule looks at/.test(reason)),
          which,
        ).to.deep.equal([]);
        met.set(name, (met.get(name) ?? 0) + 1);
      }
      if (sameJson(old, together)) continue;
      expect(resultsOf(old, together), `seed ${seed}: all`).not.to.deep.equal([]);
    }
    expect([...met.keys()].sort()).to.deep.equal(changes.map(([name]) => name).sort());
  });
});

describe('rollbacks of random pairs', function () {
  this.timeout(600_000);
  const trialOf = ({ old, new: next, from }: WildPair): Trial =>
    new Trial(
      compileValidator(next, from),
      compileValidator(old, from),
      `test.example.com/${from}`,
      new Budget(Infinity),
    );

  it('is possible where that is said, and what is shown closes it', () => {
    let [possible, attacked, shown] = [0, 0, 0];
    for (let seed = 1; seed <= samples(10); seed++) {
      const pair = wildPair(seed);
      const { old, new: next, from, to } = pair;
      if (from !== to) continue;
      const back = judgeRollback(UpgradePair.read(old, next));
      const trial = trialOf(pair);
      if (back.message === 'possible') {
        possible++;
        const dice = new Dice(seed ^ 0x5bd1e995);
        const [before, after] = [old, next].map((each) => compileValidator(each, from));
        for (let left = 40; left > 0; left--) {
          const written = wildObject(dice, pair.after, pair.before);
          const harm = trial.damage(written);
          expect(kindOf(harm), JSON.stringify({ seed, written, harm })).to.equal(undefined);
          // Written under the old definition, and touched by nobody since.
          const known = wildObject(dice, pair.before, pair.after);
          if (before?.validateCreate(known).valid !== true) continue;
          const filled = after?.pruneAndDefault(before.pruneAndDefault(known)) ?? known;
          const untouched = trial.damage(filled);
          const which = JSON.stringify({ seed, known, filled, untouched });
          expect(kindOf(untouched), which).to.equal(undefined);
        }
        attacked += trial.accepted;
      }
      if (!back.message.startsWith('possible until')) continue;
      const { witness } = back.finding;
      expect(isObject(witness), `seed ${seed}`).to.equal(true);
      if (own(witness as JsonObject, 'old') !== undefined) continue;
      shown++;
      const harm = kindOf(trial.damage(witness as JsonObject));
      expect(harm, JSON.stringify({ seed, witness })).not.to.equal(undefined);
    }
    expect(possible).to.be.greaterThan(0);
    expect(attacked).to.be.greaterThan(samples(4) - 1);
    expect(shown).to.be.greaterThan(samples(1));
  });
});

describe('readers of random pairs', function () {
  this.timeout(600_000);

  it('are told wherever an object comes that the old definition refuses', () => {
    let told = 0;
    for (let seed = 1; seed <= samples(10); seed++) {
      const pair = wildPair(seed);
      const { old, new: next, from, to } = pair;
      if (from !== to) continue;
      const [before, after] = [old, next].map((each) => compileValidator(each, from));
      const dice = new Dice(seed ^ 0x2545f491);
      const strange = Array.from({ length: 40 }, () =>
        wildObject(dice, pair.after, pair.before),
      ).find(
        (object) =>
          after?.validateCreate(object).valid === true &&
          before?.validateCreate(object).valid === false,
      );
      if (strange === undefined) continue;
      told++;
      const { findings } = judgeContract(UpgradePair.read(old, next));
      const ofReaders = findings.filter(({ audience }) => audience === 'readers');
      expect(ofReaders, JSON.stringify({ seed, strange })).not.to.deep.equal([]);
    }
    expect(told).to.be.greaterThan(0);
  });
});

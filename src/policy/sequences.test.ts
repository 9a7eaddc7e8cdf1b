/**
 * No chain of allowed updates brings objects that are stored, and never written in between, to where one
 * update may not. The validator that is compared with API servers judges what becomes of them.
 */
import { expect } from 'chai';
import { samples } from '../rule/testing/samples.js';
import type { JsonObject } from '../text/documents/index.js';
import { compileValidator } from '../kubernetes/index.js';
import { definition, object } from '../upgrade/rules/crd/testing/definition.js';
import { Budget } from '../upgrade/proof/budget.js';
import { harmless, Trial } from '../upgrade/proof/search/trial.js';
import { Dice } from '../upgrade/proof/testing/dice.js';
import { wildObject } from '../upgrade/proof/testing/wild-objects.js';
import {
  changedSchema,
  chainFields as fields,
  fieldNames,
  isUpdateAllowed,
  open,
} from './testing/chains.js';

const text = { type: 'string' };

const whole = (spec: JsonObject): JsonObject => object({ spec });
const crd = (spec: JsonObject): JsonObject =>
  definition({ stored: ['v1'], versions: [{ schema: whole(spec) }] });

const isAllowed = (old: JsonObject, next: JsonObject): boolean =>
  isUpdateAllowed(crd(old), crd(next));

function isHarmed(old: JsonObject, next: JsonObject, stored: JsonObject): boolean {
  const [before, after] = [old, next].map((spec) => compileValidator(crd(spec), 'v1')) as [
    ReturnType<typeof compileValidator>,
    ReturnType<typeof compileValidator>,
  ];
  const trial = new Trial(before, after, 'test.example.com/v1', new Budget(Infinity));
  return trial.damage(stored) !== harmless;
}

const resource = (spec: JsonObject): JsonObject => ({
  ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
  metadata: { name: 'example', namespace: 'default' },
  spec,
});

describe('chains of updates', () => {
  it('the way through unknown fields to a narrower property is denied at its last step', () => {
    const first = object({ a: text, b: object({ d: text }) });
    const kept = object({ a: text, b: object({ d: text }) }, { [open]: true });
    const dropped = object({ a: text }, { [open]: true });
    const narrower = object({ a: text, b: object({}) }, { [open]: true });
    expect(isAllowed(first, kept)).to.equal(true);
    expect(isAllowed(kept, dropped)).to.equal(true);
    expect(isAllowed(dropped, narrower)).to.equal(false);
    expect(isHarmed(first, narrower, resource({ b: { d: 'x' } }))).to.equal(true);
  });

  it('of up to four steps, each allowed, harm no object that was stored before the first', function () {
    // Half a minute of a free core, and many of a busy one.
    this.timeout(900_000);
    let [steps, accepted, longest] = [0, 0, 0];
    for (let seed = 1; seed <= samples(150); seed++) {
      const dice = new Dice(seed);
      const first = object(
        Object.fromEntries(fieldNames.slice(0, 2).map((name) => [name, dice.pick(fields)])),
      );
      const chain = [first];
      for (let tries = 0; tries < 12 && chain.length < 5; tries++) {
        const last = chain.at(-1) as JsonObject;
        const next = changedSchema(dice, last);
        if (JSON.stringify(next) === JSON.stringify(last) || !isAllowed(last, next)) continue;
        chain.push(next);
        steps++;
        longest = Math.max(longest, chain.length - 1);
        for (const earlier of chain.slice(0, -2)) {
          for (let count = 0; count < 12; count++) {
            const stored = wildObject(dice, whole(earlier), whole(next));
            const isTaken = compileValidator(crd(earlier), 'v1').validateCreate(stored).valid;
            if (isTaken === true) accepted++;
            const said = JSON.stringify({ seed, chain, stored });
            expect(isHarmed(earlier, next, stored), said).to.equal(false);
          }
        }
      }
    }
    expect(steps).to.be.greaterThan(100);
    expect(accepted).to.be.greaterThan(500);
    expect(longest).to.equal(4);
  });
});

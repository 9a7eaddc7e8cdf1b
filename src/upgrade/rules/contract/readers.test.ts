/** What findings for readers show: an object that only the new definition takes. */
import { expect } from 'chai';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { wildPair } from '../../proof/testing/wild-pairs.js';
import { isObject, own, sameJson, type JsonObject } from '../../../text/documents/index.js';
import { object, withSchema } from '../crd/testing/definition.js';
import { judgeContractWithRequests } from './judge.js';
import { samples } from '../../../rule/testing/samples.js';
import { UpgradePair } from '../../pair.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const ofSpec = (spec: JsonObject): JsonObject => withSchema(object({ spec }));

/** Whether the old definition refuses the object, or keeps another one. */
function isNew(old: JsonObject, next: JsonObject, version: string, witness: JsonObject): boolean {
  const [before, after] = [old, next].map((each) => compileValidator(each, version));
  if (before === undefined || after === undefined) return false;
  if (after.validateCreate(witness).valid !== true) return false;
  if (before.validateCreate(witness).valid === false) return true;
  return !sameJson(before.pruneAndDefault(witness), after.pruneAndDefault(witness));
}

describe('a finding for readers', () => {
  const rows: [rule: string, old: JsonObject, next: JsonObject, spec: JsonObject][] = [
    [
      'EnumValueAdded',
      { f: { ...string, enum: ['a'] } },
      { f: { ...string, enum: ['a', 'b'] } },
      { f: 'b' },
    ],
    ['TypeWidened', { f: integer }, { f: { 'x-kubernetes-int-or-string': true } }, { f: 'text' }],
    ['NullAllowed', { f: string }, { f: { ...string, nullable: true } }, { f: null }],
    ['ConstraintRelaxed', { f: { ...integer, maximum: 3 } }, { f: integer }, { f: 4 }],
    [
      'ConstraintRelaxed',
      { f: { ...string, maxLength: 3 } },
      { f: { ...string, maxLength: 4 } },
      { f: 'aaaa' },
    ],
  ];
  for (const [rule, old, next, spec] of rows) {
    it(`${rule} shows ${JSON.stringify(spec)}`, () => {
      const pair = [old, next].map((fields) => ofSpec(object(fields))) as [JsonObject, JsonObject];
      const found = judgeContractWithRequests(UpgradePair.read(...pair)).findings.find(
        (each) => each.rule === rule,
      );
      expect(own(found?.witness as JsonObject, 'spec')).to.deep.equal(spec);
      expect(isNew(...pair, 'v1', found?.witness as JsonObject)).to.equal(true);
    });
  }

  it('tell the same without objects when nobody waits for them', () => {
    const pair = [['a'], ['a', 'b']].map((values) =>
      ofSpec(object({ f: { ...string, enum: values } })),
    ) as [JsonObject, JsonObject];
    const all = judgeContractWithRequests(UpgradePair.read(...pair)).findings;
    const early = judgeContractWithRequests(
      UpgradePair.read(...pair, { isOver: () => true }),
    ).findings;
    expect(all.filter(({ witness }) => witness !== undefined)).to.not.have.lengthOf(0);
    expect(early.map(({ rule, message }) => [rule, message])).to.deep.equal(
      all.map(({ rule, message }) => [rule, message]),
    );
    expect(early.filter(({ witness }) => witness !== undefined)).to.deep.equal([]);
  });

  it('ConstraintRelaxed is not said of a list whose items must differ from now on', () => {
    const list = (type: string): JsonObject =>
      ofSpec(
        object({
          f: { type: 'array', items: string, 'x-kubernetes-list-type': type },
        }),
      );
    const rulesOf = (...types: [string, string]): string[] => {
      const [old, next] = types.map(list) as [JsonObject, JsonObject];
      return judgeContractWithRequests(UpgradePair.read(old, next)).findings.map(
        ({ rule }) => rule,
      );
    };
    expect(rulesOf('atomic', 'set')).to.deep.equal(['ListTypeChanged']);
    expect(rulesOf('set', 'atomic')).to.include('ConstraintRelaxed');
  });

  it('ConstraintRelaxed says that more gets through only where an object shows it', () => {
    const messageOf = (from: JsonObject, to: JsonObject): object | undefined => {
      const [old, next] = [from, to].map((f) => ofSpec(object({ f }))) as [JsonObject, JsonObject];
      const { findings } = judgeContractWithRequests(UpgradePair.read(old, next));
      const found = findings.find(({ rule }) => rule === 'ConstraintRelaxed');
      return found && { id: found.id, ...found.data };
    };
    const bounded = (maximum: number): JsonObject => ({ ...integer, allOf: [{ maximum }] });
    const changed = { id: 'changed', keywords: ['allOf'] };
    expect(messageOf(bounded(5), bounded(3))).to.deep.equal(changed);
    const [wide, narrow] = ['^a+$', '^aa$'].map((pattern) => ({ ...string, pattern }));
    expect(messageOf(wide as JsonObject, narrow as JsonObject)).to.deep.equal({
      id: 'changed',
      keywords: ['pattern'],
    });
    const sized = (format: string): JsonObject => ({ ...integer, format });
    expect(messageOf(sized('int64'), sized('int32'))).to.equal(undefined);
    expect(messageOf(sized('int32'), sized('int64'))).to.include({ id: 'changed' });
    const ruled = (...rules: JsonObject[]): JsonObject => ({
      ...integer,
      'x-kubernetes-validations': rules,
    });
    const [low, high] = [{ rule: 'self > 1' }, { rule: 'self < 9' }];
    expect(messageOf(ruled(low, high), ruled(low))).to.include({ id: 'relaxed' });
    expect(messageOf(ruled(low), ruled(low, high)), 'a rule is added').to.equal(undefined);
    const said = { ...low, message: 'more than one' };
    expect(messageOf(ruled(low), ruled(said)), 'it says more').to.equal(undefined);
  });

  it('FieldNowOptional shows an object without the field', () => {
    const fields = object({ a: string, b: string });
    const pair = [
      ofSpec({ ...fields, required: ['a', 'b'] }),
      ofSpec({ ...fields, required: ['a'] }),
    ] as const;
    const [found] = judgeContractWithRequests(UpgradePair.read(...pair)).findings;
    expect(found?.rule).to.equal('FieldNowOptional');
    const spec = own(found?.witness as JsonObject, 'spec') as JsonObject;
    expect(Object.keys(spec)).to.deep.equal(['a']);
  });

  it('of random pairs shows nothing that the old definition takes as it is', () => {
    let [shown, told] = [0, 0];
    for (let seed = 1; seed <= samples(10); seed++) {
      const { old, new: next, from, to } = wildPair(seed);
      if (from !== to) continue;
      for (const { audience, witness, rule } of judgeContractWithRequests(
        UpgradePair.read(old, next),
      ).findings) {
        if (audience !== 'readers') continue;
        told++;
        if (!isObject(witness ?? null)) continue;
        // Rules that compare two objects show both.
        if (own(witness as JsonObject, 'old') !== undefined) continue;
        shown++;
        const said = `pair ${seed}, ${rule}: ${JSON.stringify(witness)}`;
        expect(isNew(old, next, from, witness as JsonObject), said).to.equal(true);
      }
    }
    expect(told).to.be.greaterThan(10);
    // A pattern or a rule that is another one may let nothing more through.
    expect(shown / told).to.be.greaterThan(0.4);
  });
});

/** Versions that are equal on both sides are proven once. */
import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import { judgeContractWithRequests } from '../rules/contract/judge.js';
import { UpgradePair } from '../pair.js';
import { proveDocuments } from './testing/prove-documents.js';

const text = { type: 'string' };

/** `v1`, and after it a version for each schema. */
function served(...schemas: readonly JsonObject[]): JsonObject {
  const whole = withSchema(object({}));
  const versions = schemas.map((openAPIV3Schema, index): JsonObject => {
    const name = `v${index + 1}`;
    return { name, served: true, storage: index === 0, schema: { openAPIV3Schema } };
  });
  return { ...whole, spec: { ...(whole['spec'] as JsonObject), versions } };
}

const rules = (...all: readonly string[]): JsonObject => ({
  'x-kubernetes-validations': all.map((rule) => ({ rule })),
});

/** By version, what is said of each path, and the object that shows it. */
function provenOf(old: JsonObject, next: JsonObject, values?: number): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  const { results } = proveDocuments(old, next, { values });
  for (const { version, path, effect, reason, witness, from } of results) {
    if (from !== undefined) continue;
    found.set(version, [...(found.get(version) ?? []), { path, effect, reason, witness }]);
  }
  return found;
}

const withoutVersion = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"apiVersion":"[^"]*"/g, '');

describe('equal versions of a definition', () => {
  const old = object({ spec: object({ size: text, mode: text }) });
  const next = object({ spec: object({ size: { ...text, maxLength: 3 } }) });

  it('have the same results, with objects of their own version', () => {
    const proven = provenOf(served(old, old), served(next, next));
    expect([...proven.keys()]).to.deep.equal(['v1', 'v2']);
    expect(withoutVersion(proven.get('v1'))).to.equal(withoutVersion(proven.get('v2')));
    for (const [version, results] of proven) {
      const shown = results.flatMap((each): JsonObject[] => {
        const { witness } = each as { witness?: JsonObject };
        return witness === undefined ? [] : [witness];
      });
      expect(shown).not.to.deep.equal([]);
      for (const { apiVersion } of shown)
        expect(apiVersion).to.equal(`test.example.com/${version}`);
    }
  });

  it('show both states of an object for a rule that compares them', () => {
    const ruled = object({ spec: object({ size: { ...text, ...rules('self == oldSelf') } }) });
    const proven = provenOf(served(old, old), served(ruled, ruled));
    const [{ witness }] = (proven.get('v2') ?? []).filter(
      (each) => (each as { witness?: JsonValue }).witness !== undefined,
    ) as [{ witness: { old: JsonObject; new: JsonObject } }];
    expect(witness.old['apiVersion']).to.equal('test.example.com/v2');
    expect(witness.new['apiVersion']).to.equal('test.example.com/v2');
  });

  it('have the same objects that show a finding about readers', () => {
    const [loose, strict] = [served(old, old), served(next, next)];
    const { findings } = judgeContractWithRequests(UpgradePair.read(strict, loose));
    const found = findings.filter(({ rule }) => rule === 'ConstraintRelaxed');
    expect(found.map(({ version }) => version)).to.deep.equal(['v1', 'v2']);
    const [first, second] = found.map(({ witness }) => witness as JsonObject);
    expect(first?.['apiVersion']).to.equal('test.example.com/v1');
    expect(second).to.deep.equal({ ...first, apiVersion: 'test.example.com/v2' });
  });

  it('leave their share of the budget to the versions that are compared', () => {
    const few = 1_300;
    const ofFirst = (others: number): unknown =>
      provenOf(
        served(old, ...Array<JsonObject>(others).fill(old), text),
        served(next, ...Array<JsonObject>(others).fill(next), text),
        few,
      ).get('v1');
    expect(JSON.stringify(ofFirst(0))).to.include('breaking');
    expect(ofFirst(3)).to.deep.equal(ofFirst(0));
  });

  const spec = object({ size: text });
  const asks: readonly [how: string, next: JsonObject][] = [
    ['a rule', object({ spec }, rules("self.apiVersion == 'test.example.com/v1'"))],
    [
      'a rule about the whole object',
      object({ spec }, rules("dyn(self)['api' + 'Version'] == 'x/v1'")),
    ],
    ['a list of values', object({ spec, apiVersion: { ...text, enum: ['test.example.com/v1'] } })],
    [
      'one of several schemas',
      object({ spec }, { anyOf: [object({ apiVersion: { enum: ['test.example.com/v1'] } })] }),
    ],
  ];
  for (const [how, asking] of asks) {
    it(`are not equal where ${how} asks for the version`, () => {
      const effects = (version: string): unknown[] =>
        (
          provenOf(served(object({ spec }), object({ spec })), served(asking, asking)).get(
            version,
          ) ?? []
        ).map((each) => (each as { effect: string }).effect);
      expect(effects('v2')).to.include.oneOf(['breaking', 'undecided']);
      if (how !== 'a rule about the whole object') expect(effects('v1')).not.to.include('breaking');
    });
  }
});

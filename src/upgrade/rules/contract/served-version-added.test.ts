import { expect } from 'chai';
import fc from 'fast-check';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { schemaPairs, valuesFor } from '../../proof/testing/random-pairs.js';
import { samples } from '../../../rule/testing/samples.js';
import { isObject, own, sameJson, type JsonObject } from '../../../text/documents/index.js';
import { exampleOfSpec } from '../crd/example-definition.js';
import { judgeContract } from './judge.js';
import { servedVersionAdded as rule } from './table.js';
import { UpgradePair } from '../../pair.js';

type Versions = Readonly<Record<string, JsonObject>>;

/** Versions by their schemas of `spec`, all served; the first one is stored. */
function definitionOf(schemas: Versions): JsonObject {
  const names = Object.keys(schemas);
  const whole = exampleOfSpec({ type: 'object' });
  const spec = own(whole, 'spec') as JsonObject;
  const versions = names.map((name, index) => ({
    ...{ name, served: true, storage: index === 0 },
    schema: {
      openAPIV3Schema: { type: 'object', properties: { spec: schemas[name] ?? {} } },
    },
  }));
  return { ...whole, spec: { ...spec, versions }, status: { storedVersions: names.slice(0, 1) } };
}

const messages = (old: JsonObject, next: JsonObject): readonly string[] =>
  judgeContract(UpgradePair.read(old, next))
    .findings.filter((finding) => finding.rule === rule.id)
    .map(({ message }) => message);

const added = (stored: JsonObject, served: JsonObject): readonly string[] =>
  messages(definitionOf({ v1: stored }), definitionOf({ v1: stored, v2: served }));

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'object', properties },
  ...more,
});
const [integer, text] = [{ type: 'integer' }, { type: 'string' }];

describe('rule ServedVersionAdded', () => {
  it('names what the new version drops, what it may refuse, and what is not stored', () => {
    const stored = object({ size: integer, color: text });
    const served = object(
      { size: { type: 'integer', maximum: 5 }, shape: text },
      { required: ['size'] },
    );
    expect(added(stored, served)).to.deep.equal([
      'version "v2" is served from now on, without holding all that is stored as "v1": it drops ^.spec.color, and may refuse ^.spec (required), ^.spec.size (maximum)',
      'version "v2" is served from now on, and "v1", which is stored, does not have ^.spec.shape: what is written there is lost',
    ]);
  });

  it('does not blame a description for what may be refused', () => {
    const stored = object({ size: { ...integer, description: 'old' } });
    const served = object({ size: { ...integer, description: 'new', maximum: 5 } });
    expect(added(stored, served).join()).to.match(/it may refuse \^\.spec\.size \(maximum\)$/);
  });

  it('takes what the new version fills by a default for there', () => {
    const stored = object({ size: integer });
    const filled = object(
      { size: integer, mode: { ...text, default: 'a' } },
      { required: ['mode'] },
    );
    expect(added(stored, filled).join()).to.not.include('may refuse');
    const open = object({ size: integer, mode: text }, { required: ['mode'] });
    expect(added(stored, open)[0]).to.include('may refuse ^.spec (required)');
  });

  it('counts the fields that it does not name', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_each, at) => [`field${at}`, text]));
    expect(added(object(many), object({}))[0]).to.match(/\^\.spec\.field4 and 4 more$/);
  });

  it('says of a version that a webhook converts only what the converter has to carry', () => {
    const converted = (schemas: Versions): JsonObject => {
      const made = definitionOf(schemas);
      const spec = { ...(own(made, 'spec') as JsonObject), conversion: { strategy: 'Webhook' } };
      return { ...made, spec };
    };
    const [wide, narrow] = [object({ a: text }), object({})];
    expect(messages(definitionOf({ v1: wide }), converted({ v1: wide, v2: narrow }))).to.deep.equal(
      [
        'version "v2" is served from now on, without ^.spec.a, which is stored as "v1": the conversion webhook has to carry it, and was not asked',
      ],
    );
    expect(messages(definitionOf({ v1: wide }), converted({ v1: wide, v2: wide }))).to.deep.equal(
      [],
    );
  });

  it('tells once what several new versions lack of several stored ones', () => {
    const [wide, narrow] = [object({ a: text }), object({})];
    const old = {
      ...definitionOf({ v1: wide, v2: wide }),
      status: { storedVersions: ['v1', 'v2'] },
    };
    expect(
      messages(old, definitionOf({ v1: wide, v2: wide, v3: narrow, v4: narrow })),
    ).to.deep.equal([
      'versions "v3" and "v4" are served from now on, without holding all that is stored as "v1" and "v2": it drops ^.spec.a',
    ]);
  });

  it('says nothing of a version that holds the same, or was served before', () => {
    const [wide, narrow] = [object({ a: text }), object({})];
    expect(added(wide, wide)).to.deep.equal([]);
    const both = definitionOf({ v1: wide, v2: narrow });
    expect(messages(both, both)).to.deep.equal([]);
  });

  it('tells of a version that was there and is served from now on', () => {
    const [wide, narrow] = [object({ a: text }), object({})];
    const both = definitionOf({ v1: wide, v2: narrow });
    const before = structuredClone(both) as unknown as {
      spec: { versions: { served: boolean }[] };
    };
    for (const version of before.spec.versions.slice(1)) version.served = false;
    expect(messages(before, both)).to.have.length(1);
  });

  it('where it is silent, random objects of the stored version pass the new one with all they have', () => {
    let [silent, passed, told] = [0, 0, 0];
    fc.assert(
      fc.property(schemaPairs, ({ old, new: next }) => {
        if (added(old, next).length > 0) {
          told++;
          return;
        }
        silent++;
        const definition = definitionOf({ v1: old, v2: next });
        const [stored, served] = ['v1', 'v2'].map((name) => compileValidator(definition, name));
        for (const spec of fc.sample(valuesFor(old), { numRuns: 30, seed: 5 })) {
          const written = { kind: 'Widget', metadata: { name: 'a', namespace: 'b' }, spec };
          const made = stored?.create({ ...written, apiVersion: 'example.com/v1' });
          if (made?.result.valid !== true || made.prepared === undefined) continue;
          const read: JsonObject = { ...made.prepared.stored, apiVersion: 'example.com/v2' };
          expect(served?.validateCreate(read).valid, JSON.stringify({ old, next, spec })).to.equal(
            true,
          );
          const kept = served?.pruneAndDefault(read) ?? {};
          const lost = Object.entries(
            isObject(read['spec'] ?? null) ? (read['spec'] as JsonObject) : {},
          );
          for (const [key, value] of lost) {
            expect(sameJson(own(own(kept, 'spec') as JsonObject, key) ?? null, value)).to.equal(
              true,
            );
          }
          passed++;
        }
      }),
      { numRuns: samples(40), seed: 3 },
    );
    expect(told).to.be.greaterThan(samples(12));
    expect(silent).to.be.greaterThan(0);
    expect(passed).to.be.greaterThan(samples(6));
  });
});

/** What one version stores and another one begins to read. */
import { expect } from 'chai';
import { compileValidator, type ObjectValidator } from '../../kubernetes/apiserver/validator.js';
import { definition, object } from '../rules/crd/testing/definition.js';
import { samples } from '../../rule/testing/samples.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { proveDocuments } from './testing/prove-documents.js';
import type { ProofJudgement, ProofResult } from './result.js';
import { Dice } from './testing/dice.js';
import { wildObject } from './testing/wild-objects.js';
import { wildPair } from './testing/wild-pairs.js';

const string = { type: 'string' };
const integer = { type: 'integer' };

interface Schemas {
  /** spec of v1, which is stored, on both sides. */
  readonly written: JsonObject;
  /** spec of v2 before and after. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

const whole = (spec: JsonObject): JsonObject => object({ spec });

function prove({ written, before, after }: Schemas, strategy?: string): ProofJudgement {
  const side = (read: JsonObject): JsonObject =>
    definition({
      ...(strategy === undefined ? {} : { strategy }),
      stored: ['v1'],
      versions: [
        { name: 'v1', schema: whole(written) },
        { name: 'v2', storage: false, schema: whole(read) },
      ],
    });
  return proveDocuments(side(before), side(after));
}

/**
 * Whether an object that v1 takes, and of which v2 has shown what it kept, is refused by v2 now;
 * undefined for one of which neither is so.
 */
function harmBy({ written, before, after }: Schemas): (made: JsonObject) => boolean | undefined {
  const validator = (name: string, schema: JsonObject): ObjectValidator =>
    compileValidator(definition({ versions: [{ name, schema: whole(schema) }] }), name);
  const writer = validator('v1', written);
  const [reader, now] = [validator('v2', before), validator('v2', after)];
  return (made) => {
    const { result, prepared } = writer.create({ ...made, apiVersion: 'test.example.com/v1' });
    if (result.valid !== true || prepared === undefined) return undefined;
    const read = { ...prepared.stored, apiVersion: 'test.example.com/v2' };
    if (reader.validateCreate(read).valid !== true) return undefined;
    return now.validateCreate(read).valid === false;
  };
}

describe('a version that is served from now on', () => {
  const v1 = { name: 'v1', schema: whole(object({ a: string, b: string })) };
  const added = (spec: JsonObject, more: JsonObject = {}, strategy?: string): ProofResult[] => {
    const old = definition({ stored: ['v1'], versions: [v1] });
    const v2 = { name: 'v2', storage: false, schema: whole(spec), ...more };
    const next = definition({
      ...(strategy === undefined ? {} : { strategy }),
      stored: ['v1'],
      versions: [v1, v2],
    });
    return [...proveDocuments(old, next).results];
  };
  const brief = (results: readonly ProofResult[]): (string | undefined)[][] =>
    results.map(({ version, from, path, effect }) => [version, from, path, effect]);

  it('loses what it does not declare, when an object is written through it', () => {
    const results = added(object({ a: string }));
    expect(brief(results)).to.deep.equal([['v2', 'v1', '^.spec.b', 'data-loss']]);
    expect(results[0]?.reason).to.match(/^a write through v2, which is served from now on; /);
  });

  it('refuses what it does not take', () =>
    expect(brief(added(object({ a: string, b: { type: 'string', maxLength: 3 } })))).to.deep.equal([
      ['v2', 'v1', '^.spec.b', 'breaking'],
    ]));

  it('harms nothing where it is not served, takes all, or a webhook converts', () => {
    expect(added(object({ a: string }), { served: false })).to.deep.equal([]);
    expect(added(object({ a: string, b: string, c: string }))).to.deep.equal([]);
    expect(brief(added(object({ a: string }), {}, 'Webhook'))).not.to.deep.include([
      ...['v2', 'v1', '^.spec.b', 'data-loss'],
    ]);
  });
});

const of = (results: readonly ProofResult[]): ProofResult[] =>
  results.filter(({ effect }) => effect !== 'safe' && effect !== 'behavior');

const rule = (text: string): JsonObject => ({ 'x-kubernetes-validations': [{ rule: text }] });
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const map = (values: JsonObject): JsonObject => ({ type: 'object', additionalProperties: values });
const unknown = (properties: JsonObject): JsonObject =>
  object(properties, { 'x-kubernetes-preserve-unknown-fields': true });
const a = { a: string };

describe('what one version has stored and another one begins to read', () => {
  const broken: [title: string, schemas: Schemas, path: string][] = [
    [
      'a field of another type',
      { written: object({ f: string }), before: object(a), after: object({ ...a, f: integer }) },
      '^.spec.f',
    ],
    [
      'a field with a narrower bound',
      {
        written: object({ f: { ...integer, maximum: 9 } }),
        before: object({}),
        after: object({ f: { ...integer, maximum: 5 } }),
      },
      '^.spec.f',
    ],
    [
      'a field in a field',
      {
        written: object({ o: object({ f: string }) }),
        before: object({ o: object(a) }),
        after: object({ o: object({ ...a, f: integer }) }),
      },
      '^.spec.o.f',
    ],
    [
      'a field of items',
      {
        written: object({ l: list(object({ f: string })) }),
        before: object({ l: list(object(a)) }),
        after: object({ l: list(object({ ...a, f: integer })) }),
      },
      '^.spec.l[*].f',
    ],
    [
      'a field inside one that comes to light',
      {
        written: object({ o: object({ f: string }) }),
        before: object({}),
        after: object({ o: object({ f: integer }) }),
      },
      '^.spec.o.f',
    ],
    [
      'a field that must be there inside one that comes to light',
      {
        written: object({ o: object({ f: string, g: string }) }),
        before: object({}),
        after: object({ o: object({ f: string, g: string }, { required: ['g'] }) }),
      },
      '^.spec.o.g',
    ],
    [
      'keys of a map',
      { written: map(string), before: object({}), after: map(integer) },
      '^.spec[*]',
    ],
    [
      'a field that was an unknown one',
      { written: unknown({}), before: object(a), after: object({ ...a, f: integer }) },
      '^.spec.f',
    ],
    [
      'the number of fields',
      {
        written: object({ a: string, f: string }),
        before: object(a, { maxProperties: 1 }),
        after: object({ ...a, f: string }, { maxProperties: 1 }),
      },
      '^.spec',
    ],
    [
      'a rule about a field that comes to light',
      {
        written: object({ f: string }),
        before: object(a),
        after: object({ ...a, f: string }, rule("!has(self.f) || self.f != 'a'")),
      },
      '^.spec',
    ],
    [
      'branches that ask for a field',
      {
        written: object({ a: string, f: string }),
        before: object(a, { oneOf: [{ required: ['a'] }, { required: ['f'] }] }),
        after: object({ ...a, f: string }, { oneOf: [{ required: ['a'] }, { required: ['f'] }] }),
      },
      '^.spec',
    ],
  ];
  for (const [title, schemas, path] of broken) {
    it(`breaks: ${title}`, () => {
      const { effect, results, failedWitnesses } = prove(schemas);
      const told = of(results);
      expect(effect, JSON.stringify(told)).to.equal('breaking');
      expect(failedWitnesses).to.equal(0);
      const [first] = told;
      expect(first).to.include({ version: 'v2', from: 'v1', path });
      expect(first?.reason).to.include('v2 has pruned so far what v1 has stored there');
      const witness = first?.witness ?? null;
      expect(isObject(witness) && harmBy(schemas)(witness), JSON.stringify(witness)).to.equal(true);
    });
  }

  const harmless: [title: string, schemas: Schemas][] = [
    [
      'a field that both have alike',
      { written: object({ f: string }), before: object(a), after: object({ ...a, f: string }) },
    ],
    [
      'a wider field',
      {
        written: object({ f: integer }),
        before: object(a),
        after: object({ f: { type: 'number' }, ...a }),
      },
    ],
    [
      'a field that v1 does not have',
      { written: object(a), before: object(a), after: object({ ...a, f: integer }) },
    ],
    [
      'a field of which less is kept',
      {
        written: object({ o: object({ f: string, g: string }) }),
        before: object({}),
        after: object({ o: object({ f: string }) }),
      },
    ],
    [
      'another type that v2 had before',
      {
        written: object({ f: string }),
        before: object({ f: integer }),
        after: object({ ...a, f: integer }),
      },
    ],
    [
      'rules about other fields',
      {
        written: object({ a: string, extra: string }),
        before: object(a, rule("!has(self.a) || self.a != 'x'")),
        after: object({ ...a, extra: string }, rule("!has(self.a) || self.a != 'x'")),
      },
    ],
  ];
  for (const [title, schemas] of harmless) {
    it(`is safe: ${title}`, () => {
      const { effect, results } = prove(schemas);
      expect(effect, JSON.stringify(of(results))).to.equal('safe');
    });
  }

  it('is left to a webhook that converts', () => {
    const [[, schemas] = []] = broken;
    expect(schemas && prove(schemas, 'Webhook').effect).to.equal('safe');
  });

  const bySchemas = (v1: JsonObject, v2: JsonObject, strategy?: string): JsonObject =>
    definition({
      ...(strategy === undefined ? {} : { strategy }),
      stored: ['v1'],
      versions: [
        { name: 'v1', schema: whole(v1) },
        { name: 'v2', storage: false, schema: whole(v2) },
      ],
    });
  const ab = { a: string, b: string };
  const xy = { x: string, y: string };
  const defaulted: [title: string, v1: JsonObject, next: JsonObject, v2: JsonObject][] = [
    [
      'branches',
      object(ab),
      object({ ...ab, b: { ...string, default: 'z' } }),
      object(ab, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ],
    [
      'a new field above the maximum',
      object(a),
      object({ ...a, b: { ...integer, default: 9 } }),
      object({ ...a, b: { ...integer, maximum: 3 } }),
    ],
    [
      'a string that is too long instead of one that is not',
      object({ x: { ...string, default: 'a' } }),
      object({ x: { ...string, default: 'toolong' } }),
      object({ x: { ...string, maxLength: 3 } }),
    ],
    [
      'a value that is not listed',
      object({ x: string }),
      object({ x: { ...string, default: 'b' } }),
      object({ x: { ...string, enum: ['a'] } }),
    ],
    [
      'the number of fields',
      object({ x: string }),
      object({ x: string, y: { ...string, default: 'q' } }),
      object(xy, { maxProperties: 1 }),
    ],
    [
      'a rule',
      object(xy),
      object({ x: string, y: { ...string, default: 'q' } }),
      object(xy, rule('!(has(self.x) && has(self.y))')),
    ],
    ['a type', object({}), object({ x: { ...string, default: 'q' } }), object({ x: integer })],
    [
      'a field inside another one',
      object({ o: object(a) }),
      object({ o: object({ ...a, b: { ...integer, default: 9 } }) }),
      object({ o: object({ ...a, b: { ...integer, maximum: 3 } }) }),
    ],
    [
      'a field of items',
      object({ l: list(object(a)) }),
      object({ l: list(object({ ...a, b: { ...integer, default: 9 } })) }),
      object({ l: list(object({ ...a, b: { ...integer, maximum: 3 } })) }),
    ],
  ];
  for (const [title, v1, next, v2] of defaulted) {
    it(`breaks by a default of the stored version: ${title}`, () => {
      const old = bySchemas(v1, v2);
      const now = bySchemas(next, v2);
      const told = of(proveDocuments(old, now).results);
      const [first] = told.filter(({ effect }) => effect === 'breaking');
      expect(first, JSON.stringify(told)).to.include({ version: 'v2', from: 'v1' });
      const as = (made: JsonObject, name: string): JsonObject => ({
        ...made,
        apiVersion: `test.example.com/${name}`,
      });
      // Written through v2, stored as v1, taken from storage as v1, and written through v2 again.
      const written = compileValidator(old, 'v2').create(first?.witness ?? null);
      expect(written.result.valid).to.equal(true);
      const kept = compileValidator(old, 'v1').prune(as(written.prepared?.stored ?? {}, 'v1'));
      const read = compileValidator(now, 'v1').pruneAndDefault(kept);
      expect(compileValidator(now, 'v2').validateCreate(as(read, 'v2')).valid).to.equal(false);
    });
  }

  it('is not broken by defaults of the stored version that the reader takes, or does not keep', () => {
    const [v1, next] = [object(a), object({ ...a, b: { ...integer, default: 9 } })];
    for (const v2 of [object({ ...a, b: integer }), object(a, { maxProperties: 1 })]) {
      const told = of(proveDocuments(bySchemas(v1, v2), bySchemas(next, v2)).results);
      expect(told, JSON.stringify(told)).to.deep.equal([]);
    }
  });

  it('is undecided where a webhook begins or ceases to convert between schemas that differ', () => {
    const side = (read: JsonObject, strategy: string): JsonObject =>
      bySchemas(object({ x: string }), object({ x: read }), strategy);
    for (const [from, to] of [
      ['Webhook', 'None'],
      ['None', 'Webhook'],
    ] as const) {
      const told = of(proveDocuments(side(integer, from), side(integer, to)).results);
      expect(told.map(({ effect }) => effect)).to.deep.equal(['undecided']);
      expect(told[0]?.reason).to.include('webhook');
      expect(of(proveDocuments(side(string, from), side(string, to)).results)).to.deep.equal([]);
    }
    expect(proveDocuments(side(integer, 'None'), side(integer, 'None')).results).to.deep.equal([]);
  });

  it('is asked of every version that writes, by what the stored one keeps', () => {
    const side = (v1: JsonObject, v3: JsonObject): JsonObject =>
      definition({
        stored: ['v2'],
        versions: [
          { name: 'v1', storage: false, schema: whole(v1) },
          { name: 'v2', schema: whole(object({ f: string })) },
          { name: 'v3', storage: false, schema: whole(v3) },
        ],
      });
    // v1 is wider than v2, which stores what v1 has taken.
    const both = { 'x-kubernetes-int-or-string': true };
    const told = of(
      proveDocuments(
        side(object({ f: both }), object({})),
        side(object({ f: both }), object({ f: string })),
      ).results,
    );
    expect(told).to.have.length(1);
    expect(told[0]).to.include({ effect: 'breaking', version: 'v3', from: 'v1', path: '^.spec.f' });
    // v2 does not keep what v1 has taken under another name.
    const more = object({ f: both, g: string });
    const { effect } = proveDocuments(side(more, object({})), side(more, object({ g: integer })));
    expect(effect).to.equal('safe');
  });

  it('is bounded where hundreds of versions make millions of ways', () => {
    const names = Array.from({ length: 120 }, (_, index) => `v${index + 1}`);
    const side = (isNew: boolean): JsonObject =>
      definition({
        stored: names,
        versions: names.map((name, index) => ({
          ...{ name, storage: index === 0 },
          schema: whole(object({ [name]: string, ...(isNew ? { added: string } : {}) })),
        })),
      });
    const told = of(proveDocuments(side(false), side(true)).results);
    expect(told.some(({ reason }) => reason.startsWith('too many versions to follow'))).to.equal(
      true,
    );
  });

  it('is looked at in random schemas, and nothing is called safe that an object breaks', () => {
    const counts = { harmed: 0, safe: 0, accepted: 0 };
    for (let seed = 1; seed <= samples(8); seed++) {
      const dice = new Dice(seed);
      const pair = wildPair(seed);
      const [written, after] = [pair.before, pair.after].map(
        (each) => (own(each, 'properties') as JsonObject)['spec'] as JsonObject,
      ) as [JsonObject, JsonObject];
      const schemas = { written, after, before: withoutSome(dice, after) };
      const { effect } = prove(schemas);
      const harm = harmBy(schemas);
      let harmed: JsonObject | undefined;
      for (let left = 80; left > 0 && harmed === undefined; left--) {
        const made = wildObject(dice, pair.before, pair.after);
        const isBroken = harm(made);
        if (isBroken !== undefined) counts.accepted++;
        if (isBroken === true) harmed = made;
      }
      if (harmed !== undefined) counts.harmed++;
      if (effect === 'safe' || effect === 'behavior') {
        counts.safe++;
        expect(harmed, `seed ${seed}: ${JSON.stringify(schemas)}`).to.equal(undefined);
      }
    }
    expect(counts.harmed).to.be.greaterThan(0);
    expect(counts.safe).to.be.greaterThan(0);
    expect(counts.accepted).to.be.greaterThan(samples(8) * 5);
  });
});

/** The schema before some of its fields were declared, and what speaks of fields with them. */
function withoutSome(dice: Dice, schema: JsonObject): JsonObject {
  const fields = Object.entries((own(schema, 'properties') ?? {}) as JsonObject);
  const kept = fields
    .filter(() => dice.chance(0.6))
    .map(([name, field]): [string, JsonValue] => [
      name,
      isObject(field) && own(field, 'type') === 'object' ? withoutSome(dice, field) : field,
    ]);
  if (own(schema, 'properties') === undefined) return schema;
  const silent = [
    ...['allOf', 'anyOf', 'oneOf', 'not', 'x-kubernetes-validations'],
    ...['default', 'enum', 'required'],
  ];
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([key]) => !silent.includes(key))),
    properties: Object.fromEntries(kept),
  };
}

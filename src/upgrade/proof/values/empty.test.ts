/** Differences at places where no object has a value, each beside one where some object has. */
import { expect } from 'chai';
import { exampleOfSpec } from '../../rules/crd/example-definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { proveDocuments } from '../testing/prove-documents.js';

const string = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

/** Of the field `f`, whose text may be as long as it likes before. */
const longer = (around: (text: JsonObject) => JsonObject): [JsonObject, JsonObject] => [
  around(string),
  around({ type: 'string', maxLength: 3 }),
];

const bothNamed = (required: string[]): JsonObject => ({
  required,
  oneOf: [{ required: ['f'] }, { required: ['g'] }],
});

const rows: [name: string, pair: [JsonObject, JsonObject], isEmpty: boolean][] = [
  [
    'alternatives that always hold together',
    longer((f) => object({ in: object({ f, g: string }, bothNamed(['f', 'g'])) })),
    true,
  ],
  [
    'alternatives of which one holds',
    longer((f) => object({ in: object({ f, g: string }, bothNamed(['f'])) })),
    false,
  ],
  [
    'a field set by default that is forbidden',
    longer((f) =>
      object({
        in: object({ f, g: { type: 'string', default: 'a' } }, { not: { required: ['g'] } }),
      }),
    ),
    true,
  ],
  [
    'a field that is forbidden',
    longer((f) => object({ in: object({ f, g: string }, { not: { required: ['g'] } }) })),
    false,
  ],
  [
    'a required field that can hold nothing',
    longer((f) =>
      object({
        in: object({ f, g: { type: 'string', pattern: '^$', minLength: 1 } }, { required: ['g'] }),
      }),
    ),
    true,
  ],
  [
    'an optional field that can hold nothing',
    longer((f) =>
      object({ in: object({ f, g: { type: 'string', pattern: '^$', minLength: 1 } }) }),
    ),
    false,
  ],
  [
    'a required field that can hold null alone',
    longer((f) =>
      object({
        in: object(
          { f, g: { type: 'string', pattern: '^$', minLength: 1, nullable: true } },
          { required: ['g'] },
        ),
      }),
    ),
    false,
  ],
  [
    'a list that has an item, and no item that it takes',
    [
      object({
        l: { type: 'array', minItems: 1, items: { type: 'string', enum: ['a'], minLength: 2 } },
      }),
      object({}),
    ],
    true,
  ],
  [
    'a list that may be empty of items that it does not take',
    [
      object({ l: { type: 'array', items: { type: 'string', enum: ['a'], minLength: 2 } } }),
      object({}),
    ],
    false,
  ],
];

describe('places where no object has a value', () => {
  for (const [name, [old, next], isEmpty] of rows) {
    it(`${name}: ${isEmpty ? 'safe' : 'harm'}`, () => {
      const { effect, results } = proveDocuments(exampleOfSpec(old), exampleOfSpec(next));
      if (isEmpty) {
        expect(effect).to.equal('safe');
        expect(results[0]?.reason).to.match(/; no object that the old schema accepts has a value/);
      } else expect(effect).to.be.oneOf(['breaking', 'data-loss']);
    });
  }

  it('knows the only value that kind and apiVersion have', () => {
    const withKind = (kind: JsonObject): JsonObject => {
      const definition = exampleOfSpec(object({})) as { spec: { versions: JsonObject[] } };
      const [version] = structuredClone(definition.spec.versions);
      const schema = version?.['schema'] as { openAPIV3Schema: { properties: JsonObject } };
      schema.openAPIV3Schema.properties['kind'] = kind;
      return { ...definition, spec: { ...definition.spec, versions: [version ?? {}] } };
    };
    const effectOf = (kind: JsonObject): string =>
      proveDocuments(withKind(string), withKind({ ...string, ...kind })).effect;
    expect(effectOf({ maxLength: 63 })).to.equal('safe');
    expect(effectOf({ not: { enum: ['Nobody'] } })).to.equal('safe');
    expect(effectOf({ maxLength: 1 })).to.equal('breaking');
  });

  it('takes no text for empty whose format lets lists pass', () => {
    const [old, next] = ['date-time', ''].map((format) =>
      exampleOfSpec(object({ f: { ...string, pattern: '^[^\\s\\S]$', format } })),
    ) as [JsonObject, JsonObject];
    expect(proveDocuments(old, next).effect).to.not.equal('safe');
  });

  it('sets the default of an item for a null alone, which was refused', () => {
    const list = (items: JsonObject): JsonObject =>
      exampleOfSpec(object({ l: { type: 'array', items } }));
    const refused = { ...string, maxLength: 1, default: 'ab' };
    const effectOf = (old: JsonObject): string =>
      proveDocuments(list({ ...old, maxLength: 1 }), list(refused)).effect;
    expect(effectOf(string)).to.equal('safe');
    expect(effectOf({ ...string, nullable: true })).to.equal('breaking');
  });

  it('sets the default of a key for a null that was dropped', () => {
    const map = (values: JsonObject): JsonObject =>
      exampleOfSpec(object({ m: { type: 'object', additionalProperties: values } }));
    const short = { ...string, maxLength: 2 };
    expect(proveDocuments(map(short), map({ ...short, default: 'ab' })).effect).to.equal(
      'behavior',
    );
    const refused = proveDocuments(map(short), map({ ...short, default: 'abc' })).effect;
    expect(refused).to.not.equal('safe');
  });
});

import { expect } from 'chai';
import { exampleDefinition } from '../../upgrade/rules/crd/example-definition.js';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { judgeDefinition } from './testing/judge-definition.js';
import { knownMinors } from './minors.js';

describe('JudgedSchemas', () => {
  it('names the place of each version where two hold the very same object', () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type: 'text' } } } };
    const definition = exampleDefinition({});
    (definition['spec'] as JsonObject)['versions'] = [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
      { name: 'v3', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
    ];
    const refusals = judgeDefinition(definition, undefined, knownMinors);
    expect(refusals.map(({ field }) => field)).to.deep.equal([
      'spec.versions[0].schema.openAPIV3Schema.properties[a].type',
      'spec.versions[1].schema.openAPIV3Schema.properties[a].type',
    ]);
  });

  it('finds no type for items of what is a map of anything, below a rule', () => {
    const rules = { 'x-kubernetes-validations': [{ rule: 'true' }] };
    const field = 'spec.validation.openAPIV3Schema.properties[spec].items.x-kubernetes-validations';
    const refusing = (additionalProperties: JsonValue): string[] => {
      const items = { type: 'boolean', ...rules };
      const spec = { type: 'object', additionalProperties, items };
      const whole = exampleDefinition({ type: 'object', ...rules, properties: { spec } });
      return judgeDefinition(whole, undefined, ['1.35']).map(
        (each) => `${each.type} ${each.field}`,
      );
    };
    expect(refusing(true)).to.deep.equal([`InternalError ${field}`]);
    expect(refusing(false)).to.deep.equal([`InternalError ${field}`]);
    expect(refusing({ type: 'string' })).to.deep.equal([]);
  });

  it('tells an empty list from none, though the other definition has the other', () => {
    const withMetadata = (more: JsonObject): JsonObject =>
      exampleDefinition({ type: 'object', properties: { metadata: { type: 'object', ...more } } });
    const plain = withMetadata({});
    for (const keyword of ['required', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations']) {
      const odd = withMetadata({ [keyword]: [] });
      const refused = judgeDefinition(odd, plain, knownMinors).map(({ message }) => message);
      expect(refused, keyword).to.deep.equal([
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ]);
      expect(judgeDefinition(plain, odd, knownMinors), keyword).to.deep.equal([]);
    }
  });

  const text = { type: 'string' };
  const refused: Record<string, JsonObject> = {
    'no type': { description: 'd' },
    'an unknown type': { type: 'text' },
    'a list without items': { type: 'array' },
    'a pattern': { ...text, pattern: '(' },
    'unique items': { type: 'array', items: text, uniqueItems: true },
    'an embedded resource': { ...text, 'x-kubernetes-embedded-resource': true },
    'unknown fields that are not kept': { ...text, 'x-kubernetes-preserve-unknown-fields': false },
    'both a text and a number that keeps unknown fields': {
      ...{ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
    },
    'a text that keeps unknown fields as a number': {
      ...{ ...text, 'x-kubernetes-int-or-string': true },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    'a description in a branch': {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer', description: 'd' }, text],
    },
    'a list type': { ...text, 'x-kubernetes-list-type': 'atomic' },
    'keys of a list': { type: 'array', items: text, 'x-kubernetes-list-map-keys': ['a'] },
    'a map type': { ...text, 'x-kubernetes-map-type': 'atomic' },
    'other fields': { type: 'object', properties: { a: text }, additionalProperties: text },
    'a rule': { ...text, 'x-kubernetes-validations': [{ rule: 'self' }] },
    'a reference': { ...text, $ref: '#/a' },
    ...Object.fromEntries(
      ['allOf', 'anyOf', 'oneOf'].map((keyword) => [keyword, { ...text, [keyword]: [text] }]),
    ),
    not: { ...text, not: text },
  };
  const plain = { type: 'object', description: 'd', properties: { a: { ...text, enum: ['a'] } } };
  for (const [what, schema] of Object.entries(refused)) {
    it(`looks at whatever may be refused, below what may not: ${what}`, () => {
      const around: Record<string, JsonObject> = {
        'properties[at].properties[schema]': { type: 'object', properties: { plain, schema } },
        'properties[at].items': { type: 'array', items: schema },
        'properties[at].additionalProperties': { type: 'object', additionalProperties: schema },
      };
      for (const [place, field] of Object.entries(around)) {
        const spec = { type: 'object', properties: { plain, at: field } };
        const whole = exampleDefinition({ type: 'object', properties: { spec } });
        const refusals = judgeDefinition(whole, undefined, knownMinors);
        expect(refusals.map((each) => each.field).join('\n'), place).to.include(place);
      }
    });
  }
});

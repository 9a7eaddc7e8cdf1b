import { expect } from 'chai';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { metaOf, NumberText, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { byteLength, marshalJson } from '../../text/go/index.js';
import { sizesOf } from './sizes.js';

describe('sizes of a definition', () => {
  const described = (description: JsonObject): JsonObject => {
    const definition = exampleOfSpec({
      type: 'object',
      ...description,
      properties: {
        // Neither a property of that name nor data is a description.
        description: { type: 'string', ...description, default: 'kept' },
        size: { ...description },
        settings: { type: 'object', default: { description: 'kept' }, properties: {} },
      },
    });
    const metadata = { name: metaOf(definition).name, annotations: { description: 'kept' } };
    return { ...definition, metadata };
  };

  it('says exactly what is left without descriptions, also of what annotations escape', () => {
    const long = sizesOf(described({ description: '<"ä"&\n>'.repeat(100) }));
    const bare = sizesOf(described({}));
    expect(long.annotations).to.be.above(long.json);
    const left = long.limits.map(({ withoutDescriptions }) => withoutDescriptions);
    expect(left).to.deep.equal([bare.annotations, bare.json, bare.json, bare.json]);
    expect(long.descriptions.bytes).to.equal(long.json - bare.json);
    expect(bare.descriptions).to.deep.equal({ bytes: 0, percent: 0 });
  });

  it('counts the bytes that Go writes of texts and numbers', () => {
    const texts = ['<&>', '\u2028\u2029', 'ä\ud83d', '\\ud83d', '"\n', ''];
    const numbers = [new NumberText('1.0'), new NumberText('1e3'), 12345678901, 0.5];
    for (const value of [...texts, ...numbers]) {
      const { status, ...applied } = described({ description: 'x' });
      const definition = { ...applied, spec: { value, list: [value, { [String(value)]: value }] } };
      const { json, lastApplied } = sizesOf({ ...definition, status: status ?? {} });
      expect(json, String(value)).to.equal(
        byteLength(stringifyJson({ ...definition, status: status ?? {} })),
      );
      expect(lastApplied - 1, String(value)).to.equal(byteLength(marshalJson(definition)));
    }
  });

  it('says how many percent of the JSON they are', () => {
    const bare = sizesOf(described({})).json;
    const empty = sizesOf(described({ description: '' })).json - bare;
    // Three descriptions: with those quarters of what is there.
    const [length, rest] = [Math.floor((bare * 3 - empty) / 3), 0.5];
    const { percent } = sizesOf(described({ description: 'x'.repeat(length) })).descriptions;
    expect(percent).to.be.closeTo(75, rest);
  });
});

import { expect } from 'chai';
import {
  InvalidInputError,
  isObject,
  own,
  parseDocuments,
  parseJson,
  parseYaml,
  stringifyJson,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { goldenRows, sameJson } from './golden.js';

describe('golden: YAML as sigs.k8s.io/yaml reads it', () => {
  for (const row of goldenRows('yaml')) {
    const input = own(row, 'input');
    const text = isObject(input) ? own(input, 'yaml') : undefined;
    const expected = own(row, 'expect');
    if (typeof text !== 'string' || !isObject(expected)) throw new Error(`${row.id} has no text`);
    const json = own(expected, 'json');
    it(`${row.id} ${JSON.stringify(text)}`, () => {
      if (typeof json !== 'string') {
        expect(() => parseYaml(text)).to.throw(InvalidInputError);
        return;
      }
      const value = parseYaml(text);
      // Numbers by their text: 1.0 is not 1, and 9007199254740993 is not its neighbour.
      expect(sameJson(value, parseJson(json)), `${stringifyJson(value)} is not ${json}`).to.equal(
        true,
      );
    });
  }
});

/** What we refuse although sigs.k8s.io/yaml reads it: what nobody sees, and what it reads at random or drops. */
const refusedByUs =
  /stands here, unseen|of two types|a tag has an escape|JSON cannot hold|no UTF-8 text|is not JSON/;

describe('golden: odd YAML as kubectl reads it', () => {
  let refused = 0;
  const rows = goldenRows('yaml-odd');
  for (const row of rows) {
    const { input, expect: expected } = row;
    if (!isObject(input) || !isObject(expected)) throw new Error(`${row.id} has no text`);
    const text = own(input, 'yaml');
    const stream = own(input, 'stream');
    const read = (): JsonValue =>
      typeof text === 'string'
        ? parseYaml(text)
        : parseDocuments(stream as string).map(({ value }) => value);
    it(`${row.id} ${JSON.stringify(text ?? stream).slice(0, 60)}`, () => {
      if (own(expected, 'error') !== undefined) {
        expect(read).to.throw(InvalidInputError);
        return;
      }
      const json = own(expected, 'json');
      const documents = (own(expected, 'documents') ?? []) as string[];
      const wanted =
        typeof json === 'string' ? parseJson(json) : documents.map((each) => parseJson(each));
      try {
        expect(canonical(read())).to.equal(canonical(wanted));
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
        expect(error.message).to.match(refusedByUs);
        refused++;
      }
    });
  }

  it('and next to nothing is refused that kubectl reads', () => {
    expect(refused).to.be.lessThan(rows.length / 20);
  });
});

/** Null is not absent here: both are what a manifest says. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return stringifyJson(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(own(value, key) ?? null)}`).join(',')}}`;
}

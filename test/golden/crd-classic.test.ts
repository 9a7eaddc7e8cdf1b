import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { answer, goldenRows } from './golden.js';

/** The reference lists errors in random order: an aggregate is compared as a set. */
function asSet(text: JsonValue | undefined): string {
  if (typeof text !== 'string') return 'null';
  const [head = '', list] = text.trimEnd().split(/too restrictive: \[(?=\[\])/);
  if (list === undefined) return text;
  return `${head}[${list
    .slice(0, -1)
    .split(/, (?=\[\])/)
    .sort()
    .join(', ')}]`;
}

function said(from: JsonObject): string {
  return JSON.stringify([
    own(from, 'allowed'),
    asSet(own(from, 'error')),
    asSet(own(from, 'warningEvent')),
  ]);
}

describe('golden: crd-classic', () => {
  for (const row of goldenRows('crd-classic')) {
    it(row.id, async () => {
      const expected = own(row, 'expect');
      const given = own(await answer('crd-classic', own(row, 'input') ?? null), 'output');
      if (expected === undefined || !isObject(expected)) throw new Error('the row expects nothing');
      if (given === undefined || !isObject(given)) throw new Error('the door gave no output');
      const variants = own(expected, 'variants');
      const accepted = [expected, ...(Array.isArray(variants) ? variants.filter(isObject) : [])];
      expect(accepted.map(said)).to.include(said(given));
    });
  }
});

/** Every golden row of `catalog`, through the NDJSON door. */
import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { answer, goldenRows, sameJson } from './golden.js';

describe('golden: catalog', () => {
  for (const row of goldenRows('catalog')) {
    it(`${row.id} ${own(row, 'note') as string}`, async () => {
      const reply = await answer('catalog', own(row, 'input') ?? null);
      const output = own(reply, 'output');
      const expected = own(row, 'expect');
      if (!isObject(output) || !isObject(expected)) throw new Error('no output');
      const tags = own(row, 'tags') as string[];
      // The texts of these groups quote Go's parsers.
      const stageOnly = tags.includes('yaml') || tags.includes('composition');
      for (const name of ['ok', 'stage', 'counts', 'heads', 'filesRead']) {
        expect(sameJson(own(output, name), own(expected, name)), name).to.equal(true);
      }
      expect(own(own(reply, 'verdict') as JsonObject, 'allowed')).to.equal(own(expected, 'ok'));
      const tree = own(expected, 'tree');
      if (tree !== undefined && tree !== null) {
        expect(sortTree(own(output, 'tree'))).to.equal(sortTree(tree));
      } else if (!stageOnly && own(expected, 'ok') === false) {
        expect(own(expected, 'errors')).to.include((own(output, 'errors') as string[])[0]);
      }
    });
  }
});

function sortTree(node: JsonValue | undefined): string {
  if (!isObject(node)) return '';
  const children = (own(node, 'children') ?? []) as JsonValue[];
  return `${own(node, 'message') as string}(${children.map(sortTree).sort().join(',')})`;
}

/** Changes of many kinds that do harm, and that do not: what the proof says of each. */
import { expect } from 'chai';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { harmful, harmless } from './testing/kinds-of-change.js';
import { proveDocuments } from './testing/prove-documents.js';

/** Effects of what is denied by default. */
function harmOf(old: JsonObject, next: JsonObject): string[] {
  const [before, after] = [old, next].map((f) => withSchema(object({ spec: object({ f }) })));
  const { results } = proveDocuments(before as JsonObject, after as JsonObject);
  return results
    .filter(({ effect, harm }) => effect !== 'safe' && effect !== 'behavior' && harm === undefined)
    .map(({ effect, reason }) => `${effect}: ${reason}`);
}

describe('changes of many kinds', () => {
  for (const [title, old, next] of harmless) {
    it(`do no harm: ${title}`, () => expect(harmOf(old, next)).to.deep.equal([]));
  }
  for (const [title, old, next] of harmful) {
    it(`do harm: ${title}`, () => expect(harmOf(old, next)).to.not.deep.equal([]));
  }
});

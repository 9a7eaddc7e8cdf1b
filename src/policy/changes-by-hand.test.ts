/** What the default policy says of pairs written by hand; an API server is asked in test/cluster. */
import { expect } from 'chai';
import type { JsonObject } from '../text/documents/index.js';
import { object, withSchema } from '../upgrade/rules/crd/testing/definition.js';
import { harmful, harmless } from '../upgrade/proof/testing/kinds-of-change.js';
import { repeats } from '../upgrade/proof/testing/repeated-bounds.js';
import { isUpdateAllowed } from './testing/chains.js';

const whole = (f: JsonObject): JsonObject => withSchema(object({ spec: object({ f }) }));
const isAllowed = ([, old, next]: (typeof harmful)[number]): boolean =>
  isUpdateAllowed(whole(old), whole(next));
const titles = (rows: readonly (typeof harmful)[number][]): string[] =>
  rows.map(([title]) => title);

describe('the default policy', () => {
  it('allows what does no harm, and what only an absurd object would show', () => {
    const denied = [...harmless, ...repeats].filter((row) => !isAllowed(row));
    expect(titles(denied)).to.deep.equal([]);
  });

  it('denies what does harm', () => {
    expect(titles(harmful.filter(isAllowed))).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { InvalidInputError } from '../text/documents/index.js';
import { knownMinors, parseMinors } from './minors.js';

describe('parseMinors', () => {
  const rows: [text: string, minors: readonly string[]][] = [
    ['1.30', ['1.30']],
    ['v1.30.4', ['1.30']],
    ['1.30..1.32', ['1.30', '1.31', '1.32']],
    ['1.35+', ['1.35', '1.36']],
    ['1.36, 1.29', ['1.29', '1.36']],
    ['1.29..1.36', knownMinors],
  ];
  for (const [text, minors] of rows) {
    it(text, () => {
      expect(parseMinors(text)).to.deep.equal(minors);
    });
  }

  for (const text of ['', '1.28', 'newest', '1.32..1.30', '1.30..']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseMinors(text)).to.throw(InvalidInputError, /minor of Kubernetes/);
    });
  }
});

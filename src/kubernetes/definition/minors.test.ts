import { expect } from 'chai';
import { InvalidInputError } from '../../text/documents/index.js';
import { knownMinors, minorsByDefault, newestMinor, parseMinors } from './minors.js';

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

describe('minorsByDefault', () => {
  const rows: [lowest: string | undefined, all: readonly string[]][] = [
    [undefined, knownMinors],
    ['1.16.0', knownMinors],
    ['v1.34.2', ['1.34', '1.35', '1.36']],
    ['1.99.0', [newestMinor]],
    ['soon', knownMinors],
  ];
  for (const [lowest, all] of rows) {
    it(`from ${lowest ?? 'none'} on, of which the newest decides`, () => {
      expect(minorsByDefault(lowest)).to.deep.equal({ all, deciding: [newestMinor] });
    });
  }
});

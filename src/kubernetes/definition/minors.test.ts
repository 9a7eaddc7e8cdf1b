import { expect } from 'chai';
import { InvalidInputError } from '../../text/documents/index.js';
import { askedMinors, knownMinors, minorsByDefault, newestMinor } from './minors.js';

describe('askedMinors', () => {
  const rows: [text: string, minors: readonly string[]][] = [
    ['1.30', ['1.30']],
    ['v1.30.4', ['1.30']],
    ['v1.30.4-eks-a737599', ['1.30']],
    ['v1.30.4-gke.100..v1.31.2+k3s1', ['1.30', '1.31']],
    ['1.30-1.31', ['1.30', '1.31']],
    ['1.30..1.32', ['1.30', '1.31', '1.32']],
    ['1.35+', knownMinors.slice(knownMinors.indexOf('1.35'))],
    ['1.36, 1.29', ['1.29', '1.36']],
    [`1.29..${newestMinor}`, knownMinors],
  ];
  for (const [text, minors] of rows) {
    it(text, () => {
      expect(askedMinors(text)).to.deep.equal({ all: minors, deciding: minors });
    });
  }

  const newer: [text: string, minors: readonly string[], told: readonly string[]][] = [
    ['1.99', [newestMinor], ['1.99']],
    ['v1.99.3-eks', [newestMinor], ['1.99']],
    ['2.0', [newestMinor], ['2.0']],
    ['1.99+', [newestMinor], ['1.99']],
    [`${newestMinor}..1.99`, [newestMinor], ['1.99']],
    ['1.29,1.99,1.100', ['1.29', newestMinor], ['1.99', '1.100']],
  ];
  for (const [text, minors, told] of newer) {
    it(`takes the newest for what came later, and says so: ${text}`, () => {
      const warnings = told.map(
        (minor) =>
          `Kubernetes ${minor} is newer than any known here: judged as ${newestMinor} does`,
      );
      expect(askedMinors(text)).to.deep.equal({ all: minors, deciding: minors, warnings });
    });
  }

  for (const text of ['', '1.28', '0.99', '1.x', 'newest', '1.32..1.30', '1.30..']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => askedMinors(text)).to.throw(InvalidInputError, /minor of Kubernetes/);
    });
  }
});

describe('minorsByDefault', () => {
  const rows: [lowest: string | undefined, all: readonly string[]][] = [
    [undefined, knownMinors],
    ['1.16.0', knownMinors],
    ['v1.34.2', knownMinors.slice(knownMinors.indexOf('1.34'))],
    ['1.99.0', [newestMinor]],
    ['soon', knownMinors],
  ];
  for (const [lowest, all] of rows) {
    it(`from ${lowest ?? 'none'} on, of which the newest decides`, () => {
      expect(minorsByDefault(lowest)).to.deep.equal({ all, deciding: [newestMinor] });
    });
  }
});

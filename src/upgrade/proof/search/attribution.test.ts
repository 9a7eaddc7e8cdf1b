import { expect } from 'chai';
import { isExactly } from './attribution.js';
import type { Place } from '../pin.js';

const place = (...names: string[]): Place | undefined =>
  names.reduce<Place | undefined>(
    (parent, name) => ({ parent, step: { kind: 'property', name } }),
    undefined,
  );

describe('where an error stands', () => {
  const rows: [field: string, names: string[], yes: boolean][] = [
    ['spec.a', ['spec', 'a'], true],
    ['spec.a', ['spec', 'b'], false],
    ['spec[a.b]', ['spec', 'a.b'], true],
    ['spec[a[b].c', ['spec', 'a[b', 'c'], true],
    ['spec.a[b', ['spec', 'a', 'b'], true],
    ['<nil>', [], false],
  ];
  for (const [field, names, yes] of rows) {
    it(`${field} is ${yes ? '' : 'not '}${names.join(' ')}`, () => {
      expect(isExactly(field, place(...names))).to.equal(yes);
    });
  }

  it('is read once, however many brackets open: with each looked for to the end it would be hours', () => {
    const open = '['.repeat(2_000_000);
    expect(isExactly(`spec.${open}`, place('spec'))).to.equal(true);
    expect(isExactly(`spec[${open}]`, place('spec', open))).to.equal(true);
  });
});

import { expect } from 'chai';
import { firstNames, shortened, shortMessage } from './shortened.js';

describe('shortened text', () => {
  it('cuts a long text, and says how long it is', () => {
    expect(shortened('abc', 3)).to.equal('abc');
    expect(shortened('abcd', 3)).to.equal('abc… (4 characters)');
  });

  const long = 'x'.repeat(5_000_000);
  const rows: [what: string, message: string, kept: RegExp][] = [
    ['keeps a short message', `there's no "${'x'.repeat(500)}"`, /^there's no "x{500}"$/],
    [
      'cuts what is quoted, and says the rest',
      `"a" is '${long}', no`,
      /^"a" is 'x+… \(5000000 characters\)', no$/,
    ],
    ['cuts each of several', `"${long}" and "${long}"`, /^"x+… \(5000000 characters\)" and "x+… /],
    ['cuts what is not quoted', `got ${long}`, /^got x+… \(5000004 characters\)$/],
    ['cuts what is never closed', `got "${long}`, /^got "x+… \(5000005 characters\)$/],
    [
      'quotes nothing by an apostrophe',
      `new CRD's ${'y'.repeat(300)} isn't`,
      /^new CRD's y{300} isn't$/,
    ],
  ];
  for (const [what, message, kept] of rows) {
    it(what, () => {
      expect(shortMessage(message)).to.match(kept);
      expect(shortMessage(message).length).to.be.below(2_100);
    });
  }

  it('cuts no second time what it has cut', () => {
    for (const message of [`"a" is '${long}', no`, `got ${long}`, `"${long}" ${long}`]) {
      const once = shortMessage(message);
      expect(shortMessage(once)).to.equal(once);
    }
    expect(shortened(`${'x'.repeat(9)}… (${long} characters)`, 9).length).to.be.below(50);
  });

  it('takes linear time', () => {
    expect(shortMessage(`"'`.repeat(1_000_000)).length).to.be.below(2_100);
  });
});

describe('firstNames', () => {
  it('counts what it does not name', () => {
    expect(firstNames(['a', 'b', 'c'], 3)).to.equal('a, b, c');
    expect(firstNames(['a', 'b', 'c'], 1)).to.equal('a and 2 more');
  });
});

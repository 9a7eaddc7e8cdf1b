import { expect } from 'chai';
import { withWords } from './witness.js';

const object = {
  apiVersion: 'example.com/v1',
  kind: 'W',
  metadata: { name: 'a' },
  spec: { list: [{ name: 'b' }, { name: 'a' }, { name: 'a' }], long: 'aa' },
};

describe('words of a witness', () => {
  it('take the place of letters, equal ones of equal letters', () => {
    expect(withWords(object, () => true)).to.deep.equal({
      ...object,
      spec: {
        list: [{ name: 'another' }, { name: 'example' }, { name: 'example' }],
        long: 'aa',
      },
    });
  });

  it('are not written where the damage would not show any more', () => {
    expect(withWords(object, () => false)).to.equal(object);
    const kept = withWords(object, (other) => JSON.stringify(other).includes('"b"'));
    expect(JSON.stringify(kept)).to.include('"b"');
  });
});

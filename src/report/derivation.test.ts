import { expect } from 'chai';
import { renderDerivation } from './explanations.js';

describe('derivation', () => {
  it('names every difference, its effect and the reason', () => {
    const steps = [
      { version: 'v1', path: '^.a', effect: 'safe', reason: 'the maximum is relaxed' },
      {
        version: 'v2',
        from: 'v1',
        path: '^.b',
        effect: 'breaking',
        reason: 'the field is required',
        witness: { kind: 'A' },
      },
    ];
    expect(renderDerivation('a.example.com', steps)).to.equal(`
proof of a.example.com: 2 differences
  1. safe      v1 ^.a: the maximum is relaxed
  2. breaking  v1 -> v2 ^.b: the field is required
      {"kind":"A"}
`);
  });

  it('says so when nothing differs', () => {
    expect(renderDerivation('a.example.com', [])).to.include('accept the same objects');
  });
});

import { expect } from 'chai';
import { HttpError } from './body.js';
import { BytesInFlight } from './bytes-in-flight.js';

describe('bytes in flight', () => {
  const take = (of: BytesInFlight, bytes: number, cut: () => void = () => undefined) => {
    const held = of.hold(cut);
    held.take(bytes);
    return held;
  };

  it('are given back, and refused past the limit', () => {
    const bytes = new BytesInFlight(100, Infinity);
    const first = take(bytes, 60);
    expect(() => take(bytes, 60)).to.throw(HttpError, /hold 60 of the 100 bytes/);
    first.give();
    take(bytes, 60);
  });

  it('are taken from who has had his time, when others need them', () => {
    const bytes = new BytesInFlight(100, 0);
    const cut: string[] = [];
    take(bytes, 50, () => cut.push('slow'));
    take(bytes, 10, () => cut.push('whole')).arrived();
    expect(cut).to.deep.equal([]);
    take(bytes, 90);
    expect(cut).to.deep.equal(['slow']);
  });
});

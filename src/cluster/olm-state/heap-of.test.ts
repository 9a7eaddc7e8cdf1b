/** What objects are counted with: never less than they take, or somebody could store what ends the gate. */
import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { heapOf } from './object-store.js';

describe('heapOf', () => {
  it('counts text, each value, and the keys that an object has for itself', () => {
    const text = 'x'.repeat(1_000_000);
    expect(heapOf({ a: text })).to.be.greaterThan(1_000_000);
    expect(heapOf(Array.from({ length: 100_000 }, () => []))).to.be.greaterThan(100_000 * 16);
    const labels = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, '']));
    // A dictionary has room for more keys than it holds, and a Map for each again.
    expect(heapOf(labels(10_000))).to.be.greaterThan(10_000 * 200);
    expect(heapOf(labels(10_000)) / heapOf(labels(10))).to.be.greaterThan(2000);
  });

  it('does not recurse', () => {
    let nested: JsonValue = [];
    for (let level = 0; level < 100_000; level++) nested = [nested];
    expect(heapOf(nested)).to.be.greaterThan(100_000);
  });
});

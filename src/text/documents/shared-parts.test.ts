import { expect } from 'chai';
import { parseJson, sameJson, stringifyJson, type JsonObject } from './index.js';
import { shareParts } from './value.js';

const shared = (old: string, next: string): { old: JsonObject; now: JsonObject } => {
  const before = parseJson(old) as JsonObject;
  const now = parseJson(next) as JsonObject;
  shareParts(before, now);
  expect(stringifyJson(now)).to.equal(stringifyJson(parseJson(next)));
  return { old: before, now };
};

describe('shareParts', () => {
  it('keeps equal parts once', () => {
    const { old, now } = shared(
      '{"a":{"b":[1,{"c":1.0}]},"d":{"e":1}}',
      '{"a":{"b":[1,{"c":1.0}]},"d":{"e":2}}',
    );
    expect(now['a']).to.equal(old['a']);
    expect(now['d']).not.to.equal(old['d']);
  });

  it('keeps an order of keys and a notation of numbers that differ', () => {
    for (const [old, next] of [
      ['{"a":{"x":1,"y":{"z":1}}}', '{"a":{"y":{"z":1},"x":1}}'],
      ['{"a":{"x":1.0}}', '{"a":{"x":1.00}}'],
      ['{"a":[{}]}', '{"a":[{},{}]}'],
      ['{"a":{"__proto__":{"b":1},"c":{}}}', '{"a":{"__proto__":{"b":1},"c":{"d":1}}}'],
      ['{"a":{}}', '{"a":[]}'],
      ['{"a":{"b":{}}}', '{"a":{"b":null}}'],
    ] as const) {
      const { old: before, now } = shared(old, next);
      expect(now['a']).not.to.equal(before['a']);
    }
    const { old, now } = shared(
      '{"a":{"__proto__":{"b":1},"c":{}}}',
      '{"a":{"__proto__":{"b":1}}}',
    );
    expect(sameJson(now['a'], old['a'])).to.equal(false);
  });

  it('skips values that are nested too deep', () => {
    const deep = (leaf: string): string => `${'{"a":'.repeat(5_000)}${leaf}${'}'.repeat(5_000)}`;
    shared(deep('1'), deep('2'));
    shared(deep('1'), deep('1'));
  });
});

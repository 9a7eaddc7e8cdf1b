import { expect } from 'chai';
import { entryOf } from '../testing/entry.js';
import fc from 'fast-check';
import { samples } from '../../../rule/testing/samples.js';
import { parseVersion } from '../../../text/versions/index.js';
import { edgesOf, edgesTo, type Origin } from './edges.js';
import type { ChannelEntry } from '../catalog.js';
import { ResolutionError } from './upgrade-path.js';

const number = fc.integer({ min: 0, max: 3 });
const version = fc
  .tuple(number, number, fc.constantFrom('', '', '-rc.1', '-0', '+build'))
  .map(([minor, patch, rest]) => `1.${minor}.${patch}${rest}`);
const comparison = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '=', '!=', ''), version)
  .map(([operator, text]) => `${operator}${text}`);
const alternative = fc
  .array(comparison, { minLength: 1, maxLength: 3 })
  .map((all) => all.join(' '));
const range = fc.oneof(
  fc.array(alternative, { minLength: 1, maxLength: 3 }).map((all) => all.join(' || ')),
  fc.constantFrom('', 'no range', '1.1.x', '<1.2.0 || || >=1.0.0', '>1.3.0 || ||  <1.1.0'),
);
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const entry: fc.Arbitrary<ChannelEntry> = fc
  .record(
    { name, replaces: name, skips: fc.array(name, { maxLength: 3 }), skipRange: range },
    { requiredKeys: ['name'] },
  )
  .map(entryOf);
const origins = fc.uniqueArray(fc.record({ name, version: version.map(parseVersion) }), {
  selector: (each) => each.name,
});

/** As OLM has it, one entry after the other. */
function hasEdge(to: ChannelEntry, from: Origin): boolean {
  try {
    return edgesTo([{ entry: to, channel: 'stable' }], from).length > 0;
  } catch (error) {
    if (error instanceof ResolutionError) return false;
    throw error;
  }
}

describe('the edges of a channel', () => {
  it('are those that a comparison of each entry with each version finds', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), origins, (entries, all) => {
        const edges = edgesOf(entries);
        const taken = all.map(({ name }) => name);
        const take = edges.taker(all);
        for (const origin of all) {
          const expected = entries.filter((each) => hasEdge(each, origin));
          expect(edges.from(origin)).to.deep.equal(expected);
          expect(edges.first(origin)).to.equal(expected[0]);
        }
        for (const [place, each] of entries.entries()) {
          const expected = all.filter((origin) => hasEdge(each, origin));
          expect([...edges.originsOf(place, all)]).to.deep.equal(expected);
          const names = expected.map((origin) => origin.name).filter((one) => taken.includes(one));
          expect(take(place).map((origin) => origin.name)).to.have.members(names);
          for (const one of names) taken.splice(taken.indexOf(one), 1);
        }
      }),
      { numRuns: samples(500) },
    );
  });
});

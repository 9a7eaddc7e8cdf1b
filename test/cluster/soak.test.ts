/** The short form of `npm run soak` (bench/soak.ts); docs/reliability.md has the long one's figures. */
import { expect } from 'chai';
import { growthOf, soak, type Phase } from './soak/soak.js';

describe('three gates and two API servers under one fault after the other', () => {
  let phases: Phase[];

  before('make the faults', async function () {
    this.timeout(1_200_000);
    phases = await soak({
      ...{ gates: 3, apiServers: 2, clients: 6, seed: 1, rounds: 1 },
      ...{ roundSeconds: 44, outageSeconds: 12 },
      ...{ pauseMilliseconds: 400, shutdownDelaySeconds: 2 },
      // A day, about.
      clockRate: 400,
    });
  });

  it('say what the rules say of every write', () => {
    expect(phases.flatMap(({ fault, wrong }) => wrong.map((each) => `${fault}: ${each}`))).to.eql(
      [],
    );
    for (const { fault, admitted, denied } of phases) {
      expect(admitted, `admitted under ${fault}`).to.be.above(0);
      expect(denied, `denied under ${fault}`).to.be.above(0);
    }
  });

  it('let nothing pass unjudged', () => {
    expect(phases.flatMap(({ lost }) => lost)).to.eql([]);
    expect(phases.map(({ failedOpen }) => failedOpen)).to.eql(phases.map(() => 0));
  });

  it('refuse no write under faults that clients must not notice', () => {
    for (const phase of phases) {
      if (!phase.isUnnoticed) continue;
      const { fault, withoutGate, unjudged, withoutServer, reasons } = phase;
      expect(
        { withoutGate, unjudged, withoutServer },
        `${fault}: ${[...reasons.keys()].join()}`,
      ).to.eql({
        ...{ withoutGate: 0, unjudged: 0, withoutServer: 0 },
      });
    }
  });

  it('stay within their memory', () => {
    for (const { fault, usage } of phases) {
      for (const { residentBytes } of usage) expect(residentBytes, fault).to.be.below(450e6);
    }
  });

  it('hold no more at the end than in the first half of their lives', () => {
    const growth = growthOf(phases);
    expect(growth).to.not.eql([]);
    for (const { residentBytes, openFiles, sockets } of growth) {
      expect(residentBytes, 'bytes').to.be.below(60e6);
      expect(openFiles, 'open files').to.be.below(20);
      expect(sockets, 'sockets').to.be.below(20);
    }
  });
});

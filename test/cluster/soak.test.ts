/** The short form of `npm run soak` (bench/soak.ts); docs/reliability.md has the long one's figures. */
import { expect } from 'chai';
import { useCluster } from '../apiserver/mocha.js';
import { soak, soakUsers, type Phase } from './soak/soak.js';

/** Faults of one gate, of which an API server and its users notice nothing. */
const unnoticed = [
  'none',
  'rolling restart',
  'certificate rotation',
  'policy replaced by rubbish',
  'log pipe full',
  'clock jump',
  'none, at the end',
];

describe('two gates under one fault after the other', () => {
  const cluster = useCluster({ users: soakUsers });
  let phases: Phase[];

  before('make the faults', async function () {
    this.timeout(600_000);
    phases = await soak(cluster(), {
      clients: 6,
      secondsEach: 2,
      pauseMilliseconds: 200,
      stoppedStoreSeconds: 5,
      shutdownDelaySeconds: 2,
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

  it('answer every write under faults that are theirs alone', () => {
    for (const { fault, withoutGate, unjudged, withoutServer } of phases) {
      if (!unnoticed.includes(fault)) continue;
      expect({ withoutGate, unjudged, withoutServer }, fault).to.eql({
        ...{ withoutGate: 0, unjudged: 0, withoutServer: 0 },
      });
    }
  });

  it('stay within their memory', () => {
    for (const { fault, residentBytes } of phases) {
      expect(Math.max(...residentBytes), fault).to.be.below(450e6);
    }
  });
});

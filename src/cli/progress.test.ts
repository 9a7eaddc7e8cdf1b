import { expect } from 'chai';
import { printError, startProgress } from './output.js';

describe('progress on a terminal', () => {
  let now = 0;
  const clock = (): number => now;

  /** What a terminal shows of it. */
  function shownOf(work: () => void, isTTY = true): string {
    const { stderr } = process;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is put back where it was
    const kept = { write: stderr.write, isTTY: stderr.isTTY };
    let shown = '';
    Object.assign(stderr, { isTTY, write: (text: string) => (shown += text) !== '' });
    try {
      now = 0;
      work();
    } finally {
      Object.assign(stderr, kept);
    }
    return shown;
  }
  const wiped = '\r\u001b[K';

  it('begins when the work takes a while, and leaves nothing', () => {
    const shown = shownOf(() => {
      const progress = startProgress('folders', { now: clock });
      for (const [milliseconds, done] of [
        [400, 1],
        [600, 2],
        [610, 3],
        [2000, 10],
      ] as const) {
        now = milliseconds;
        progress.update(done, 100);
      }
      progress.stop();
      progress.stop();
    });
    const bar = (full: number): string => `[${'='.repeat(full)}${' '.repeat(30 - full)}] `;
    const lines = [
      `${bar(1)}2 of 100 folders, 2/s, 59 s left`,
      `${bar(3)}10 of 100 folders, 5/s, 20 s left`,
      '',
    ];
    expect(shown).to.equal(lines.map((line) => `${wiped}${line}`).join(''));
  });

  it('tells a pace where the end is not known, and of bytes megabytes', () => {
    const shown = shownOf(() => {
      const progress = startProgress('widgets', { now: clock });
      progress.update(0, 0);
      now = 2000;
      progress.update(6000, 0);
      const read = startProgress('MB', { size: 1e6, now: clock });
      read.update(0, 360e6);
      now = 4000;
      read.update(120e6, 360e6);
    });
    expect(shown).to.equal(
      `${wiped}6,000 widgets, 3,000/s${wiped}[${'='.repeat(10)}${' '.repeat(20)}] 120 of 360 MB, 60/s, 4 s left`,
    );
  });

  it('gives way to what is printed', () => {
    const shown = shownOf(() => {
      const progress = startProgress('folders', { now: clock });
      now = 1000;
      progress.update(1, 0);
      printError('olm-guard: a note');
      progress.stop();
    });
    expect(shown).to.equal(`${wiped}1 folders, 0/s${wiped}olm-guard: a note\n`);
  });

  it('is a line now and then where a log is wanted', () => {
    const shown = shownOf(() => {
      const progress = startProgress('widgets', { betweenLines: 10_000, now: clock });
      for (const [milliseconds, done] of [
        [0, 1000],
        [9000, 2000],
        [10_000, 3000],
        [15_000, 4000],
      ] as const) {
        now = milliseconds;
        progress.update(done, 5000);
      }
      progress.stop();
    }, false);
    expect(shown).to.equal('olm-guard: 3,000 of 5,000 widgets, 200/s, 10 s left\n');
  });

  it('shows nothing without a terminal', () => {
    const shown = shownOf(() => {
      const progress = startProgress('folders', { now: clock });
      now = 1000;
      progress.update(1, 2);
      progress.stop();
    }, false);
    expect(shown).to.equal('');
  });
});

import { expect } from 'chai';
import { printError } from './output.js';
import { startProgress } from './progress.js';

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
      const progress = startProgress('folders', 1, clock);
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
    const lines = ['2 of 100 folders, 30 s left', '10 of 100 folders, 18 s left', ''];
    expect(shown).to.equal(lines.map((line) => `${wiped}${line}`).join(''));
  });

  it('tells a pace where the end is not known, and of bytes megabytes', () => {
    const shown = shownOf(() => {
      const progress = startProgress('widgets', 1, clock);
      now = 2000;
      progress.update(6000, 0);
      const read = startProgress('MB', 1e6, clock);
      now = 4000;
      read.update(120e6, 360e6);
    });
    expect(shown).to.equal(`${wiped}6,000 widgets, 3,000/s${wiped}120 of 360 MB, 4 s left`);
  });

  it('gives way to what is printed', () => {
    const shown = shownOf(() => {
      const progress = startProgress('folders', 1, clock);
      now = 1000;
      progress.update(1, 2);
      printError('olm-guard: a note');
      progress.stop();
    });
    expect(shown).to.equal(`${wiped}1 of 2 folders, 1 s left${wiped}olm-guard: a note\n`);
  });

  it('is none where nobody looks', () => {
    const shown = shownOf(() => {
      const progress = startProgress('folders', 1, clock);
      now = 1000;
      progress.update(1, 2);
      progress.stop();
    }, false);
    expect(shown).to.equal('');
  });
});

import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { watchChanges, type ChangeWatch } from './changes.js';

describe('watchChanges', () => {
  let folder: string;
  let watching: ChangeWatch | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'changes-'));
  });
  afterEach(async () => {
    watching?.close();
    await rm(folder, { recursive: true });
  });

  it('looks at a folder that never rests', async () => {
    let looks = 0;
    const seen = new Promise<void>((resolve) => {
      void watchChanges({
        folders: [folder],
        recursive: false,
        fingerprint: () => Promise.resolve(String(looks++)),
        changed: resolve,
        every: 60_000,
        settle: 50,
      }).then((watch) => (watching = watch));
    });
    const writing = new AbortController();
    const writer = (async () => {
      for (let count = 0; !writing.signal.aborted; count++) {
        await writeFile(join(folder, 'busy'), String(count));
        await pause(5);
      }
    })();
    await seen;
    writing.abort();
    await writer;
  });

  it('lets a burst of writes settle into one look', async () => {
    let looks = 0;
    watching = await watchChanges({
      folders: [folder],
      recursive: false,
      fingerprint: () => Promise.resolve(String(looks++)),
      changed: () => undefined,
      every: 60_000,
      settle: 200,
    });
    const writes = 50;
    // In one turn of the event loop, so that no slow disk makes several bursts of it.
    for (let count = 0; count < writes; count++) writeFileSync(join(folder, `${count}`), '');
    // The first one is made when the watch begins.
    while (looks < 2) await pause(10);
    await pause(300);
    expect(looks).to.be.below(writes / 2);
  });

  it('looks now and then where the file system reports nothing', async () => {
    let looks = 0;
    await new Promise<void>((resolve) => {
      void watchChanges({
        folders: [join(folder, 'missing')],
        recursive: true,
        fingerprint: () => Promise.resolve(String(looks++)),
        changed: resolve,
        every: 20,
        settle: 10,
      }).then((watch) => (watching = watch));
    });
  });

  it('calls one change at a time and none once closed', async () => {
    let running = 0;
    let most = 0;
    let calls = 0;
    let looks = 0;
    watching = await watchChanges({
      folders: [],
      recursive: false,
      fingerprint: () => Promise.resolve(String(looks++)),
      changed: async () => {
        calls++;
        most = Math.max(most, ++running);
        await pause(30);
        running--;
      },
      every: 5,
      settle: 1,
    });
    while (calls < 3) await pause(5);
    watching.close();
    const called = calls;
    await pause(60);
    expect(most).to.equal(1);
    expect(calls).to.equal(called);
  });
});

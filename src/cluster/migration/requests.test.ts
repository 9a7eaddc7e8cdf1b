import { expect } from 'chai';
import type { Connection } from '../view/connection.js';
import { ClusterError } from '../view/view.js';
import type { MigratedKind } from './migrated-kind.js';
import { objectPages } from './object-pages.js';
import { Requests } from './requests.js';

describe('requests of a migration', () => {
  const year = 365 * 24 * 60 * 60;

  for (const status of [429, 503]) {
    it(`wait a minute at most, whatever Retry-After of ${status} says`, async () => {
      let asked = 0;
      const read = (): Promise<Buffer> =>
        asked++ === 0
          ? Promise.reject(new ClusterError('busy', status, { afterSeconds: year }))
          : Promise.resolve(Buffer.from('{"a":1}'));
      const waits: number[] = [];
      class Impatient extends Requests {
        override pause(milliseconds: number): Promise<void> {
          waits.push(milliseconds);
          // A turn asks the clock again: it must not be asked for a minute.
          return waits.length > 3 ? Promise.reject(new Error('enough')) : Promise.resolve();
        }
      }
      const requests = new Impatient({ read } as unknown as Connection, { qps: 1_000_000 });
      await requests.json({ path: '/' }).catch((error: Error) => {
        if (error.message !== 'enough') throw error;
      });
      expect(Math.max(...waits)).to.be.within(59_000, 60_000);
    });
  }

  it('end with a sentence where a list goes on where it was', async () => {
    let asked = 0;
    const read = (): Promise<Buffer> => {
      if (++asked > 10) throw new Error('is asked for ever');
      return Promise.resolve(Buffer.from('{"metadata":{"continue":"again"},"items":[]}'));
    };
    const requests = new Requests({ read } as unknown as Connection, { qps: 1_000_000 });
    const kind = { group: 'example.com', storage: 'v1', resource: 'widgets' } as MigratedKind;
    let ended: unknown;
    try {
      for await (const page of objectPages(requests, kind, { pageSize: 10 })) {
        expect(page.objects).to.be.empty;
      }
    } catch (error) {
      ended = error;
    }
    expect(ended)
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.matches(/^a list does not end: /);
  });
});

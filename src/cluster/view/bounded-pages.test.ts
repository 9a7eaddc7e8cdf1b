import { expect } from 'chai';
import { boundedPages } from './bounded-pages.js';
import type { Connection } from './connection.js';
import { LiveCluster } from './live.js';
import { objectPages, readPage } from './object-pages.js';
import { ClusterError } from './view.js';

describe('the pages of a list', () => {
  /** Answers with each of these as the place of the next page, and with the last one for ever. */
  function saying(...tokens: readonly string[]): Connection {
    let asked = 0;
    const read = (): Promise<Buffer> => {
      const next = tokens[Math.min(asked++, tokens.length - 1)];
      if (asked > 10) throw new Error('is asked for ever');
      return Promise.resolve(
        Buffer.from(JSON.stringify({ metadata: { continue: next }, items: [] })),
      );
    };
    return { read } as unknown as Connection;
  }

  const all = {
    parsed: (connection: Connection) =>
      boundedPages(connection, { path: () => '/', limit: 5, signal: new AbortController().signal }),
    'of objects': (connection: Connection) =>
      objectPages(
        new LiveCluster(connection),
        { group: 'example.com', version: 'v1', resource: 'widgets' },
        readPage,
      ),
  };

  for (const [name, pages] of Object.entries(all)) {
    /** How many there are, or what ended them. */
    const count = async (connection: Connection): Promise<number | string> => {
      let seen = 0;
      try {
        for await (const page of pages(connection)) seen += page === undefined ? 0 : 1;
      } catch (error) {
        if (error instanceof ClusterError) return error.message;
        throw error;
      }
      return seen;
    };

    it(`${name} go on behind an empty one`, async () => {
      expect(await count(saying('one', 'two', ''))).to.equal(3);
    });

    it(`${name} end with a sentence where the next one begins where this one did`, async () => {
      expect(await count(saying('one'))).to.match(/^a list does not end: /);
    });
  }
});

/** Catalogs that a gate follows: folders, files and catalogd, read in a thread. */
import { expect } from 'chai';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  FollowedCatalogs,
  type FollowedCatalog,
  type FollowOptions,
  readCatalogInWorker,
} from '../../src/repository/catalog-sources/followed-catalogs.js';
import { InvalidInputError } from '../../src/text/documents/index.js';
import {
  queueCatalog,
  queueCatalogText,
} from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { until } from '../apiserver/processes.js';

const worker = new URL('../../dist/reading-worker.js', import.meta.url);
const more = '{"schema": "olm.package", "name": "more", "defaultChannel": "a"}';

describe('catalogs that are followed', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-followed-'));
    file = join(folder, 'catalog.json');
    writeFileSync(file, queueCatalogText);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Follows, and keeps what it is told. */
  async function follow(
    sources: readonly string[],
    options: Partial<FollowOptions> = {},
  ): Promise<{
    followed: FollowedCatalogs;
    told: (readonly FollowedCatalog[])[];
    problems: string[];
  }> {
    const told: (readonly FollowedCatalog[])[] = [];
    const problems: string[] = [];
    const followed = await FollowedCatalogs.start(
      sources.map((source, index) => ({ name: `c${index}`, priority: index, source })),
      {
        worker,
        settle: 10,
        onCatalogs: (catalogs) => void told.push(catalogs),
        onDefect: (error) => void problems.push(`defect: ${String(error)}`),
        onProblem: (_reference, error) =>
          void problems.push(error instanceof InvalidInputError ? error.describe() : String(error)),
        ...options,
      },
    );
    return { followed, told, problems };
  }

  it('are read in a thread as they would be here, without what bundles carry', async () => {
    const catalog = await readCatalogInWorker(folder, { worker });
    const names = (bundles: readonly { name: string }[]): string[] =>
      bundles.map(({ name }) => name);
    expect(names(catalog.bundles)).to.deep.equal(names(queueCatalog.bundles));
    expect(catalog.channels.map(({ entries }) => entries)).to.deep.equal(
      queueCatalog.channels.map(({ entries }) => entries),
    );
    expect(catalog.bundles[0]?.place).to.deep.equal({ file, line: 5 });
  });

  it('are refused where they would take the memory that reviews need', async () => {
    const value = 'x'.repeat(45_000_000);
    for (const name of ['a', 'b', 'c']) {
      const properties = [{ type: 'large', value }];
      const bundle = { schema: 'olm.bundle', package: 'queue', name, properties };
      appendFileSync(file, `\n${JSON.stringify(bundle)}`);
    }
    const refusal = await readCatalogInWorker(folder, { worker }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(InvalidInputError);
    expect((refusal as InvalidInputError).describe()).to.match(
      /takes more memory than there is for a catalog/,
    );
  });

  it('are told once at the start, all together', async () => {
    const { followed, told } = await follow([folder, file]);
    followed.close();
    expect(told.map((all) => all.map(({ name }) => name))).to.deep.equal([['c0', 'c1']]);
  });

  for (const what of ['folder', 'file'] as const) {
    it(`are read again when the ${what} changes, and kept while it cannot be read`, async () => {
      const { followed, told, problems } = await follow([what === 'file' ? file : folder]);
      writeFileSync(file, '{"schema": "olm.package", "name": 1}');
      await until('the broken catalog to be noticed', () => problems[0]);
      expect(problems.join()).to.include(file);
      expect(told).to.have.lengthOf(1);
      writeFileSync(file, `${queueCatalogText}\n${more}`);
      const all = await until('the new catalog', () => told[1]);
      followed.close();
      expect(all[0]?.catalog.packages.map(({ name }) => name)).to.deep.equal([
        'queue',
        'tidy',
        'more',
      ]);
    });
  }

  it('are not called unreadable when who is told of them fails', async () => {
    let times = 0;
    const { followed, problems } = await follow([folder], {
      onCatalogs: () => {
        if (++times > 1) throw new Error('no room');
      },
    });
    writeFileSync(file, `${queueCatalogText}\n${more}`);
    const problem = await until('the failure to be told', () => problems[0]);
    followed.close();
    expect(problem).to.equal('defect: Error: no room');
  });

  it('stop the start when a folder is none, or does not load', async () => {
    writeFileSync(file, '{"schema": "olm.package", "name": 1}');
    for (const source of [join(folder, 'missing'), folder]) {
      const error: unknown = await follow([source]).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(InvalidInputError);
    }
  });

  describe('at catalogd', () => {
    let server: Server;
    let url = '';
    let body = '';
    let asked: string[] = [];
    before((done) => {
      server = createServer((request, response) => {
        asked.push(request.method ?? '');
        if (body === '') response.writeHead(503).end();
        else response.writeHead(200, { etag: `"${body.length}"` }).end(body);
      }).listen(0, '127.0.0.1', done);
    });
    beforeEach(() => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/catalogs/c`;
      asked = [];
      body = '';
    });
    after(() => server.close());

    it('are waited for without stopping the start, and read only when they change', async () => {
      const { followed, told, problems } = await follow([folder, url], { refreshSeconds: 0.05 });
      expect(problems.join()).to.include('503');
      expect(told).to.deep.equal([]);
      body = queueCatalogText;
      await until('both catalogs', () => told[0]);
      const read = asked.filter((method) => method === 'GET').length;
      const looked = asked.length;
      await until('some more looks', () => asked.length > looked + 3 || undefined);
      expect(asked.filter((method) => method === 'GET')).to.have.lengthOf(read);
      body = `${queueCatalogText}\n${more}`;
      const all = await until('the new catalog', () => told[1]);
      followed.close();
      expect(all[1]?.catalog.packages).to.have.lengthOf(3);
    });
  });
});

import { expect } from 'chai';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InvalidInputError } from '../../text/documents/index.js';
import { readCatalogd } from './catalogd.js';
import { readCatalog, type ReadCatalog } from './source.js';

const objects = [
  '{"schema":"olm.package","name":"a","defaultChannel":"b"}',
  '{"schema":"olm.channel","package":"a","name":"b","entries":[]}',
  '{"schema":"other"}',
];

describe('reading catalogs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function put(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }
  const counts = ({ catalog, error }: ReadCatalog): string =>
    error?.describe() ??
    `${catalog.packages.length} ${catalog.channels.length} ${catalog.others.length}`;

  const rows: { rule: string; files: Record<string, string | Buffer>; says: RegExp }[] = [
    { rule: 'JSON lines', files: { 'c.json': objects.join('\n') }, says: /^1 1 1$/ },
    { rule: 'JSON without line breaks', files: { 'c.json': objects.join('') }, says: /^1 1 1$/ },
    {
      rule: 'indented JSON',
      files: {
        'c.json': objects.map((text) => JSON.stringify(JSON.parse(text), null, 2)).join('\n'),
      },
      says: /^1 1 1$/,
    },
    {
      rule: 'JSON that turns into YAML',
      files: { c: `${objects[0] ?? ''}\n---\nschema: other\n` },
      says: /^1 0 1$/,
    },
    {
      rule: 'YAML and JSON side by side, some ignored',
      files: {
        '.indexignore': 'no',
        'a.yaml': 'schema: other\n',
        'b/c.json': objects.join('\n'),
        no: '[',
      },
      says: /^1 1 2$/,
    },
    {
      rule: 'a stream that is cut off',
      files: { 'c.json': objects.join('\n').slice(0, -3) },
      says: /c\.json:3:.*is not JSON/,
    },
    {
      rule: 'garbage behind a stream',
      files: { 'c.json': `${objects.join('\n')}\ngarbage` },
      says: /c\.json:4:.*is not JSON/,
    },
    { rule: 'binary files', files: { 'c.bin': Buffer.from([0, 1, 2, 255]) }, says: /c\.bin.*/ },
    {
      rule: 'package manifests',
      files: { 'p.yaml': 'packageName: a\nchannels:\n- {name: b, currentCSV: a.v1}\n' },
      says: /^1 1 0$/,
    },
  ];
  for (const { rule, files, says } of rows) {
    it(rule, async () => {
      await put(files);
      expect(counts(await readCatalog(folder))).to.match(says);
    });
  }

  it('reads a single file', async () => {
    await put({ 'c.json': objects.join('\n') });
    expect(counts(await readCatalog(join(folder, 'c.json')))).to.equal('1 1 1');
  });

  async function refusal(source: string): Promise<InvalidInputError> {
    const thrown: unknown = await readCatalog(source).catch((error: unknown) => error);
    if (thrown instanceof InvalidInputError) return thrown;
    throw new Error('was read');
  }

  it('passes over what is hidden, and says so unless an ignore file names it', async () => {
    await put({
      'c.json': objects.join('\n'),
      '.old/c.json': objects.join('\n'),
      '.draft.json': 'no catalog',
      '.github/ci.yaml': 'no catalog',
      '.indexignore': '.github/\n',
    });
    const skipped: string[] = [];
    const read = await readCatalog(folder, {
      onSkipped: ({ file, why }) => skipped.push(`${file.slice(folder.length + 1)} ${why}`),
    });
    expect(counts(read)).to.equal('1 1 1');
    expect(skipped.sort()).to.deep.equal(['.draft.json hidden', '.old hidden']);
  });

  it('refuses a path that does not exist', async () => {
    expect((await refusal(join(folder, 'no'))).message).to.match(/no such file/);
  });

  it('refuses links in a loop and links to folders', async () => {
    await symlink('loop', join(folder, 'loop'));
    expect((await refusal(folder)).message).to.match(/leads back to itself/);
    await rm(join(folder, 'loop'));
    await symlink(tmpdir(), join(folder, 'elsewhere'));
    expect((await refusal(folder)).message).to.match(/symbolic link to a folder, .*\.indexignore/);
  });

  describe('from catalogd', () => {
    let server: Server;
    let url: string;
    let answer: { status: number; body: string };
    beforeEach(async () => {
      server = createServer((request, response) => {
        response.statusCode = request.url === '/catalogs/x/api/v1/all' ? answer.status : 404;
        response.end(answer.body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/catalogs/x`;
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    it('reads its stream', async () => {
      answer = { status: 200, body: objects.join('\n') };
      expect(counts(await readCatalog(url))).to.equal('1 1 1');
      expect(counts(await readCatalog(`${url}/api/v1/all`))).to.equal('1 1 1');
    });

    it('reports the answer when it is no catalog', async () => {
      answer = { status: 503, body: '' };
      expect((await refusal(url)).message).to.equal('answered 503 instead of a catalog');
    });

    describe('that does not end', () => {
      let isOpen = true;
      beforeEach(() => {
        isOpen = true;
        server.removeAllListeners('request');
      });
      afterEach(() => {
        isOpen = false;
        server.closeAllConnections();
      });
      const read = (limits: { bytes: number; milliseconds: number }): Promise<InvalidInputError> =>
        readCatalogd(url, { limits }).then(
          () => Promise.reject(new Error('was read')),
          (error: InvalidInputError) => error,
        );

      it('is given up after a limit of bytes', async () => {
        server.on('request', (_request, response: ServerResponse) => {
          const more = (): void => {
            while (isOpen && response.write(`${objects.join('\n')}\n`));
          };
          response.on('drain', more);
          more();
        });
        const { code, message } = await read({ bytes: 100_000, milliseconds: 600_000 });
        expect({ code, message }).to.deep.equal({
          code: 'E_LIMIT',
          message: 'sends more than 100000 bytes',
        });
      });

      it('is given up after a time limit', async () => {
        server.on('request', (_request, response: ServerResponse) => {
          const timer = setInterval(() => response.write(' '), 10);
          response.on('close', () => clearInterval(timer));
        });
        const { code, message } = await read({ bytes: 1_000_000, milliseconds: 100 });
        expect({ code, message }).to.deep.equal({
          code: 'E_LIMIT',
          message: 'has not been sent whole within 0.1 seconds',
        });
      });
    });

    it('reports where the stream breaks off', async () => {
      answer = { status: 200, body: `${objects.join('\n')}\n{"schema"` };
      expect((await readCatalog(url)).error?.where.line).to.equal(4);
    });
  });
});

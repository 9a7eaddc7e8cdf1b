/** `catalog validate|list|show|diff|graph` and `range`, from argv to exit code. */
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  ftruncateSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { queueCatalogText } from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { root, runHere } from './command.js';

const documents = join('test', 'cli', 'testdata', 'documents');
let folder = '';

/** Writes a file below the folder of the test and returns its path. */
function write(path: string, content: string | Buffer): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const lines = (...objects: object[]): string =>
  objects.map((each) => JSON.stringify(each)).join('\n');

/** Package `a` with one channel of these entries, and a bundle for each. */
function chain(...versions: string[]): string {
  return lines(
    { schema: 'olm.package', name: 'a', defaultChannel: 'stable' },
    {
      schema: 'olm.channel',
      package: 'a',
      name: 'stable',
      entries: versions.map((version, index) => ({
        name: `a.v${version}`,
        ...(index === 0 ? {} : { replaces: `a.v${versions[index - 1]}` }),
      })),
    },
    ...versions.map((version) => ({
      schema: 'olm.bundle',
      package: 'a',
      name: `a.v${version}`,
      image: `quay.io/example/a:v${version}`,
      properties: [{ type: 'olm.package', value: { packageName: 'a', version } }],
    })),
  );
}

describe('catalog', () => {
  before(() => (folder = mkdtempSync(join(tmpdir(), 'olm-guard-catalog-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('validate: 0 for what opm accepts, 1 with file and line for what it refuses', async () => {
    const good = await runHere(['catalog', 'validate', documents]);
    expect(good).to.include({ code: 0, stderr: '' });
    const file = write('heads/catalog.json', chain('1.0.0', '1.1.0').replace('"replaces"', '"x"'));
    const bad = await runHere(['catalog', 'validate', dirname(file)]);
    expect(bad.code).to.equal(1);
    expect(bad.stdout).to.include(`${file}:2`).and.to.include('multiple channel heads found');
  });

  it('validate: warns about blobs that are not as file-based catalogs are described', async () => {
    const blobs = [
      { schema: 'my.own', package: '' },
      { schema: 'my.own', properties: {} },
      { schema: 'my.own', properties: [{ type: '', value: 1 }] },
      { schema: 'my.own', properties: [{ type: 'color', value: null }] },
      { schema: 'my.own', relatedImages: [{ name: 'db' }] },
      { schema: 'olm.mine' },
    ];
    const content = blobs.map((blob) => JSON.stringify(blob)).join('\n');
    const ended = await runHere([
      'catalog',
      'validate',
      dirname(write('blobs/catalog.json', content)),
    ]);
    expect(ended).to.include({ code: 0, stderr: '' });
    for (const words of [
      'my.own: package is empty',
      'my.own: properties is no list',
      'my.own: properties[0].type is empty',
      'my.own: properties[0].value is null',
      'olm.* is reserved for OLM, which does not know "olm.mine"',
    ]) {
      expect(ended.stdout).to.include(words);
    }
  });

  it('validate: warns of keys that nobody reads, and names those that were meant', async () => {
    const text = readFileSync(join(root, 'examples', 'catalogs', 'after', 'reports.yaml'), 'utf8');
    const file = write(
      'misspelt.yaml',
      text
        .replace('defaultChannel: stable', 'defaultChannel: stable\ndescripton: Reports')
        .replace('replaces: reports.v1.1.0', 'replace: reports.v1.1.0\n    skipranges: ">=1.0.0"')
        .replace('image: registry', 'NAME_OF_THE_TEAM: us\nImage: registry'),
    );
    const { stdout } = await runHere(['catalog', 'validate', file]);
    for (const words of [
      'olm.package "reports": descripton is read by nobody (did you mean "description"?)',
      'entries[2].replace is read by nobody (did you mean "replaces"?)',
      'entries[2].skipranges is read by nobody (did you mean "skipRange"?)',
    ]) {
      expect(stdout).to.include(words);
    }
    expect(stdout.match(/is read by nobody/g)?.length).to.equal(3);
    const entires = write('entires.yaml', text.replace('entries:', 'entires:'));
    expect((await runHere(['catalog', 'validate', entires])).stdout).to.include(
      'olm.channel "stable": entires is read by nobody (did you mean "entries"?)',
    );
  });

  it('validate: quotes nothing of an object that is none of a catalog', async () => {
    const file = write('secret/secret.json', lines({ kind: 'Secret', data: { key: 'hunter2' } }));
    for (const output of ['text', 'json', 'sarif', 'junit', 'github', 'markdown', 'html']) {
      const said = await runHere(['catalog', 'validate', dirname(file), '-o', output]);
      expect(said.code).to.equal(1);
      expect(said.stdout).to.include('an object of kind Secret is missing root schema field');
      expect(said.stdout + said.stderr).to.not.include('hunter2');
    }
  });

  it('validate: says of an empty folder that it is one', async () => {
    const empty = join(folder, 'nothing');
    mkdirSync(empty);
    const ended = await runHere(['catalog', 'validate', empty]);
    expect(ended).to.include({
      code: 0,
      stderr: `olm-guard: ${empty}: no file of a catalog in it\n`,
    });
  });

  describe('what is no catalog, or no valid one', () => {
    const whole = join('examples', 'catalogs', 'after');
    const commands: readonly ((source: string) => string[])[] = [
      (source) => ['list', source],
      (source) => ['show', 'reports', source],
      (source) => ['path', 'reports', source],
      (source) => ['graph', 'reports', source, '-o', 'json'],
      (source) => ['diff', source, whole],
      (source) => ['diff', whole, source],
    ];
    for (const command of commands) {
      it(`${command('CATALOG').slice(0, 3).join(' ')}: says that there is none, or that opm refuses it`, async () => {
        const empty = join(folder, 'none');
        mkdirSync(empty, { recursive: true });
        const none = await runHere(['catalog', ...command(empty)]);
        expect(none.code).to.equal(2);
        expect(none.stderr).to.equal(`olm-guard: ${empty}: holds no file of a catalog\n`);
        const text = readFileSync(join(root, whole, 'reports.yaml'), 'utf8');
        write('torn/c.yaml', text.replace('replaces: reports.v1.1.0', 'replaces: reports.v0.1.0'));
        const torn = join(folder, 'torn');
        const told = await runHere(['catalog', ...command(torn)]);
        expect(told.stderr).to.include(
          `olm-guard: ${torn} is not valid, opm refuses it: olm-guard catalog validate ${torn} tells why\n`,
        );
        expect((await runHere(['catalog', ...command(whole)])).stderr).to.equal('');
      });
    }

    it('diff: says what an object is that is none of a catalog, and never what is in it', async () => {
      const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {key: c2VjcmV0}\n';
      const file = write('secret/s.yaml', secret);
      const ended = await runHere(['catalog', 'diff', join(folder, 'secret'), whole]);
      expect(ended.stderr).to.match(
        /^olm-guard: \S+s\.yaml:1: is of kind Secret, no object of a catalog: it has no schema .*\n$/,
      );
      expect(ended.stderr).to.include(file).and.not.to.include('c2VjcmV0');
      expect(ended.code).to.equal(2);
      const other = await runHere(['catalog', 'diff', 'examples/cluster', whole]);
      expect(other.stderr).to.include('(did you mean "olm-guard check crd OLD NEW"?)');
    });

    it('show: says what is missing when only one of package and catalog is given', async () => {
      const place = await runHere(['catalog', 'show', folder]);
      expect(place.code).to.equal(2);
      expect(place.stderr).to.include(`name a package: olm-guard catalog show PACKAGE ${folder};`);
      const name = await runHere(['catalog', 'show', 'queue']);
      expect(name.stderr).to.equal(
        'olm-guard: name the catalog of package queue: olm-guard catalog show queue CATALOG\n',
      );
    });
  });

  it('list and show: packages, heads, entries', async () => {
    write('queue/catalog.json', queueCatalogText);
    const list = await runHere(['catalog', 'list', join(folder, 'queue')]);
    expect(list.code).to.equal(0);
    expect(list.stdout).to.include('queue.v1.2.0');
    const show = await runHere(['catalog', 'show', 'queue', join(folder, 'queue'), '-o', 'json']);
    expect(JSON.parse(show.stdout)).to.have.property('name', 'queue');
    const unknown = await runHere(['catalog', 'show', 'quue', join(folder, 'queue')]);
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr).to.include('did you mean "queue"?');
  });

  describe('diff', () => {
    it('tells the gravest first, of packages and within one', async () => {
      const severities = (text: string): string[] =>
        [...text.matchAll(/\.(?:json|yaml):\d+ +(error|warning|info) /g)].map(
          ([, each = '']) => each,
        );
      write('grave/old/calm.json', chain('1.0.0'));
      write('grave/new/calm.json', chain('1.0.0', '1.1.0'));
      const reports = (side: string): string =>
        readFileSync(join(root, 'examples', 'catalogs', side, 'reports.yaml'), 'utf8');
      write('grave/old/reports.yaml', reports('before'));
      write('grave/new/reports.yaml', reports('after'));
      const { stdout } = await runHere([
        ...['catalog', 'diff', join(folder, 'grave/old'), join(folder, 'grave/new')],
      ]);
      expect(severities(stdout).slice(0, 2)).to.deep.equal(['error', 'info']);
      expect(stdout.indexOf('reports: denied')).to.be.within(0, stdout.indexOf('a: allowed'));
    });

    it('says nothing of a catalog that only grows', async () => {
      const old = write('grows/old.json', chain('1.0.0', '1.1.0'));
      const now = write('grows/new.json', chain('1.0.0', '1.1.0', '1.2.0'));
      const { code, stdout } = await runHere(['catalog', 'diff', old, now]);
      expect(code, stdout).to.equal(0);
      expect(stdout).to.include('the head moves from a.v1.1.0 to a.v1.2.0');
    });

    it('refuses a bundle that is withdrawn without a way away from it, and says where', async () => {
      const old = write('lost/old.json', chain('1.0.0', '1.1.0'));
      const now = write('lost/new.json', chain('1.2.0'));
      const { code, stdout } = await runHere(['catalog', 'diff', old, now]);
      expect(code).to.equal(1);
      expect(stdout)
        .to.match(/^a: denied$/m)
        .and.to.include(`${now}:2`);
      expect(stdout).to.include('CatalogBundleWithdrawn').and.to.include('fix: add a.v1.1.0');
    });

    it('is what its policy says, in JSON too', async () => {
      const old = write('policy/old.json', chain('1.0.0'));
      const now = write('policy/new.json', chain('1.2.0'));
      const policy = write(
        'policy/policy.yaml',
        'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nmodes: {catalogs: warn}\n',
      );
      const args = ['catalog', 'diff', old, now, '--policy', policy, '-o', 'json'];
      const { code, stdout } = await runHere(args);
      expect(code).to.equal(0);
      const { results } = JSON.parse(stdout) as {
        results: { verdict: { findings: { rule: string; severity: string }[] } }[];
      };
      const withdrawn = results[0]?.verdict.findings.find(
        ({ rule }) => rule === 'CatalogBundleWithdrawn',
      );
      expect(withdrawn?.severity).to.equal('warning');
    });

    it('asks for a package that is there', async () => {
      const old = write('asks/old.json', chain('1.0.0'));
      const { code, stderr } = await runHere(['catalog', 'diff', old, old, '--package', 'b']);
      expect(code).to.equal(2);
      expect(stderr).to.include('neither catalog has a package "b"');
    });
  });

  it('graph -o svg', async () => {
    const catalog = write('graph/catalog.json', queueCatalogText);
    const file = join(folder, 'picture.svg');
    const args = ['catalog', 'graph', 'queue', '--catalog', catalog, '-o', 'svg'];
    const { code, stderr } = await runHere([...args, '--from', '1.0.0', '--file', file]);
    expect(code, stderr).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.match(/^<svg [^]*v2\.1\.0/);
  });

  describe('bad input: one line that says where, exit code 2', () => {
    const whole = '{"schema":"olm.package","name":"a","defaultChannel":"b"}\n';
    const gigabyte = (path: string, beginning: string): string => {
      const file = write(path, beginning);
      const handle = openSync(file, 'r+');
      ftruncateSync(handle, 2 ** 30);
      closeSync(handle);
      return file;
    };
    const rows: [rule: string, make: () => string, says: RegExp][] = [
      [
        'a truncated stream',
        () => write('t/c.json', `${whole}{"schema":"olm.channel","na`),
        /c\.json:2:28: is not JSON: the input ends too early/,
      ],
      ['a binary file', () => write('b/c.yaml', Buffer.from([0x1f, 0x8b, 8, 0, 255])), /c\.yaml:1/],
      [
        'a NUL in JSON',
        () => write('n/c.json', '{"schema":"olm.package","name":"a\0"}'),
        /c\.json:1:/,
      ],
      ['a NUL in YAML', () => write('n/c.yaml', 'schema: olm.package\nname: "a\0"\n'), /c\.yaml:2/],
      [
        'a gigabyte of nothing',
        () => gigabyte('g/c.yaml', 'a: 1\n'),
        /is 1073741824 bytes of YAML/,
      ],
      [
        'an object of a gigabyte',
        () => gigabyte('g/c.json', '{"schema":"'),
        /c\.json:1: has an object of more than \d+ bytes/,
      ],
      [
        'a link to itself',
        () => {
          const link = join(folder, 'loop', 'self');
          mkdirSync(dirname(link), { recursive: true });
          symlinkSync('self', link);
          return link;
        },
        /self: is a symbolic link that leads back to itself/,
      ],
      ['what is not there', () => join(folder, 'nowhere', 'x'), /there is no such file or folder/],
    ];
    for (const [rule, make, says] of rows) {
      it(rule, async () => {
        const file = make();
        const target = file.endsWith('self') || file.endsWith('x') ? dirname(file) : file;
        const { code, stdout, stderr } = await runHere(['catalog', 'validate', target]);
        expect(code, stderr).to.equal(2);
        expect(stdout).to.equal('');
        expect(stderr).to.match(says);
        expect(stderr.trimEnd().split('\n')).to.have.lengthOf(1);
      });
    }

    it('but not a byte order mark', async () => {
      const file = write('bom/c.yaml', '\ufeffschema: olm.package\nname: a\ndefaultChannel: b\n');
      const { code, stdout } = await runHere(['catalog', 'validate', file]);
      expect(code).to.equal(1);
      expect(stdout).to.include('channel "b"');
    });

    it('nor 100,000 channels', async () => {
      const [first = '', , ...bundles] = chain('1.0.0').split('\n');
      const channel = (name: string): string =>
        lines({ schema: 'olm.channel', package: 'a', name, entries: [{ name: 'a.v1.0.0' }] });
      const channels = Array.from({ length: 99_999 }, (_, index) => channel(`c${index}`));
      const all = [first, channel('stable'), ...channels, ...bundles];
      const file = write('many/c.json', all.join('\n'));
      const { code, stdout } = await runHere(['catalog', 'validate', file]);
      expect(code).to.equal(0);
      expect(stdout).to.include('100000 channels');
    });
  });
});

/** What others wrote, through every command and every format: nothing of it is obeyed by who reads. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { run } from '../cli/command.js';

/** Colours and cursors, lines, commands of CI runners, and letters that turn others round. */
const evil =
  'a\u001b[2K\u001b]0;t\u0007\u009b31m\r\n::set-output name=x::y\n  ::error::z ##[group]g ##vso[task.x]\u2028\u0085\u202eb';

const crd = (name: string, fields: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${name}${evil}` },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { kind: `Foo${evil}`, plural: `foos${evil}`, singular: 'foo', listKind: 'FooList' },
    versions: [
      {
        name: `v1${evil}`,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...fields } } },
        },
      },
    ],
  },
});

const spec = (type: string, name: string): object => ({
  required: [`${name}${evil}`],
  properties: {
    [`${name}${evil}`]: { type, enum: [evil], description: `${evil}\0`, default: evil },
    [`keep${evil}\0`]: { type },
  },
});

const group = (name: string): object => ({
  apiVersion: 'operators.coreos.com/v1',
  kind: 'OperatorGroup',
  metadata: {
    name: `${name}${evil}`,
    namespace: `ns${evil}`,
    annotations: { 'olm.providedAPIs': evil },
  },
  spec: { targetNamespaces: [`other${evil}`], serviceAccountName: evil },
});

const csv = (name: string, replaces: string): object => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: {
    name: `${name}${evil}`,
    namespace: `ns${evil}`,
    annotations: { 'operatorframework.io/properties': evil, 'olm.skipRange': evil },
  },
  spec: {
    version: `1.0.0${evil}`,
    replaces: `${replaces}${evil}`,
    customresourcedefinitions: { owned: [{ name: `foos.x.io${evil}`, kind: evil, version: evil }] },
    installModes: [{ type: evil, supported: true }],
  },
});

const subscription: object = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'Subscription',
  metadata: { name: `sub${evil}`, namespace: 'ns' },
  spec: { name: `op${evil}`, channel: `c${evil}`, source: `cat`, sourceNamespace: 'olm' },
};

const source: object = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'CatalogSource',
  metadata: { name: 'cat', namespace: 'olm' },
  spec: { sourceType: 'grpc', image: `x:${evil}`, displayName: evil },
};

const catalog = (version: string, skipRange: string): object[] => {
  const own = { package: `op${evil}` };
  const bundle = (name: string, v: string): object => ({
    schema: 'olm.bundle',
    ...own,
    name: `${name}${evil}`,
    image: 'quay.io/x/y:z',
    properties: [
      { type: 'olm.package', value: { packageName: `op${evil}`, version: v } },
      { type: 'olm.gvk', value: { group: evil, version: evil, kind: evil } },
    ],
  });
  return [
    { schema: 'olm.package', name: `op${evil}`, defaultChannel: `c${evil}`, description: evil },
    {
      schema: 'olm.channel',
      ...own,
      name: `c${evil}`,
      entries: [
        { name: `op.v1${evil}` },
        { name: `op.v${version}${evil}`, replaces: `op.v1${evil}`, skipRange },
      ],
    },
    bundle('op.v1', '1.0.0'),
    bundle(`op.v${version}`, `${version}.0.0`),
    {
      schema: 'olm.deprecations',
      ...own,
      entries: [
        { reference: { schema: 'olm.package' }, message: evil },
        { reference: { schema: 'olm.channel', name: `c${evil}` }, message: evil },
        { reference: { schema: 'olm.bundle', name: `op.v1${evil}` }, message: evil },
      ],
    },
  ];
};

/** What these say holds nothing of it. */
const silent = new Set([
  'resolve -n ns',
  'range >1 || ::error:: 1.0.0',
  'check crd not',
  'catalog validate unnamed',
  'catalog list unnamed',
]);

describe('what a command writes about hostile names', function () {
  this.timeout(300_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-evil-'));
    const put = (path: string, objects: object[]): void => {
      // The file has such a name too, but for what no file may be called.
      const [parent, name] = path.split('/') as [string, string];
      mkdirSync(join(folder, parent), { recursive: true });
      const file = `${name}${evil.replaceAll('/', '')}.json`;
      writeFileSync(
        join(folder, parent, file),
        objects.map((each) => JSON.stringify(each)).join('\n'),
      );
    };
    put('old/a', [crd('foos.x.io', spec('string', 'f')), csv('op.v1', 'op.v0')]);
    put('new/a', [crd('foos.x.io', spec('integer', 'g')), csv('op.v2', 'op.v1')]);
    put('groups/g', [group('g'), group('h')]);
    put('state/s', [
      group('g'),
      group('h'),
      csv('op.v1', 'op.v0'),
      subscription,
      source,
      crd('foos.x.io', spec('string', 'f')),
    ]);
    put('catalog/c', catalog('2', `<2.0.0 ${evil}`));
    put('before/c', catalog('3', `<3.0.0 ${evil}`));
    put('broken/c', [{ schema: 'olm.package', name: [evil] }]);
    put('unnamed/c', [{ name: evil, blob: 'x'.repeat(5_000_000) }]);
    put('not/yaml', []);
    writeFileSync(join(folder, 'not', 'x.yaml'), `a: &b ${evil.replaceAll(/[^ -~]/g, '')} *c : "`);
    const written = [...evil].map(
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const policy = `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n"${written.join('')}": 1\n`;
    writeFileSync(join(folder, 'policy.yaml'), policy);
  });
  after(() => rmSync(folder, { recursive: true }));

  const checks = ['text', 'json', 'yaml', 'sarif', 'junit', 'github', 'markdown', 'html'];
  const op = `op${evil}`;
  const commands: readonly [command: readonly string[], formats: readonly string[]][] = [
    [['check', 'crd', 'old', 'new'], checks],
    [['check', 'crd', 'old', 'new', '--profile', 'proof', '--explain'], ['text']],
    [
      ['check', 'bundle', 'new', '--against', 'old'],
      ['text', 'github', 'markdown'],
    ],
    [
      ['check', 'operatorgroup', 'groups', '--state', 'state'],
      ['text', 'github', 'yaml'],
    ],
    [
      ['scan', '--state', 'state'],
      ['text', 'json', 'junit', 'github'],
    ],
    [
      ['catalog', 'validate', 'catalog'],
      ['text', 'yaml', 'github'],
    ],
    [['catalog', 'validate', 'broken'], ['text']],
    [
      ['catalog', 'validate', 'unnamed'],
      ['text', 'json', 'markdown'],
    ],
    [
      ['catalog', 'list', 'catalog'],
      ['text', 'json', 'yaml'],
    ],
    [['catalog', 'list', 'unnamed'], ['text']],
    [['catalog', 'show', op, 'catalog'], ['text']],
    [
      ['catalog', 'path', op, '--catalog', 'catalog', '--from', '1.0.0'],
      ['text', 'yaml'],
    ],
    [
      ['catalog', 'graph', op, '--catalog', 'catalog', '--from', '1.0.0'],
      ['svg', 'html', 'mermaid', 'dot', 'json'],
    ],
    [
      ['catalog', 'diff', 'before', 'catalog'],
      ['text', 'github'],
    ],
    [
      ['resolve', '-n', 'ns', '--state', 'state', '--catalog', 'cat=catalog'],
      ['text', 'json', 'svg'],
    ],
    [['range', '>1 || ::error::', '1.0.0'], ['text']],
    [['explain', `NoSuchRule${op}`], ['']],
    [['check', 'crd', 'not', 'new'], ['text']],
    [['check', 'crd', 'old', 'new', '--policy', 'policy.yaml'], ['text']],
    [[op], ['']],
  ];
  for (const [command, formats] of commands) {
    for (const format of formats) {
      const name = [...command.slice(0, 4), format].join(' ').replaceAll(/[^ -~]|##/g, '');
      it(name, async () => {
        const args = format === '' ? command : [...command, '-o', format];
        const { stdout, stderr, code } = await run(args, { cwd: folder });
        expect(code).to.be.oneOf([0, 1, 2]);
        expect(stderr).not.to.include('a defect');
        for (const text of [stdout, stderr]) demandHarmless(text, format);
        if (!silent.has(command.slice(0, 3).join(' ')))
          expect(stdout + stderr).to.match(/\\(?:x1b|u001b|e\[)/);
        if (format === 'json' || format === 'sarif') JSON.parse(stdout);
        if (format === 'yaml') load(stdout);
      });
    }
  }

  it('does not print documents', async () => {
    const asked = [
      ['catalog', 'validate', 'unnamed'],
      ['catalog', 'validate', 'unnamed', '-o', 'json'],
    ];
    for (const args of asked) {
      const { stdout, stderr } = await run(args, { cwd: folder });
      expect(stdout + stderr).to.include('is missing root schema field');
      expect(stdout + stderr).not.to.include('xxx');
    }
    const { stderr } = await run(['catalog', 'list', 'unnamed'], { cwd: folder });
    expect(stderr).to.include('no object of a catalog: it has no schema');
    expect(stderr).not.to.include('xxx');
  });
});

function demandHarmless(text: string, format: string): void {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  expect(text).not.to.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]/);
  const lines = text.split('\n').map((line) => line.trimStart());
  const commands = lines.filter((line) => line.startsWith('::'));
  const foreign = commands.filter((line) => !/^::(?:error|warning|notice) /.test(line));
  expect(format === 'github' ? foreign : commands).to.deep.equal([]);
  expect(text).not.to.match(/##(?:vso)?\[/);
}

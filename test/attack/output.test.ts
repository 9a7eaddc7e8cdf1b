/** What others wrote, through every command and every format: nothing of it is obeyed by who reads. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { runHere } from '../cli/command.js';

/** Colours and cursors, lines, commands of CI runners, and letters that turn others round. */
const control =
  'a\u001b[2K\u001b]0;t\u0007\u009b31m\r\n::set-output name=x::y\n  ::error::z ##[group]g ##vso[task.x]\u2028\u0085\u202eb';

/** Scripts, links and images of pages and of Markdown, the ends of what they stand in, mentions and directives. */
const active = [
  'a<script>evil7()</script><img src=x onerror=evil7()><svg onload=evil7()>',
  `" onmouseover="evil7()" ' onfocus='evil7()' --></style></title></textarea>]]>`,
  '<a href="javascript:evil7()">x</a>[evil7](javascript:evil7()) ![evil7](https://evil.example/7)',
  '<https://evil.example/7> www.evil.example @evil7 evil7@evil.example \\](https://evil.example)',
  '```\n~~~\r/close\n# evil7\n| evil7 | x |\n</details>',
  '"]; click n0 "javascript:evil7()" %%{init: {"themeCSS": "evil7"}}%% #lt;b#gt; "`evil7`',
  '\\" URL="javascript:evil7()" \\\\',
].join('');

const hostile = [
  { what: 'control characters', evil: control, written: /\\(?:x1b|u001b|e\[)/ },
  { what: 'active content', evil: active, written: /evil7/ },
] as const;

function objectsWith(evil: string) {
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
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', ...fields } },
            },
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
      customresourcedefinitions: {
        owned: [{ name: `foos.x.io${evil}`, kind: evil, version: evil }],
      },
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

  return { crd, spec, group, csv, subscription, source, catalog };
}

/** What these say holds nothing of it. */
const silent = new Set([
  'resolve -n ns',
  'range >1 || ::error:: 1.0.0',
  'check crd not',
  'catalog validate unnamed',
  'catalog list unnamed',
]);

for (const { what, evil, written } of hostile) {
  const { crd, spec, group, csv, subscription, source, catalog } = objectsWith(evil);
  describe(`what a command writes about names with ${what}`, function () {
    this.timeout(300_000);
    let folder: string;

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'olm-guard-evil-'));
      const put = (path: string, objects: object[]): void => {
        // The file has such a name too, but for what no file may be called.
        const [parent, name] = path.split('/') as [string, string];
        mkdirSync(join(folder, parent), { recursive: true });
        const file = `${name}${evil.replaceAll('/', '').slice(0, 120)}.json`;
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
      writeFileSync(
        join(folder, 'not', 'x.yaml'),
        `a: &b ${evil.replaceAll(/[^ -~]/g, '')} *c : "`,
      );
      const letters = [...evil].map(
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const policy = `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n? "${letters.join('')}"\n: 1\n`;
      writeFileSync(join(folder, 'policy.yaml'), policy);
    });
    after(() => rmSync(folder, { recursive: true }));

    const checks = ['text', 'json', 'yaml', 'sarif', 'junit', 'github', 'markdown', 'html'];
    const op = `op${evil}`;
    const commands: readonly [command: readonly string[], formats: readonly string[]][] = [
      [['check', 'crd', 'old', 'new'], checks],
      [['check', 'crd', 'old', 'new', '--profile', 'proof', '--explain'], ['text']],
      [['check', 'bundle', 'new', '--against', 'old'], checks],
      [['check', 'operatorgroup', 'groups', '--state', 'state'], checks],
      [['scan', '--state', 'state'], checks],
      [['catalog', 'validate', 'catalog'], checks],
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
        ['svg', 'json'],
      ],
      [['catalog', 'diff', 'before', 'catalog'], checks],
      [
        ['resolve', '-n', 'ns', '--state', 'state', '--catalog', 'cat=catalog'],
        ['text', 'json', 'yaml'],
      ],
      [
        ['plan', 'old', 'new'],
        ['text', 'markdown', 'html', 'json'],
      ],
      [
        ['plan', '--package', op, '--catalog', 'catalog', '--from', '1.0.0'],
        ['text', 'markdown', 'html', 'json'],
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
          const { stdout, stderr, code } = await runHere(args, { cwd: folder });
          expect(code).to.be.oneOf([0, 1, 2]);
          expect(stderr).not.to.include('a defect');
          for (const text of [stdout, stderr]) demandHarmless(text, format);
          demandInert(stdout, format);
          if (!silent.has(command.slice(0, 3).join(' '))) expect(stdout + stderr).to.match(written);
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
        const { stdout, stderr } = await runHere(args, { cwd: folder });
        expect(stdout + stderr).to.include('is missing root schema field');
        expect(stdout + stderr).not.to.include('xxx');
      }
      const { stderr } = await runHere(['catalog', 'list', 'unnamed'], { cwd: folder });
      expect(stderr).to.include('no object of a catalog: it has no schema');
      expect(stderr).not.to.include('xxx');
    });
  });
}

function demandHarmless(text: string, format: string): void {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  expect(text).not.to.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]/);
  const lines = text.split('\n').map((line) => line.trimStart());
  const commands = lines.filter((line) => line.startsWith('::'));
  const foreign = commands.filter((line) => !/^::(?:error|warning|notice) /.test(line));
  expect(format === 'github' ? foreign : commands).to.deep.equal([]);
  expect(text).not.to.match(/##(?:vso)?\[/);
}

/** Nothing of what others wrote is a tag, an attribute, a link, a mention or a line of a picture's language. */
function demandInert(text: string, format: string): void {
  if (['html', 'svg', 'junit'].includes(format)) demandInertMarkup(text);
  if (format === 'markdown') demandInertMarkdown(text);
  if (format === 'sarif') {
    const { runs } = JSON.parse(text) as { runs: { results: { message: { text: string } }[] }[] };
    const messages = runs.flatMap(({ results }) => results.map(({ message }) => message.text));
    for (const message of messages) expect(message).not.to.include('](');
  }
}

const scripts = /<(script|style)([^>]*)>([^]*?)<\/\1>/g;
const tag = /<[/?!]?([a-zA-Z][\w:-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"<]*"|'[^'<]*'))?)*)\s*[/?]?>/g;

function demandInertMarkup(text: string): void {
  for (const [, name, attributes = '', content = ''] of text.matchAll(scripts)) {
    if (!content.includes('evil7')) continue;
    // Data, which a script reads as text.
    expect(attributes, name).to.include('application/json');
    JSON.parse(content);
  }
  const markup = text.replaceAll(scripts, '').replaceAll(/<!(?:DOCTYPE [^>]*|--[^]*?--)>/gi, '');
  for (const [, name = '', attributes = ''] of markup.matchAll(tag)) {
    expect(name).not.to.match(/^(?:script|img|iframe|object|embed|base|form|foreignObject)$/i);
    for (const [, key = '', value = ''] of attributes.matchAll(
      /([\w:-]+)(?:\s*=\s*["']([^"']*))?/g,
    )) {
      expect(key).not.to.match(/^on|evil/i);
      if (key === 'style') expect(value).not.to.include('evil');
      // A place in the same page is called by what it is about.
      const isAddress = /^(?:xlink:)?(?:href|src|action)$/i.test(key) && !/^#[^:/]*$/.test(value);
      if (isAddress) expect(value).not.to.match(/evil|script:/);
    }
  }
  // Whatever is no tag holds no beginning of one.
  expect(markup.replaceAll(tag, '')).not.to.include('<');
}

function demandInertMarkdown(text: string): void {
  const fences = /^( *)(`{3,})[^`\n]*\n[^]*?^\1\2`*$/gm;
  const outside = text.replaceAll(fences, '').replaceAll(/\\[\\[\]`*_{}()#+.!|~$-]/g, '');
  expect(outside).not.to.match(/<(?!br>|\/?(?:details|summary|b)>)/);
  expect(outside).not.to.match(/evil7?\]\(|\]\((?!https:\/\/github\.com\/)/);
  expect(outside).not.to.match(
    /@evil7|https?:\/\/evil|www\.evil|^\s*(?:`{3}|~{3}|\/close|# evil)/m,
  );
}

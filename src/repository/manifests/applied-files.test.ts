import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { metaOf, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { manifestObjects } from './manifest-objects.js';

const repoURL = 'https://example.com/team/mono.git';

function widget(name: string): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } };
}

function argo(kind: string, spec: JsonObject): string {
  const head = { apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name: 'a' } };
  return stringifyJson({ ...head, spec });
}

const applicationOf = (source: JsonObject, namespace = 'web'): string =>
  argo('Application', { destination: { namespace }, source: { repoURL, ...source } });

const setOf = (generators: JsonObject[], path: string, more: JsonObject = {}): string =>
  argo('ApplicationSet', {
    ...more,
    generators,
    template: { spec: { destination: { namespace: 'of-set' }, source: { repoURL, path } } },
  });

const folders = {
  'web/one.yaml': stringifyJson(widget('one')),
  'web/deep/two.yaml': stringifyJson(widget('two')),
  'web/config.json': '{"folder": {"name": "web/deep"}}',
  'db/three.yaml': stringifyJson(widget('three')),
};
const everything = ['/one', '/three', '/two'];

describe('what Argo CD and Flux apply of a repository', () => {
  let top: string;
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'olm-guard-applied-'));
    mkdirSync(join(top, '.git'));
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top, name)), { recursive: true });
      writeFileSync(join(top, name), text);
    }
  };

  interface Read {
    /** `namespace/name` of each Widget. */
    readonly widgets: readonly string[];
    readonly unchecked: readonly string[];
    readonly notes: readonly string[];
  }
  const read = async (source = top): Promise<Read> => {
    const [widgets, unchecked, notes]: string[][] = [[], [], []];
    const files = manifestObjects(source, {
      onUnchecked: (sentence) => unchecked?.push(sentence),
      onNote: (sentence) => notes?.push(sentence),
    });
    for await (const { objects } of files) {
      for (const { object, applied } of objects) {
        if (object['kind'] !== 'Widget') continue;
        widgets?.push(`${applied.namespace ?? ''}/${metaOf(object).name}`);
      }
    }
    return { widgets: widgets?.sort() ?? [], unchecked: unchecked ?? [], notes: notes ?? [] };
  };

  const flux = (spec: JsonObject): string =>
    stringifyJson({
      ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' },
      ...{ metadata: { name: 'f', namespace: 'flux-system' }, spec },
    });
  const reference = { kind: 'GitRepository', name: 'flux-system' };

  const rows: [name: string, applied: string, widgets: string[]][] = [
    ['an Application', applicationOf({ path: 'web' }), ['/three', '/two', 'web/one']],
    [
      'an Application with the folders in its folder',
      applicationOf({ path: './web/', directory: { recurse: true } }),
      ['/three', 'web/one', 'web/two'],
    ],
    [
      'several sources',
      argo('Application', {
        destination: { namespace: 'n' },
        sources: [
          { repoURL, path: 'web' },
          { repoURL, path: 'db' },
        ],
      }),
      ['/two', 'n/one', 'n/three'],
    ],
    [
      'a list of elements',
      setOf([{ list: { elements: [{ folder: 'web/deep' }, { folder: 'db' }] } }], '{{folder}}'),
      ['/one', 'of-set/three', 'of-set/two'],
    ],
    [
      "a list in Go's templates",
      setOf([{ list: { elements: [{ at: { folder: 'db' } }] } }], '{{ .at.folder }}', {
        goTemplate: true,
      }),
      ['/one', '/two', 'of-set/three'],
    ],
    [
      'folders of the repository',
      setOf(
        [{ git: { repoURL, directories: [{ path: '*' }, { path: 'db', exclude: true }] } }],
        '{{path}}',
      ),
      ['/three', '/two', 'of-set/one'],
    ],
    [
      'files of the repository',
      setOf([{ git: { repoURL, files: [{ path: '**/config.json' }] } }], '{{folder.name}}'),
      ['/one', '/three', 'of-set/two'],
    ],
    [
      'a matrix of folders and elements',
      setOf(
        [
          {
            matrix: {
              generators: [
                { git: { repoURL, directories: [{ path: 'web' }] } },
                { list: { elements: [{ sub: 'deep' }] } },
              ],
            },
          },
        ],
        '{{path.basename}}/{{sub}}',
      ),
      ['/one', '/three', 'of-set/two'],
    ],
    [
      'clusters, which leave the folder as it is written',
      setOf([{ clusters: {} }], 'db'),
      ['/one', '/two', 'of-set/three'],
    ],
    [
      'a Kustomization of Flux',
      flux({ path: './web', sourceRef: reference }),
      ['/three', 'flux-system/one', 'flux-system/two'],
    ],
    [
      'a Kustomization of Flux with a namespace',
      flux({ path: './web', sourceRef: reference, targetNamespace: 'target' }),
      ['/three', 'target/one', 'target/two'],
    ],
  ];
  for (const [name, applied, widgets] of rows) {
    it(name, async () => {
      write({ ...folders, 'apps/a.yaml': applied });
      expect(await read()).to.deep.equal({ widgets, unchecked: [], notes: [] });
    });
  }

  it('is read where only the Application is named', async () => {
    write({ ...folders, 'apps/a.yaml': applicationOf({ path: 'web' }) });
    expect((await read(join(top, 'apps'))).widgets).to.deep.equal(['web/one']);
    expect((await read(join(top, 'apps', 'a.yaml'))).widgets).to.deep.equal(['web/one']);
  });

  it('takes of a directory the files that Argo CD takes', async () => {
    const two = {
      'web/one.yaml': stringifyJson(widget('one')),
      'web/two.yaml': stringifyJson(widget('two')),
    };
    write({ ...two, 'apps/a.yaml': applicationOf({ path: 'web', directory: { exclude: 't*' } }) });
    expect((await read(join(top, 'apps'))).widgets).to.deep.equal(['web/one']);
    write({ 'apps/a.yaml': applicationOf({ path: 'web', directory: { include: '[t]*' } }) });
    const { widgets, unchecked } = await read(join(top, 'apps'));
    expect(widgets).to.deep.equal([]);
    expect(unchecked.join()).to.match(/Application a .*the pattern \[t\]\* is not read here/);
  });

  it('takes the files as they are where a directory is named, or Flux finds no kustomization', async () => {
    const both = {
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
      'web/one.yaml': stringifyJson(widget('one')),
    };
    write({ ...both, 'apps/a.yaml': flux({ path: 'web', sourceRef: reference }) });
    expect((await read()).widgets).to.deep.equal(['flux-system/one']);
    const directory = { recurse: true };
    write({ 'apps/a.yaml': applicationOf({ path: 'web', directory }) });
    expect((await read()).widgets).to.deep.equal(['web/one']);
    write({ 'web/kustomization.yaml': 'resources: [one.yaml]\nnamePrefix: a-\n' });
    const { widgets, unchecked } = await read();
    expect([widgets, unchecked]).to.deep.equal([['web/one'], []]);
  });

  it('applies a folder again where another Application takes the folders in it too', async () => {
    write({
      ...folders,
      'a.yaml': applicationOf({ path: 'web', directory: { exclude: 'x' } }),
      'b.yaml': applicationOf({ path: 'web', directory: { exclude: 'x', recurse: true } }),
    });
    expect((await read()).widgets).to.include('web/two');
  });

  it('fills in the variables of Flux that are known', async () => {
    const object = stringifyJson(widget('${prefix}-${other:=x}'));
    const spec = { path: 'web', sourceRef: reference, postBuild: { substitute: { prefix: 'p' } } };
    write({ 'web/one.yaml': object, 'f.yaml': flux(spec) });
    expect((await read()).widgets).to.deep.equal(['flux-system/p-x']);
  });

  it('leaves out variables of Flux that nothing sets, unless the cluster may set them', async () => {
    const names = ['${prefix}-a${unset}', '$${prefix}', '${unset:-d}'];
    const objects = names.map((name) => stringifyJson(widget(name)));
    const annotated = 'annotations: { kustomize.toolkit.fluxcd.io/substitute: disabled }';
    objects.push(
      `{ apiVersion: example.com/v1, kind: Widget, metadata: { name: "\${b}", ${annotated} } }`,
    );
    const namesBy = async (postBuild: object): Promise<readonly string[]> => {
      const text = flux({ path: 'web', sourceRef: reference, postBuild: { ...postBuild } });
      write({ 'web/one.yaml': objects.join('\n---\n'), 'f.yaml': text });
      return (await read()).widgets.map((each) => each.replace('flux-system/', ''));
    };
    const substitute = { prefix: 'p' };
    const substituteFrom = [{ kind: 'Secret', name: 's' }];
    expect(await namesBy({ substitute })).to.have.members(['p-a', '${prefix}', 'd', '${b}']);
    const kept = ['p-a${unset}', '${prefix}', 'd', '${b}'];
    expect(await namesBy({ substitute, substituteFrom })).to.have.members(kept);
    expect(await namesBy({ substitute: {} })).to.have.members([...names, '${b}']);
  });

  it('applies a folder again where the cluster may set other variables', async () => {
    const spec = { path: 'web', sourceRef: reference };
    const substitute = { prefix: 'p' };
    const fromCluster = { substitute, substituteFrom: [{ kind: 'Secret', name: 's' }] };
    write({
      'web/one.yaml': stringifyJson(widget('a${unset}')),
      'f.yaml': flux({ ...spec, postBuild: { substitute } }),
      'g.yaml': flux({ ...spec, postBuild: fromCluster }),
    });
    const { widgets, unchecked } = await read();
    expect(widgets).to.deep.equal(['flux-system/a', 'flux-system/a${unset}']);
    expect(unchecked.join()).to.match(
      /^Kustomization f \(.*g\.yaml:1\): variables that only the cluster knows \(Secret s\), .*: unset$/,
    );
  });

  it('has nothing to say of variables of the cluster that nothing takes', async () => {
    const postBuild = { substituteFrom: [{ kind: 'Secret', name: 's' }] };
    write({
      'web/one.yaml': stringifyJson(widget('a${by:-default}')),
      'g.yaml': flux({ path: 'web', sourceRef: reference, postBuild }),
    });
    const { widgets, unchecked } = await read();
    expect([widgets, unchecked]).to.deep.equal([['flux-system/adefault'], []]);
  });

  const configMap = (name: string, data: JsonObject, more: JsonObject = {}): string =>
    stringifyJson({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'flux-system' } },
      ...{ data, ...more },
    });

  it('takes variables from ConfigMaps of the repository, later ones over earlier ones', async () => {
    const substituteFrom = ['first', 'second'].map((name) => ({ kind: 'ConfigMap', name }));
    const postBuild = { substitute: { c: '5' }, substituteFrom };
    write({
      'web/one.yaml': stringifyJson(widget('${a}-${b}-${c}-${unset}')),
      'f.yaml': flux({ path: 'web', sourceRef: reference, postBuild }),
      'vars/first.yaml': configMap('first', { a: '1\n', b: '2' }),
      'vars/second.yaml': configMap('second', { b: '3', c: '4' }),
    });
    const { widgets, unchecked } = await read(join(top, 'f.yaml'));
    expect([widgets, unchecked]).to.deep.equal([['flux-system/1-3-5-'], []]);
  });

  it('takes the ConfigMap that is nearest, and of two as near what they agree on', async () => {
    const postBuild = { substituteFrom: [{ kind: 'ConfigMap', name: 'vars' }] };
    const of = (name: string): string =>
      flux({ path: name, sourceRef: reference, postBuild, targetNamespace: name });
    const elsewhere = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'vars' } };
    write({
      'web/one.yaml': stringifyJson(widget('${a}${b}')),
      'db/three.yaml': stringifyJson(widget('${a}${b}')),
      'clusters/web/flux.yaml': of('web'),
      'clusters/web/vars.yaml': configMap('vars', { a: '1', b: '2' }),
      'clusters/db/vars.yaml': configMap('vars', { a: '1', b: '3' }),
      'clusters/db.yaml': of('db'),
      'vars.yaml': stringifyJson({ ...elsewhere, data: { a: '4' } }),
      'clusters/web/other.yaml': configMap('vars', { a: '5' }).replace('flux-system', 'other'),
    });
    const { widgets, unchecked } = await read(join(top, 'clusters'));
    expect(widgets).to.deep.equal(['db/1${b}', 'web/12']);
    expect(unchecked.join()).to.match(
      /db\.yaml:1\): variables that only the cluster knows \(ConfigMap vars\), .*: b$/,
    );
  });

  for (const [name, data] of [
    ['is encrypted', configMap('vars', { a: 'ENC[]' }, { sops: {} })],
    ['is not there', configMap('others', { a: '1' })],
    ['is no YAML', 'kind: ConfigMap\n  a: ['],
  ] as const) {
    it(`does not know the variables of a ConfigMap that ${name}`, async () => {
      const postBuild = { substituteFrom: [{ kind: 'ConfigMap', name: 'vars' }] };
      write({
        'web/one.yaml': stringifyJson(widget('w${a}')),
        'f.yaml': flux({ path: 'web', sourceRef: reference, postBuild }),
        'vars.yaml': data,
      });
      const { widgets, unchecked } = await read(join(top, 'f.yaml'));
      expect(widgets).to.deep.equal(['flux-system/w${a}']);
      expect(unchecked.join()).to.include('(ConfigMap vars)').and.match(/: a$/);
    });
  }

  it('follows no Kustomization of a component before somebody takes the component in', async () => {
    write({
      ...folders,
      'components/db/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [flux.yaml]\n',
      'components/db/flux.yaml': flux({
        path: 'db',
        sourceRef: reference,
        postBuild: { substitute: { app: '${app}' } },
      }),
    });
    const { widgets, unchecked } = await read();
    expect([widgets, unchecked]).to.deep.equal([everything, []]);
  });

  it('tells which values are not known where it reads a variable', async () => {
    const of = (name: string, postBuild: JsonObject): string =>
      flux({ path: name, sourceRef: reference, postBuild });
    write({
      'known/w.yaml': stringifyJson(widget('known')),
      'changed/w.yaml': stringifyJson(widget('changed-${b^^}')),
      'other/w.yaml': stringifyJson(widget('other-${a}')),
      'nobody/w.yaml': stringifyJson(widget('nobody-${a}')),
      'nobody/deep/kustomization.yaml': 'resources: []\n',
      'f.yaml': of('known', { substitute: { a: '1' } }),
      'c.yaml': of('changed', { substitute: { b: '1' } }),
      'g.yaml': of('other', { substitute: { a: '${b}' } }),
    });
    const told = new Map<string, boolean | undefined>();
    for await (const { objects } of manifestObjects(top, { onUnchecked: () => undefined })) {
      for (const { object, applied } of objects) {
        if (object['kind'] !== 'Widget') continue;
        told.set(metaOf(object).name, applied.isUnknown?.('a ${b} c'));
      }
    }
    expect([...told]).to.have.deep.members([
      ['known', undefined],
      ['changed-${b^^}', true],
      ['other-${b}', true],
      ['nobody-${a}', true],
    ]);
  });

  it('leaves out what Flux does not see, by .sourceignore files and spec.ignore', async () => {
    const names = ['a', 'b', 'deep/c', 'deep/d', 'deep/kept/e', 'x/f', 'y/g'];
    const ignoring = {
      ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository' },
      ...{ metadata: { name: 'flux-system' }, spec: { url: repoURL, ignore: 'y/\n!b.yaml' } },
    };
    write({
      'apps/x/kustomization.yaml': 'resources: [https://example.com/x.yaml]\n',
      '.sourceignore': '# a comment\n/apps/a.yaml\nb.yaml\n/apps/x/\n/c.yaml\nx.yaml\n',
      'apps/deep/.sourceignore': '/*\n!/kept/\n',
      'flux.yaml': flux({ path: 'apps', sourceRef: reference }),
      'source.yaml': stringifyJson(ignoring),
      'beside/a.yaml': stringifyJson(widget('beside')),
    });
    for (const name of names) {
      write({ [`apps/${name}.yaml`]: stringifyJson(widget(name.slice(-1))) });
    }
    const skipped: string[] = [];
    const widgets: string[] = [];
    const read = manifestObjects(top, {
      onUnchecked: (sentence) => widgets.push(sentence),
      onSkipped: ({ file, why }) => skipped.push(`${relative(top, file)}: ${why.slice(0, 7)}`),
    });
    for await (const { objects } of read) {
      for (const { object } of objects) {
        if (object['kind'] === 'Widget') widgets.push(metaOf(object).name);
      }
    }
    expect(widgets.sort()).to.deep.equal(['b', 'beside', 'e']);
    expect(skipped).to.include.members(['apps/a.yaml: ignored', 'apps/deep/c.yaml: ignored']);
  });

  it('reads the examples of a ClusterServiceVersion', async () => {
    const csv = {
      ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' },
      metadata: { name: 'w', annotations: { 'alm-examples': stringifyJson([widget('example')]) } },
    };
    write({ 'csv.yaml': stringifyJson(csv) });
    expect((await read()).widgets).to.deep.equal(['/example']);
  });

  it('knows a GitRepository that was applied before', async () => {
    const source = {
      ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository' },
      ...{ metadata: { name: 'flux-system' }, spec: { url: repoURL, ignore: '/db/' } },
    };
    write({
      ...folders,
      'source.yaml': stringifyJson(source),
      'f.yaml': flux({ path: 'inner', sourceRef: reference }),
      'inner/f.yaml': flux({ path: 'db', sourceRef: reference }),
    });
    expect((await read()).widgets).to.deep.equal(['/one', '/two']);
  });

  it('knows an OCIRepository that a folder of the repository is pushed to', async () => {
    const sourceRef = { kind: 'OCIRepository', name: 'pushed' };
    const applied = (path: string): string => flux({ path, sourceRef, targetNamespace: 'n' });
    write({
      'pushed/apps/a.yaml': stringifyJson(widget('a')),
      'pushed/clusters/b/apps.yaml': applied('./apps'),
      'pushed/clusters/b/top.yaml': applied('./'),
      'pushed/clusters/b/none.yaml': applied('db'),
    });
    const { widgets, notes } = await read();
    expect(widgets).to.deep.equal(['n/a']);
    expect(notes.join()).to.match(/^applied from other repositories.*none\.yaml.*top\.yaml/);
    expect(notes.join()).not.to.include('apps.yaml');
  });

  it('lists what is in another repository', async () => {
    write({ ...folders, 'apps/a.yaml': applicationOf({ path: 'elsewhere' }) });
    const { widgets, notes, unchecked } = await read();
    expect({ widgets, unchecked }).to.deep.equal({ widgets: everything, unchecked: [] });
    expect(notes).to.have.length(1);
    expect(notes[0]).to.match(/^applied from other repositories.*Application a \(\S+a\.yaml:1\)$/);
  });

  const unchecked: [name: string, files: Readonly<Record<string, string>>, sentence: RegExp][] = [
    [
      'a plugin',
      { 'a.yaml': applicationOf({ path: 'web', plugin: { name: 'x' } }) },
      /^Application a \(\S+a\.yaml:1\): uses plugin$/,
    ],
    [
      'a path that leads out',
      { 'a.yaml': applicationOf({ path: '../other' }) },
      /\.\.\/other is not in this repository$/,
    ],
    [
      'a folder that only the cluster knows',
      { 'a.yaml': setOf([{ clusters: {} }], '{{name}}') },
      /only the cluster knows what \{\{name\}\} is$/,
    ],
    [
      'a patch of an ApplicationSet',
      { 'a.yaml': setOf([{ clusters: {} }], 'web', { templatePatch: 'x' }) },
      /its templatePatch is not rendered here$/,
    ],
    [
      'a longer pattern than can be matched',
      { 'a.yaml': setOf([{ git: { repoURL, directories: [{ path: '*a'.repeat(900) }] } }], 'web') },
      /a pattern has more than 1000 characters$/,
    ],
    [
      'an address in a kustomization',
      { 'k/kustomization.yaml': 'resources: ["https://example.com/x.yaml"]\n' },
      /refers to https:\/\/example\.com\/x\.yaml, which is not fetched without --network; nothing of it was judged$/,
    ],
    [
      'a kustomization that leads out',
      { 'k/kustomization.yaml': 'resources: [../../elsewhere]\n' },
      /refers to \.\.\/elsewhere, outside of the repository; nothing of it was judged$/,
    ],
    [
      'a file that is no YAML',
      { 'bad.yaml': 'kind: A\n---\n{{ .Values.x }}\n' },
      /^\S+bad\.yaml:3:\d+: object 2 of the file: .*; nothing from there on in this file was judged$/,
    ],
  ];
  for (const [name, files, sentence] of unchecked) {
    it(`says what it cannot tell, and goes on: ${name}`, async () => {
      write({ ...folders, ...files });
      const answer = await read();
      expect(answer.unchecked).to.have.length(1);
      expect(answer.unchecked[0]).to.match(sentence);
      expect(answer.widgets.map((each) => each.replace(/^.*\//, '/'))).to.include.members(
        everything,
      );
    });
  }

  const remote = '"https://example.com/x.yaml"';
  const unrendered: [name: string, files: Readonly<Record<string, string>>, widgets: string[]][] = [
    [
      'judges files that no kustomization changes as they are written',
      { 'k/kustomization.yaml': `resources: [${remote}, four.yaml]\n` },
      [...everything, '/four'],
    ],
    [
      'judges no file without the patches that it is applied with',
      { 'k/kustomization.yaml': `resources: [${remote}, four.yaml]\nnamePrefix: a-\n` },
      everything,
    ],
    [
      'judges none of a folder that another one patches',
      {
        'k/kustomization.yaml': 'resources: [four.yaml]\n',
        'lists/kustomization.yaml': `resources: [../k, ${remote}]\n`,
        'overlay/kustomization.yaml': 'resources: [../lists]\npatches: [{ path: p.yaml }]\n',
      },
      everything,
    ],
    [
      'judges none of a folder that only one of two patches',
      {
        'k/kustomization.yaml': 'resources: [four.yaml]\n',
        'o/kustomization.yaml': `resources: [../lists, ../k, ${remote}]\n`,
        'lists/kustomization.yaml': 'resources: [../k]\nnameSuffix: -b\n',
      },
      everything,
    ],
  ];
  for (const [name, files, expected] of unrendered) {
    it(`${name}, where nothing can be rendered`, async () => {
      write({ ...folders, 'k/four.yaml': stringifyJson(widget('four')), ...files });
      const { widgets, unchecked: sentences } = await read();
      expect(widgets).to.deep.equal([...expected].sort());
      expect(sentences).to.have.length(1);
      expect(sentences[0]).to.match(
        expected === everything
          ? /; nothing of it was judged$/
          : /; only files that it does not change were judged$/,
      );
    });
  }

  it('tells how many folders are done, of how many', async () => {
    const app = (path: string): string => applicationOf({ path });
    write({
      'apps/one.yaml': app('web'),
      'apps/two.yaml': app('db'),
      'web/one.yaml': stringifyJson(widget('one')),
      'db/three.yaml': stringifyJson(widget('three')),
      'k/a/kustomization.yaml': 'resources: []\n',
      'k/b/kustomization.yaml': 'resources: []\n',
    });
    const told: string[] = [];
    const objects = manifestObjects(top, {
      onUnchecked: () => undefined,
      onProgress: (done, total) => told.push(`${done} of ${total}`),
    });
    for await (const each of objects) void each;
    expect(told).to.deep.equal(['0 of 2', '1 of 2', '0 of 2', '1 of 2']);
  });

  it('reads as written what something that is not rendered may change, and what nothing takes in', async () => {
    const named = (name: string): string => stringifyJson(widget(name));
    write({
      'base/kustomization.yaml': 'resources: [base.yaml]\n',
      'base/base.yaml': named('base'),
      'shared/kustomization.yaml': 'resources: [shared.yaml]\n',
      'shared/shared.yaml': named('shared'),
      'apps/overlay/kustomization.yaml': `resources: [../../base, own.yaml, ${remote}]\nnamePrefix: a-\npatches: [{ path: patch.yaml }]\n`,
      'apps/overlay/own.yaml': named('own'),
      'apps/overlay/patch.yaml': named('patch'),
      'apps/overlay/patches/loose.yaml': named('loose'),
      'apps/lists/kustomization.yaml': `resources: [../../shared, ${remote}]\n`,
      'apps/beside.yaml': named('beside'),
    });
    const readAll = async (includesUnfinished: boolean): Promise<string[]> => {
      const found: string[] = [];
      const source = join(top, 'apps');
      const onUnchecked = (sentence: string): unknown => found.push(sentence.replace(/.*; /, ''));
      for await (const { objects } of manifestObjects(source, {
        onUnchecked,
        includesUnfinished,
      })) {
        for (const { object, applied } of objects) {
          if (object['kind'] !== 'Widget') continue;
          const how = applied.isUnfinished === true ? ' as written' : '';
          found.push(`${metaOf(object).name}${how}`);
        }
      }
      return found.sort();
    };
    expect(await readAll(true)).to.deep.equal([
      'base as written',
      'beside',
      'its files were judged as they are written',
      'loose as written',
      'only files that it does not change were judged',
      'own as written',
    ]);
    expect(await readAll(false)).to.deep.equal([
      'beside',
      'loose',
      'nothing of it was judged',
      'only files that it does not change were judged',
    ]);
  });

  it('goes on behind a link out of the repository, and reads no folder behind one', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'olm-guard-outside-'));
    writeFileSync(join(outside, 'secret.yaml'), stringifyJson(widget('secret')));
    write({ ...folders, 'apps/a.yaml': applicationOf({ path: 'linked' }) });
    symlinkSync(outside, join(top, 'linked'));
    symlinkSync(join(outside, 'secret.yaml'), join(top, 'web', 'secret.yaml'));
    const answer = await read();
    expect(answer.widgets).to.deep.equal(everything);
    expect(answer.unchecked).to.have.length(1);
    expect(answer.unchecked[0]).to.match(/secret\.yaml: is a symbolic link that leads out/);
    rmSync(outside, { recursive: true });
  });

  it('refuses a chart with a link out of the repository', async () => {
    write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'chart/templates/a.yaml': stringifyJson(widget('a')),
    });
    const link = join(top, 'chart', 'templates', 'b.txt');
    symlinkSync(relative(dirname(link), '/etc/passwd'), link);
    const { unchecked: said } = await read();
    expect(said.join('\n')).to.match(/holds templates\/b\.txt, which is no file of the repository/);
  });
});

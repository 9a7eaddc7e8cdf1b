/** What a repository that somebody else wrote gets out of the programs that render it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { run } from '../cli/command.js';
import { definitionText } from '../cli/repository.js';

type Files = Readonly<Record<string, string>>;

const chart: Files = { 'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n' };
const widget = (name: string): string =>
  stringifyJson({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });

function applied(apiVersion: string, kind: string, spec: JsonObject): string {
  return stringifyJson({ apiVersion, kind, metadata: { name: 'a', namespace: 'a' }, spec });
}

const patchAt = (path: string): string =>
  stringifyJson({
    ...{ apiVersion: 'builtin', kind: 'PatchTransformer', metadata: { name: 'p' } },
    path,
  });

const sourceRef = { kind: 'GitRepository', name: 'flux-system' };

describe('a repository that somebody else wrote', () => {
  let around: string;
  let top: string;
  let path: string;
  before(async () => {
    const found = await ensurePrograms(['kubectl', 'helm']);
    path = [...[...found.values()].map((file) => dirname(file)), process.env['PATH'] ?? ''].join(
      delimiter,
    );
  });
  beforeEach(() => {
    around = mkdtempSync(join(tmpdir(), 'olm-guard-foreign-'));
    top = join(around, 'repository');
    mkdirSync(join(top, '.git'), { recursive: true });
    write(around, {
      secret: 'outside',
      'base/kustomization.yaml': 'resources: [w.yaml]\n',
      'base/w.yaml': widget('outside'),
      'component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [w.yaml]\n',
      'component/w.yaml': widget('outside'),
    });
    write(top, { 'crd.yaml': definitionText(), 'own.yaml': widget('own') });
  });
  afterEach(() => rmSync(around, { recursive: true }));

  const write = (folder: string, files: Files): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    }
  };
  const link = (name: string, target: string): void => {
    const file = join(top, name);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(relative(dirname(file), target), file);
  };
  const check = async (): Promise<{ names: string[]; unchecked: string; code: number | null }> => {
    const options = { cwd: top, env: { PATH: path } };
    const { stdout, stderr, code } = await run(['check', 'objects', '.', '-o', 'json'], options);
    expect(stdout, stderr).to.match(/^\{/);
    const { results, unchecked = [] } = JSON.parse(stdout) as {
      results: { name: string }[];
      unchecked?: string[];
    };
    return { names: results.map(({ name }) => name), unchecked: unchecked.join('\n'), code };
  };

  it('passes no option to helm by the name of a release, and runs nothing', async () => {
    const releaseName = '--post-renderer=./program.sh';
    write(top, {
      ...chart,
      'chart/templates/w.yaml': widget('rendered'),
      'program.sh': `#!/bin/sh\ntouch ${join(around, 'was-run')}\ncat\n`,
      'a.yaml': applied('argoproj.io/v1alpha1', 'Application', {
        source: { path: 'chart', helm: { releaseName } },
      }),
      'r.yaml': applied('helm.toolkit.fluxcd.io/v2', 'HelmRelease', {
        ...{ releaseName, chart: { spec: { chart: 'chart', sourceRef } } },
      }),
    });
    const { unchecked } = await check();
    expect(existsSync(join(around, 'was-run'))).to.equal(false);
    expect(unchecked).to.match(/invalid release name/);
  });

  it('passes no option to kubectl by the name of a folder', async () => {
    const folder = '--load-restrictor=LoadRestrictionsNone';
    write(top, {
      [`${folder}/kustomization.yaml`]: 'resources: [w.yaml]\n',
      [`${folder}/w.yaml`]: widget('rendered'),
    });
    expect((await check()).names).to.deep.equal(['Widget rendered', 'Widget own']);
  });

  const kustomizations: [name: string, text: string, more: Files][] = [
    ['a link', 'resources: [../linked]\n', {}],
    ['a link, with a field in large letters', 'Resources: [../linked]\n', {}],
    ['a long path', `resources: ["${'./'.repeat(600)}../../base"]\n`, {}],
    ['braces', 'resources: ["../../{x}"]\n', {}],
    [
      'what is beside the folder that a link leads to',
      'resources: [1/2/3/link]\n',
      {
        'lower/kustomization.yaml': 'resources: [../../base]\n',
        'k/1/2/base/kustomization.yaml': 'resources: []\n',
      },
    ],
    ['an address', 'configMapGenerator: [{ name: a, files: ["a=HTTP://localhost:9/a"] }]\n', {}],
    [
      'a transformer with an address',
      stringifyJson({ transformers: [patchAt('http://localhost:9/a')] }),
      {},
    ],
    [
      'a transformer with an address in a file',
      'transformers: [p.yaml]\n',
      { 'k/p.yaml': patchAt('http://localhost:9/a') },
    ],
    [
      'transformers in a folder, one with an address',
      'transformers: [t]\n',
      {
        'k/t/kustomization.yaml': 'resources: [p.yaml]\n',
        'k/t/p.yaml': patchAt('http://localhost:9/a'),
      },
    ],
  ];
  for (const [name, text, more] of kustomizations) {
    it(`has kubectl read nothing outside: a kustomization with ${name}`, async () => {
      link('linked', join(around, 'base'));
      link('k/1/2/3/link', join(top, 'lower'));
      write(top, { 'k/kustomization.yaml': text, ...more });
      const { names, unchecked } = await check();
      expect(names).to.not.include('Widget outside');
      expect(unchecked).to.match(
        /refers to \S+, (?:which is not in|outside of|which is not fetched)/,
      );
    });
  }

  const overlays: [name: string, fields: JsonObject][] = [
    ['a component outside', { components: ['../../component'] }],
    ['a component behind a link', { components: ['../linked'] }],
    ['a component that is not there', { components: ['nowhere'] }],
    ['components that are no list', { components: 'k' }],
    ['a component that is no text', { components: [{ path: 'k' }] }],
    ['a patch at an address', { patches: [{ path: 'http://localhost:9/a' }] }],
  ];
  for (const [name, fields] of overlays) {
    it(`has kubectl read nothing outside: ${name}`, async () => {
      link('linked', join(around, 'component'));
      write(top, {
        'k/kustomization.yaml': 'resources: []\n',
        'a.yaml': applied('argoproj.io/v1alpha1', 'Application', {
          source: { path: 'k', kustomize: fields },
        }),
        'f.yaml': applied('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', {
          ...{ path: 'k', sourceRef, ...fields },
        }),
      });
      const { names, unchecked } = await check();
      expect(names).to.deep.equal(['Widget own']);
      expect(unchecked.match(/: is applied with/g)).to.have.length(2);
    });
  }

  const links: [name: string, file: string, made: readonly string[]][] = [
    ['a hidden file', '.hidden', ['chart/.hidden']],
    ['a file of a hidden folder', '.hidden/a', ['chart/.hidden/a']],
    ['a file of a linked folder', 'files/a', ['files/a']],
  ];
  for (const [name, file, made] of links) {
    it(`has helm read nothing outside: ${name}`, async () => {
      for (const each of made) link(each, join(around, 'secret'));
      if (made[0] === 'files/a') link('chart/files', join(top, 'files'));
      write(top, {
        ...chart,
        'chart/templates/w.yaml': widget('NAME').replace(
          '"NAME"',
          `{{ .Files.Get "${file}" | quote }}`,
        ),
      });
      const { names, unchecked } = await check();
      expect(names).to.deep.equal(['Widget own']);
      expect(unchecked).to.match(/holds \S+, which is no file of the repository/);
    });
  }

  it('renders a kustomization that another one only mentions', async () => {
    write(top, {
      'k/kustomization.yaml': 'resources: [w.yaml]\nnamePrefix: from-k-\n',
      'k/w.yaml': widget('w'),
      'other/kustomization.yaml': 'resources: []\ncommonAnnotations: { note: ../k }\n',
    });
    expect((await check()).names).to.deep.equal(['Widget from-k-w', 'Widget own']);
  });
});

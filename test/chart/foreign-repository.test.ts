/** What a repository that somebody else wrote gets out of the programs that render it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
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

const sourceRef = { kind: 'GitRepository', name: 'flux-system' };

describe('a repository that somebody else wrote', () => {
  let around: string;
  let top: string;
  let path: string;
  before(async () => {
    const found = await ensurePrograms(['kubectl', 'helm']);
    path = [...[...found.values()].map((file) => dirname(file)), process.env['PATH'] ?? ''].join(delimiter);
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
});

/** A folder that is a kustomization and a chart, and the values of a chart that Flux installs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { run } from '../cli/command.js';
import { definitionText } from '../cli/repository.js';

const object = (apiVersion: string, kind: string, spec: JsonObject): string =>
  stringifyJson({ apiVersion, kind, metadata: { name: 'a', namespace: 'web' }, spec });

const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ';

const files = {
  'crd.yaml': definitionText(),
  'app/kustomization.yaml': 'resources: [plain.yaml]\n',
  'app/plain.yaml': `${widget}kustomized\n`,
  'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 0.1.0\n',
  'app/values.yaml': 'name: own\nsuffix: own\n',
  'app/one.yaml': 'name: one\n',
  'app/two.yaml': 'name: two\n',
  'app/templates/w.yaml': `${widget}{{ .Values.name }}-{{ .Values.suffix | default "none" }}\n`,
};

const application = (source: JsonObject): string =>
  object('argoproj.io/v1alpha1', 'Application', {
    source: { repoURL: 'https://example.com/mono.git', path: 'app', ...source },
  });

const sourceRef = { kind: 'GitRepository', name: 'flux-system' };
const helmRelease = (spec: JsonObject): string =>
  object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', {
    chart: { spec: { chart: 'app', sourceRef, ...spec } },
  });

const kustomization = object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', {
  path: 'app',
  sourceRef,
});

describe('check objects: a folder with a kustomization and a chart', () => {
  let top: string;
  let path: string;
  before(async () => {
    const found = await ensurePrograms(['kubectl', 'helm']);
    path = [...[...found.values()].map((file) => dirname(file)), process.env['PATH'] ?? ''].join(
      delimiter,
    );
  });
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'olm-guard-both-'));
    mkdirSync(join(top, '.git'));
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const namesIn = async (source: string, applied?: string): Promise<string[]> => {
    const all = applied === undefined ? files : { ...files, 'applied.yaml': applied };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(top, name)), { recursive: true });
      writeFileSync(join(top, name), text);
    }
    const args = ['check', 'objects', source, '--crds', 'crd.yaml', '-o', 'json'];
    const { stdout, stderr } = await run(args, { cwd: top, env: { PATH: path } });
    expect(stdout, stderr).to.match(/^\{/);
    const { results, unchecked } = JSON.parse(stdout) as {
      results: { name: string }[];
      unchecked?: string[];
    };
    expect(unchecked).to.equal(undefined);
    return results.map(({ name }) => name.replace(/^Widget (?:web\/)?/, ''));
  };

  const rows: readonly [name: string, source: string, applied: string | undefined, is: string][] = [
    ['is a kustomization, for kubectl', 'app', undefined, 'kustomized'],
    ['is one in a folder too', '.', undefined, 'kustomized'],
    ['is one for Argo CD', '.', application({}), 'kustomized'],
    ['is one where fields of its directory are zero', '.', application({ directory: { recurse: false, include: '' } }), 'kustomized'], // prettier-ignore
    ['is a chart for Argo CD where it has values', '.', application({ helm: { releaseName: 'r' } }), 'own-own'], // prettier-ignore
    ['is a kustomization for Flux', '.', kustomization, 'kustomized'],
    ['is a chart where Flux installs it', '.', helmRelease({}), 'own-own'],
    [
      'has the values of the last of the files that Flux names, and not its own',
      '.',
      helmRelease({ valuesFiles: ['app/one.yaml', 'app/two.yaml'] }),
      'two-none',
    ],
    [
      'has its own where Flux names them',
      '.',
      helmRelease({ valuesFiles: ['app/two.yaml', 'app/values.yaml'] }),
      'own-own',
    ],
  ];
  for (const [name, source, applied, is] of rows) {
    // What is no part of a chart is judged as it is written.
    const beside = is === 'kustomized' ? [] : ['kustomized'];
    it(name, async () => expect(await namesIn(source, applied)).to.deep.equal([is, ...beside]));
  }
});

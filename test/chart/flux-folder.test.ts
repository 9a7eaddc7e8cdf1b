/** A folder without a kustomization, for which Flux generates one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { run } from '../cli/command.js';
import { definitionText } from '../cli/repository.js';

const widget = (name: string, more: JsonObject = {}): string =>
  stringifyJson({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, ...more } });

const kustomization = (name: string, path: string, spec: JsonObject = {}): string =>
  stringifyJson({
    ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name } },
    spec: { path, sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...spec },
  });

const files = {
  'crd.yaml': definitionText(),
  'apps/web/kustomization.yaml':
    'resources: [flux.yaml, w.yaml]\npatches:\n- path: patch.yaml\n  target: { kind: Widget }\n',
  'apps/web/patch.yaml': '- { op: add, path: /spec, value: { sizes: 1 } }\n',
  'apps/web/flux.yaml': `${widget('first')}\n---\n${kustomization('inner', './inner', {
    postBuild: { substituteFrom: [{ kind: 'Secret', name: 's' }] },
  })}\n`,
  'apps/web/w.yaml': widget('nested'),
  'apps/deep/plain.yaml': widget('plain'),
  'inner/w.yaml': widget('inner', { annotations: { of: '${OWNER}', on: '${DAY:-monday}' } }),
};

const setsNamespace = stringifyJson([
  { op: 'add', path: '/spec/targetNamespace', value: 'patched' },
]);

describe('check objects: a folder for which Flux generates a kustomization', () => {
  let top: string;
  let path: string;
  before(async () => {
    const found = await ensurePrograms(['kubectl']);
    path = [...[...found.values()].map((file) => dirname(file)), process.env['PATH'] ?? ''].join(
      delimiter,
    );
  });
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'olm-guard-flux-'));
    mkdirSync(join(top, '.git'));
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const check = async (spec: JsonObject): Promise<object> => {
    const all = { ...files, 'cluster.yaml': kustomization('apps', './apps', spec) };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(top, name)), { recursive: true });
      writeFileSync(join(top, name), text);
    }
    const options = { cwd: top, env: { PATH: path } };
    const { stdout, stderr } = await run(['check', 'objects', '.', '-o', 'json'], options);
    expect(stdout, stderr).to.match(/^\{/);
    const { results, unchecked } = JSON.parse(stdout) as {
      results: { name: string; places: { file: string; line: number }[] }[];
      unchecked: string[];
    };
    const names = results.map((each) =>
      [each.name, ...each.places.map(({ file, line }) => `${file}:${line}`)].join(' '),
    );
    return { names: names.sort(), unchecked };
  };
  const unchecked = [
    'Kustomization inner (apps/web/flux.yaml:2): variables that only the cluster knows (Secret s), values with which are not judged: OWNER',
  ];

  it('is rendered with the kustomizations in it, each once', async () => {
    expect(await check({ targetNamespace: 'team' })).to.deep.equal({
      names: [
        'Widget team/first apps/web/patch.yaml:1',
        'Widget team/inner',
        'Widget team/nested apps/web/patch.yaml:1',
        'Widget team/plain',
      ],
      unchecked,
    });
  });

  it('is rendered with the patches of its Kustomization, which those in it are read with', async () => {
    const patches = [{ patch: setsNamespace, target: { kind: 'Kustomization' } }];
    expect(await check({ patches })).to.deep.equal({
      names: [
        'Widget first apps/web/patch.yaml:1',
        'Widget nested apps/web/patch.yaml:1',
        'Widget patched/inner',
        'Widget plain',
      ],
      unchecked,
    });
  });
});

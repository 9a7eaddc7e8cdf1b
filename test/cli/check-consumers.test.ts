/** `olm-guard check crd OLD NEW --consumers SOURCE`: who relies on a definition, and loses something. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exampleOfSpec } from '../../src/upgrade/rules/crd/example-definition.js';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { run, runHere } from './command.js';
import { programs } from './repository.js';

const csv = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: shop.v1, namespace: shop}
spec:
  customresourcedefinitions:
    required: [{name: widgets.example.com, kind: Widget, version: v1beta1}]
`;
const widget = `apiVersion: example.com/v1
kind: Widget
metadata: {name: big}
spec: {color: red}
`;

const whole = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'example' } };

/** With a version that goes, and a field. */
function definition(isOld: boolean): JsonObject {
  const color = { type: 'object', properties: { color: { type: 'string' } } };
  const whole = exampleOfSpec(isOld ? color : { type: 'object' });
  const spec = whole['spec'] as JsonObject;
  const [v1] = spec['versions'] as JsonObject[];
  const versions = isOld ? [{ ...v1, name: 'v1beta1', storage: false }, v1] : [v1];
  return { ...whole, spec: { ...spec, versions } } as JsonObject;
}

describe('check crd --consumers', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-consumers-'));
    mkdirSync(join(folder, 'apps'));
    write('old.json', stringifyJson(definition(true)));
    write('new.json', stringifyJson(definition(false)));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): string {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  const check = (...args: string[]): ReturnType<typeof runHere> =>
    runHere(['check', 'crd', join(folder, 'old.json'), join(folder, 'new.json'), ...args]);

  it('names who loses what, at which line', async () => {
    const [shop, app] = [write('csv.yaml', csv), write('apps/widget.yaml', `---\n${widget}`)];
    const { code, stdout } = await check('--consumers', shop, '--consumers', join(folder, 'apps'));
    expect(code).to.equal(1);
    expect(stdout).to.include(
      `ClusterServiceVersion shop/shop.v1 (${shop}:1) needs version v1beta1, which is no longer served`,
    );
    expect(stdout).to.include(`Widget big (${app}:2) uses spec.color of version v1, which is gone`);
  });

  it('names the file that somebody wrote, whatever has rendered it', async () => {
    write('apps/kustomization.yaml', 'resources: [widget.yaml]\nnamespace: web\n');
    const app = write('apps/widget.yaml', `# big\n${widget}`);
    const rendered = write('rendered', widget.replace('name: big', 'name: big, namespace: web'));
    const bin = programs({ kubectl: `#!/bin/sh\ncat ${rendered}\n` });
    const [old, proposed] = [join(folder, 'old.json'), join(folder, 'new.json')];
    const { stdout } = await run(
      ['check', 'crd', old, proposed, '--consumers', join(folder, 'apps')],
      { env: { PATH: `${bin}:/bin:/usr/bin` } },
    );
    rmSync(bin, { recursive: true });
    expect(stdout).to.include(`Widget web/big (${app}:4) uses spec.color of version v1`);
  });

  it('finds consumers on a cluster', async () => {
    write('apps/csv.yaml', csv);
    const state = ['--state', join(folder, 'apps')];
    const { stdout } = await check('--consumers', 'cluster', ...state);
    expect(stdout).to.include('ClusterServiceVersion shop/shop.v1 needs version v1beta1');
  });

  it('asks the cluster of the old definition for who requires a version that goes', async () => {
    write('apps/csv.yaml', csv);
    write('apps/crd.json', stringifyJson(definition(true)));
    const state = ['--state', join(folder, 'apps')];
    for (const consumers of [[], ['--consumers', 'cluster']]) {
      const args = ['check', 'crd', 'cluster:', join(folder, 'new.json'), ...state, ...consumers];
      const { code, stdout } = await runHere(args);
      expect(code).to.equal(1);
      expect(stdout.match(/shop.v1 needs version v1beta1/g)).to.have.length(1);
    }
  });

  it('asks the cluster of the old definition what CompatibilityRequirements ask for', async () => {
    const required = { data: stringifyJson(definition(true)), type: 'YAML' };
    const requirement = {
      apiVersion: 'apiextensions.openshift.io/v1alpha1',
      kind: 'CompatibilityRequirement',
      metadata: { name: 'platform' },
      spec: {
        compatibilitySchema: { customResourceDefinition: required },
        customResourceDefinitionSchemaValidation: { action: 'Deny' },
      },
    };
    write('apps/requirement.json', stringifyJson(requirement));
    write('apps/crd.json', stringifyJson(definition(true)));
    const state = ['--state', join(folder, 'apps')];
    const args = ['check', 'crd', 'cluster:', join(folder, 'new.json'), ...state];
    const { code, stdout } = await runHere(args);
    expect(code).to.equal(1);
    expect(stdout).to.include('CompatibilityRequirement platform requires version v1beta1');
  });

  it('accuses nobody who loses nothing, and not the definition of its own old file', async () => {
    write('apps/widget.yaml', widget.replace('color: red', 'size: 1'));
    const { stdout } = await check('--consumers', folder);
    expect(stdout).not.to.include('Consumer');
  });

  it('names a file that cannot be read, and goes on', async () => {
    write('apps/bad.yaml', 'a: [');
    write('apps/widget.yaml', widget);
    const { stdout, stderr } = await check('--consumers', join(folder, 'apps'));
    expect(stdout + stderr).to.include('nothing from there on in this file was judged');
    expect(stdout).to.include('uses spec.color of version v1');
  });

  it('names a thousand who lose the same, and counts the others', async () => {
    const all = Array.from({ length: 1_100 }, () => widget).join('\n---\n');
    write('apps/widget.yaml', all);
    write('apps/bad.yaml', '');
    const { code, stdout } = await check('--all', '--consumers', join(folder, 'apps'));
    expect(code).to.equal(1);
    expect(stdout.match(/uses spec\.color of version v1/g)).to.have.length(1_001);
    expect(stdout).to.include('each of 100 more uses spec.color of version v1, which is gone');
    write('apps/widget.yaml', widget);
  });

  it('takes no example of a ClusterServiceVersion for an object', async () => {
    const example = JSON.stringify([{ ...whole, spec: { color: 'red' } }]);
    const annotations = `annotations: { alm-examples: '${example}' }`;
    write('apps/csv.yaml', csv.replace('name: shop.v1', `name: shop.v1, ${annotations}`));
    const { stdout } = await check('--consumers', join(folder, 'apps'));
    expect(stdout).to.include('ClusterServiceVersion shop/shop.v1');
    expect(stdout).not.to.include('Widget example');
  });

  it('ends with 2 where there is nothing to ask', async () => {
    const missing = await check('--consumers', join(folder, 'nowhere'));
    const unnamed = await check('--consumers', 'cluster');
    expect([missing.code, unnamed.code]).to.deep.equal([2, 2]);
    expect(unnamed.stderr).to.include('--consumers cluster needs a cluster');
  });
});

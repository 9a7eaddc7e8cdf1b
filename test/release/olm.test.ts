/** olm-guard as OLM installs it: what its bundle and catalog are judged to be, by us and by opm. */
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { inc } from 'semver';
import { bundleFiles, catalogText, olmFiles, ownRelease } from '../../build/olm-bundle.js';
import { ensurePrograms, missingPrograms } from '../apiserver/binaries.js';
import { root, run } from '../cli/command.js';

interface ClusterServiceVersion {
  readonly spec: {
    readonly install: { readonly spec: { readonly deployments: { readonly spec: unknown }[] } };
    readonly relatedImages: { readonly image: string }[];
    readonly webhookdefinitions: {
      readonly generateName: string;
      readonly rules: { readonly apiGroups: string[] }[];
    }[];
  };
}

describe('olm-guard in a catalog', () => {
  const own = join(root, 'manifests', 'olm');
  const version = inc(ownRelease.version, 'minor') ?? '';
  const nextRelease = {
    version,
    replaces: ownRelease.version,
    image: `olm-guard:${version}`,
    bundleImage: `olm-guard-bundle:${version}`,
  };
  let next: string;
  before(() => {
    next = mkdtempSync(join(tmpdir(), 'olm-guard-olm-'));
    const files = olmFiles(next, nextRelease).map(({ file, text }) => [file, text()] as const);
    for (const [file, text] of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const both = catalogText([ownRelease, nextRelease]);
    writeFileSync(join(next, 'catalog', 'olm-guard', 'catalog.yaml'), both);
  });
  after(() => rmSync(next, { recursive: true }));

  it('is a bundle in which nothing is wrong', async () => {
    const { code, stdout } = await run(['check', 'bundle', join(own, 'bundle')]);
    expect(stdout).to.equal('Bundle: 0 errors, 0 warnings, 0 notes\n');
    expect(code).to.equal(0);
  });

  it('is a catalog that opm accepts', async () => {
    const { code, stdout } = await run(['catalog', 'validate', join(own, 'catalog')]);
    expect(stdout).to.match(/^Catalog: 1 package, 1 channel, 1 bundle, /);
    expect(code).to.equal(0);
  });

  it('can be upgraded by OLM: its next release is allowed, and there is a way to it', async () => {
    const args = ['check', 'bundle', join(next, 'bundle'), '--against', join(own, 'bundle')];
    const { code, stdout } = await run(args);
    expect(stdout).to.equal('Bundle: 0 errors, 0 warnings, 0 notes\n');
    expect(code).to.equal(0);
    const from = ['--from', ownRelease.version, '-o', 'json'];
    const path = await run(['catalog', 'path', 'olm-guard', join(next, 'catalog'), ...from]);
    expect(path.code, path.stderr).to.equal(0);
    expect(path.stdout).to.include(`olm-guard.v${version}`);
  });

  it('has each webhook of the manifests that OLM allows, and says which it has not', () => {
    const text = bundleFiles(ownRelease).get('manifests/olm-guard.clusterserviceversion.yaml');
    const { spec } = load(text ?? '') as ClusterServiceVersion;
    const [registration] = [
      load(
        readFileSync(
          join(root, 'manifests', 'base', 'validatingwebhookconfiguration.yaml'),
          'utf8',
        ),
      ),
    ] as { webhooks: { name: string; rules: { apiGroups: string[] }[] }[] }[];
    const names = (registration?.webhooks ?? [])
      .filter(({ rules }) =>
        rules.every(({ apiGroups }) => !/operators\.coreos\.com|olm\./.test(apiGroups.join())),
      )
      .map(({ name }) => name);
    expect(names).to.include('customresourcedefinitions.olm-guard.io');
    expect(spec.webhookdefinitions.map(({ generateName }) => generateName)).to.deep.equal(names);
    expect(text).to.include('it does not judge OperatorGroups');
    expect(JSON.stringify(spec.install)).to.include(`"image":"${spec.relatedImages[0]?.image}"`);
  });

  it('passes the validators of operator-framework, and opm’s of catalogs', async function () {
    this.timeout(600_000);
    if (missingPrograms(['opm']).length > 0) {
      console.log('      skipped: needs npx tsx test/apiserver/build.ts opm (two minutes, once)');
      this.skip();
    }
    const opm = (await ensurePrograms(['opm'])).get('opm') ?? '';
    const ask = (...args: string[]) => spawnSync(opm, args, { encoding: 'utf8' });
    for (const folder of [own, next]) {
      const { status, stdout } = ask('bundle', join(folder, 'bundle'));
      // We own no kinds, of which there could be examples.
      expect(stdout).to.match(
        /^Warning: Value : \(olm-guard\.v\S+\) example annotations not found\n$/,
      );
      expect(status).to.equal(0);
      expect(ask('catalog', join(folder, 'catalog'))).to.include({ status: 0, stdout: '' });
    }
    const broken = catalogText([{ ...ownRelease, replaces: ownRelease.version }]);
    writeFileSync(join(next, 'catalog', 'olm-guard', 'catalog.yaml'), broken);
    expect(ask('catalog', join(next, 'catalog')).status).to.equal(1);
  });
});

/**
 * `npm run release -- --dry-run`, and what it made, as those get it who install a release: the
 * executable without Node, the plugin by krew, the chart and the image from an OCI registry, the
 * package by npm and by the GitHub Action.
 */
import { expect } from 'chai';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { load, loadAll } from 'js-yaml';
import {
  differences,
  disagreements,
  ownPlatform,
  releaseFiles,
} from '../../build/release-files.js';
import { ensurePrograms, type Program } from '../apiserver/binaries.js';
import { definitionText, Repository } from '../cli/repository.js';
import { runCompositeAction } from './composite-action.js';

const root = join(import.meta.dirname, '..', '..');
const old = join(root, 'examples', 'cluster');
const removed = join(root, 'examples', 'upgrades', 'field-removed.yaml');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

describe('a release, rehearsed', function () {
  this.timeout(600_000);
  let folder: string;
  /** What is released. */
  let out: string;
  let server: ChildProcess;
  let registry: string;
  let programs: Map<Program, string>;
  let rehearsal: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-release-'));
    out = join(folder, 'out');
    programs = await ensurePrograms([
      'kubectl',
      'helm',
      'krew',
      'validate-krew-manifest',
      'registry',
    ]);
    server = spawn(program('registry'), { stdio: ['pipe', 'pipe', 'ignore'] });
    if (server.stdout === null) throw new Error('no standard output');
    [registry] = (await once(createInterface(server.stdout), 'line')) as [string];
    const args = ['--import', import.meta.resolve('tsx'), join(root, 'build', 'release.ts')];
    const env = { ...process.env, NODE_OPTIONS: '', GITHUB_REPOSITORY: 'Example/olm-guard' };
    const made = spawn(
      process.execPath,
      [...args, '--dry-run', '--out', out, '--registry', registry],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    rehearsal = '';
    for (const stream of [made.stdout, made.stderr])
      stream.on('data', (chunk: Buffer) => (rehearsal += chunk.toString()));
    const [code] = (await once(made, 'close')) as [number];
    expect(code, rehearsal).to.equal(0);
  });
  after(() => {
    server.kill();
    rmSync(folder, { recursive: true });
  });

  function program(name: Program): string {
    return programs.get(name) ?? name;
  }

  function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(file, args, {
      ...{
        cwd: folder,
        encoding: 'utf8',
        env: { HOME: folder, PATH: process.env['PATH'], ...env },
      },
    });
    return { code: status, stdout, output: `${stdout}${stderr}` };
  }

  /** In the registry. */
  async function get(path: string, repository = 'olm-guard'): Promise<Buffer> {
    const accept = ['manifest', 'index'].map((each) => `application/vnd.oci.image.${each}.v1+json`);
    const answer = await fetch(`http://${registry}/v2/example/${repository}/${path}`, {
      headers: { accept: accept.join() },
    });
    expect(answer.status, path).to.equal(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  it('makes the files of the list, and publishes them when they are all there', () => {
    const files = readdirSync(out).filter((name) => name !== 'images');
    expect(files.sort()).to.deep.equal(releaseFiles(version, [ownPlatform()]));
    const order = [
      'gh release create --draft',
      'chart-digest=sha256:',
      'gh release edit --draft=false',
    ];
    const places = order.map((line) => rehearsal.indexOf(line));
    expect(places, rehearsal).to.deep.equal([...places].sort((one, other) => one - other));
    expect(places).to.not.include(-1);
  });

  it('says what keeps the version from being released', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    for (const problem of disagreements(version, changelog))
      expect(rehearsal).to.include(`not to be released yet: ${problem}`);
  });

  it('publishes nothing while something is missing', () => {
    const args = ['--import', import.meta.resolve('tsx'), join(root, 'build', 'release.ts')];
    // Without any program that could publish.
    const { code, output } = run(process.execPath, [...args, 'publish', '--out', out], {
      ...{ PATH: folder, OLM_GUARD_CACHE: dirname(dirname(program('krew'))) },
    });
    expect(code).to.equal(1);
    expect(output).to.include('olm-guard-darwin-arm64 is missing');
  });

  describe('the executable', () => {
    const bare = () => ({ PATH: folder });
    const executable = () => join(out, `olm-guard-${ownPlatform()}`);

    it('judges without Node, with the proof', () => {
      expect(spawnSync('node', ['--version'], { env: bare() }).error).to.be.an('error');
      const { code, stdout } = run(executable(), ['check', 'crd', old, removed], bare());
      expect(code).to.equal(1);
      expect(stdout).to.include('NoExistingFieldRemoved').and.to.include('loses data');
    });

    it('contains what the SBOM lists', () => {
      const bill = JSON.parse(readFileSync(join(out, 'olm-guard.cdx.json'), 'utf8')) as {
        bomFormat: string;
        components: { name: string; hashes?: unknown[] }[];
      };
      for (const { name, hashes } of bill.components) expect(hashes, name).to.have.length(1);
      expect(bill.bomFormat).to.equal('CycloneDX');
      const names = bill.components.map(({ name }) => name);
      expect(names).to.include('express').and.to.not.include('mocha');
    });
  });

  describe('the plugin that krew installs', () => {
    let path: string;
    before(() => {
      const krew = join(folder, 'krew');
      const archive = join(out, `kubectl-olm_guard-${ownPlatform()}.tar.gz`);
      const args = ['install', '--manifest', join(out, 'olm-guard.yaml'), '--archive', archive];
      const { code, output } = run(program('krew'), args, {
        KREW_ROOT: krew,
        KREW_NO_UPGRADE_CHECK: '1',
      });
      expect(code, output).to.equal(0);
      path = [join(krew, 'bin'), dirname(program('kubectl')), '/usr/bin', '/bin'].join(delimiter);
    });

    it('is kubectl olm-guard', () => {
      expect(run(program('kubectl'), ['olm-guard', 'version'], { PATH: path }).stdout).to.equal(
        `${version}\n`,
      );
      const { code, stdout } = run(
        program('kubectl'),
        ['olm-guard', 'check', 'crd', old, removed],
        { PATH: path },
      );
      expect(code).to.equal(1);
      expect(stdout).to.include('NoExistingFieldRemoved');
      const { stdout: help } = run(program('kubectl'), ['olm-guard', '--help'], { PATH: path });
      expect(help).to.include('Usage: kubectl olm-guard');
    });

    it('completes behind kubectl', () => {
      const { stdout } = run(program('kubectl'), ['olm-guard', 'completion', 'kubectl'], {
        PATH: path,
      });
      writeFileSync(join(folder, 'kubectl_complete-olm_guard'), stdout, { mode: 0o755 });
      const asked = ['__complete', 'olm-guard', 'check', 'c'];
      const offered = run(program('kubectl'), asked, { PATH: `${folder}${delimiter}${path}` });
      expect(offered.stdout).to.equal('chart\ncrd\n:0\n');
    });

    it('is held to the rules of krew’s index', () => {
      const validate = (file: string) =>
        run(program('validate-krew-manifest'), ['-manifest', file, '-skip-install']);
      expect(validate(join(out, 'olm-guard.yaml')).code).to.equal(0);
      copyFileSync(join(out, 'olm-guard.yaml'), join(folder, 'guard.yaml'));
      expect(validate(join(folder, 'guard.yaml')).output).to.include('should be named "guard"');
    });
  });

  describe('the chart in the registry', () => {
    const chart = () => `oci://${registry}/example/charts/olm-guard`;
    const helm = (...args: string[]) => {
      const { code, stdout, output } = run(program('helm'), [...args, '--plain-http']);
      expect(code, output).to.equal(0);
      return stdout;
    };

    it('names the image that was published', () => {
      const rendered = helm('template', 'guard', chart(), '--version', version);
      const image = `image: ${registry}/example/olm-guard:${version}`;
      expect(rendered.replaceAll('"', '')).to.include(image);
      expect(readFileSync(join(out, 'install.yaml'), 'utf8')).to.include(image);
    });

    it('says on Artifact Hub what changed, and where to read on', () => {
      const shown = helm('show', 'chart', chart(), '--version', version);
      expect(shown).to.include(`appVersion: ${version}`);
      for (const name of ['changes', 'images', 'license', 'links'])
        expect(shown).to.include(`artifacthub.io/${name}:`);
      expect(shown).to.include(`https://github.com/Example/olm-guard/tree/v${version}/docs`);
    });
  });

  /** Why there are no images, where there are none. */
  const noImage = (): string | undefined => /^no image is built here: (.*)$/m.exec(rehearsal)?.[1];

  /** An image of the registry, unpacked, and what it says of itself. */
  async function unpack<Config>(repository: string, folder: string): Promise<Config> {
    const { config, layers } = JSON.parse(
      (await get(`manifests/${version}`, repository)).toString(),
    ) as { config: { digest: string }; layers: { digest: string }[] };
    mkdirSync(folder);
    for (const { digest } of layers) {
      const input = await get(`blobs/${digest}`, repository);
      execFileSync('tar', ['-xzf', '-', '-C', folder], { input });
    }
    const described = JSON.parse((await get(`blobs/${config.digest}`, repository)).toString()) as {
      config: Config;
    };
    return described.config;
  }

  it('the image in the registry starts, without anything but what it holds', async function () {
    const reason = noImage();
    if (reason !== undefined || process.getuid?.() !== 0) {
      console.log(`      skipped: ${reason ?? 'only root may change the root of a process'}`);
      this.skip();
    }
    const image = join(folder, 'image');
    const how = await unpack<{ Entrypoint: string[]; User: string }>('olm-guard', image);
    expect(how.User).to.equal('65532:65532');
    const { code, output } = run('chroot', [
      '--userspec=65532:65532',
      image,
      ...how.Entrypoint,
      'version',
    ]);
    expect(output).to.equal(`${version}\n`);
    expect(code).to.equal(0);
  });

  it('the bundle in the registry is what the catalog of the release offers', async function () {
    const catalog = readFileSync(join(out, 'olm-guard-catalog.yaml'), 'utf8');
    const bundles = loadAll(catalog) as { schema: string; image?: string }[];
    expect(bundles.find(({ schema }) => schema === 'olm.bundle')?.image).to.equal(
      `${registry}/example/olm-guard-bundle:${version}`,
    );
    const executable = join(out, `olm-guard-${ownPlatform()}`);
    const catalogs = join(folder, 'catalogs');
    mkdirSync(catalogs);
    writeFileSync(join(catalogs, 'catalog.yaml'), catalog);
    expect(run(executable, ['catalog', 'validate', catalogs]).code).to.equal(0);
    const reason = noImage();
    if (reason !== undefined) {
      console.log(`      skipped: ${reason}`);
      this.skip();
    }
    const bundle = join(folder, 'bundle');
    const { Labels } = await unpack<{ Labels: Record<string, string> }>('olm-guard-bundle', bundle);
    const { annotations } = load(
      readFileSync(join(bundle, 'metadata', 'annotations.yaml'), 'utf8'),
    ) as { annotations: Record<string, string> };
    expect(Labels).to.include(annotations);
    const checked = run(executable, ['check', 'bundle', bundle]);
    expect(checked.output).to.equal('Bundle: 0 errors, 0 warnings, 0 notes\n');
    const service = join(bundle, 'manifests', 'olm-guard.clusterserviceversion.yaml');
    expect(readFileSync(service, 'utf8')).to.include(
      `image: ${registry}/example/olm-guard:${version}`,
    );
  });

  it('the package is what the Action installs and runs, as GitHub runs it', () => {
    const repository = new Repository({
      'config/crd/widgets.yaml': definitionText(),
      '.olm-guard.yaml': 'old: git:origin/main\npaths: [config/crd]\n',
    });
    repository.commit('main');
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.git('checkout', '-q', '-b', 'pull');
    repository.write({ 'config/crd/widgets.yaml': definitionText('widgets', { size: false }) });
    repository.commit('pull request');
    const prefix = join(folder, 'global');
    const inputs = {
      version: `file:${join(out, `npm-olm-guard-${version}.tgz`)}`,
      profile: 'proof',
    };
    const { code, log, summary, outputs, uses } = runCompositeAction(
      ...([root, repository.folder, join(folder, 'runner'), inputs] as const),
      {
        ...{ HOME: folder, npm_config_prefix: prefix, npm_config_offline: 'true' },
        PATH: [join(prefix, 'bin'), process.env['PATH']].join(delimiter),
      },
    );
    expect(code, log).to.equal(1);
    expect(uses.map((each) => each.split('@')[0])).to.deep.equal(['actions/setup-node']);
    expect(log).to.match(/^::error .*file=config\/crd\/widgets\.yaml/m);
    expect(summary).to.include('widgets.example.com');
    expect(outputs).to.deep.equal({ verdict: 'denied', sarif: 'olm-guard.sarif' });
    const sarif = readFileSync(join(repository.folder, outputs['sarif'] ?? ''), 'utf8');
    // Documents of the tag, of which the package knows by itself.
    expect(sarif).to.include(`https://github.com/Example/olm-guard/blob/v${version}/docs/`);
    repository.remove();
  });
});

describe('what a release asks before it is made', () => {
  const head = '# Changelog\n\n## Unreleased\n';
  const dated = '\n## 1.2.0 - 2026-01-02\n\n### Added\n- `one`.\n';
  const rows: [changelog: string, tag: string | undefined, problems: (string | RegExp)[]][] = [
    [`${head}${dated}`, 'v1.2.0', []],
    [`${head}${dated}`, undefined, []],
    [`${head}${dated}`, 'v1.2.1', [/the tag is v1\.2\.1/]],
    [`${head}\n- two\n${dated}`, 'v1.2.0', [/1 lines under Unreleased/]],
    [head, 'v1.2.0', [/no heading "## 1\.2\.0 - YYYY-MM-DD"/]],
    [`${head}\n## 1.2.0 - soon\n`, 'v1.2.0', [/no heading/]],
  ];
  for (const [changelog, tag, expected] of rows) {
    it(`${JSON.stringify(changelog.slice(head.length))} at ${tag ?? 'no tag'}`, () => {
      const problems = disagreements('1.2.0', changelog, tag);
      expect(problems).to.have.length(expected.length);
      expected.forEach((pattern, at) => expect(problems[at]).to.match(new RegExp(pattern)));
    });
  }

  it('names what is missing and what is on no list', () => {
    expect(differences(['a', 'b'], ['b', 'c'])).to.deep.equal(['a is missing', 'c is on no list']);
  });
});

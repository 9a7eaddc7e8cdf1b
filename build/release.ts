/**
 * `npm run release -- STEP`: a release in five steps, each of which the workflow only calls; the last
 * one is the only one that publishes, and begins only when all that the lists name is there.
 *
 *   check       version, tag and CHANGELOG.md agree
 *   executable  the executable of this platform, started once, and its archive for krew
 *   assemble    npm package, chart, install.yaml, SBOM, krew's manifest, OLM's bundle and catalog, SHA256SUMS
 *   verify      the files are those of the list, their sums hold, and krew installs every archive
 *   publish     a draft of the release, images, chart, npm package; then the draft is published
 *
 * `npm run release -- --dry-run [--out FOLDER]` does all of them for this platform, into FOLDER
 * (release/), with an image of the executable alone and a registry on loopback instead of the public
 * ones. It says what could not be done here and why, and ends with exit code 1 only where a step failed.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { dump, load } from 'js-yaml';
import { ensurePrograms, type Program } from '../test/apiserver/binaries.js';
import {
  changesOf,
  differences,
  disagreements,
  imageArchives,
  ownPlatform,
  platforms,
  releaseFiles,
} from './release-files.js';

const root = join(import.meta.dirname, '..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'release') },
    // Where images and charts are published; a rehearsal starts one unless one is named.
    registry: { type: 'string' },
  },
});
const isRehearsal = options['dry-run'];
const out = resolve(options.out);
const images = join(out, 'images');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const repository = process.env['GITHUB_REPOSITORY'] ?? 'example/olm-guard';
const server = process.env['GITHUB_SERVER_URL'] ?? 'https://github.com';
const tag = process.env['GITHUB_REF_NAME'] ?? `v${version}`;
const page = `${server}/${repository}`;
const built = isRehearsal ? [ownPlatform()] : platforms;
const own = join(out, `olm-guard-${ownPlatform()}`);
let registry = options.registry ?? 'ghcr.io';

/** Standard output; what the program says of errors goes to our own. */
function run(program: string, args: readonly string[], cwd = out, env: NodeJS.ProcessEnv = {}) {
  return execFileSync(program, args, {
    ...{ cwd, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, ...env } },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function imageName(): string {
  return `${registry}/${repository.toLowerCase()}`;
}

const temporary = mkdtempSync(join(tmpdir(), 'olm-guard-release-'));
let tree: string | undefined;

/** What is committed, but for the tests, which says where the documents of this release are. */
function staged(): string {
  if (tree !== undefined) return tree;
  tree = join(temporary, 'tree');
  const listed = run('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', ':!test'], root);
  for (const file of listed.split('\0')) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(tree, file));
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const file = join(tree, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  manifest['homepage'] = `${page}/blob/${tag}`;
  // Provenance names the repository, which the package has to name too.
  manifest['repository'] = { type: 'git', url: `git+${page}.git` };
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
  return tree;
}

function check(): void {
  const problems = disagreements(version, changelog, process.env['GITHUB_REF_NAME']);
  if (problems.length === 0) return;
  if (!isRehearsal) throw new Error(problems.join('\n'));
  for (const problem of problems) console.log(`not to be released yet: ${problem}`);
}

function executable(): void {
  run(process.execPath, [join('build', 'executable.mjs'), own], staged());
  const said = run(own, ['version']).trim();
  if (said !== version) throw new Error(`${own} version says ${said}`);
  const examples = join(root, 'examples');
  const judged = spawnSync(
    own,
    ['check', 'crd', join(examples, 'cluster'), join(examples, 'upgrades', 'field-removed.yaml')],
    { encoding: 'utf8' },
  );
  if (judged.status !== 1 || !judged.stdout.includes('loses data'))
    throw new Error(`${own} does not judge: ${judged.stdout}${judged.stderr}`);
  const pack = join(temporary, 'pack');
  cpSync(own, join(pack, 'kubectl-olm_guard'));
  cpSync(join(root, 'LICENSE'), join(pack, 'LICENSE'));
  const archive = join(out, `kubectl-olm_guard-${ownPlatform()}.tar.gz`);
  run('tar', ['-czf', archive, '-C', pack, 'kubectl-olm_guard', 'LICENSE']);
}

function assemble(): void {
  const from = staged();
  run(process.execPath, [join('build', 'bundle.mjs')], from);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', temporary], from);
  renameSync(
    join(temporary, `olm-guard-${version}.tgz`),
    join(out, `npm-olm-guard-${version}.tgz`),
  );
  chart(join(from, 'chart'));
  const write = (file: string, text: string): void => writeFileSync(join(out, file), text);
  cpSync(join(from, 'dist', 'olm-guard.cdx.json'), join(out, 'olm-guard.cdx.json'));
  write(
    'olm-guard.yaml',
    run(process.execPath, [join('build', 'krew.mjs'), repository, out], from),
  );
  const image = `${imageName()}:${version}`;
  write('install.yaml', run(join('build', 'install-yaml.sh'), [image], from));
  bundle();
  const files = filesIn(out).filter((file) => !file.startsWith('SHA256SUMS'));
  write('SHA256SUMS', files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join(''));
}

/** The chart, which names the image of this release and what changed since the last one. */
function chart(folder: string): void {
  const edit = (name: string, change: (text: string) => string): void => {
    const file = join(folder, name);
    const text = change(readFileSync(file, 'utf8'));
    writeFileSync(file, text);
  };
  edit('values.yaml', (text) =>
    [
      [/^ {2}repository: olm-guard$/m, `  repository: ${imageName()}`] as const,
      [/^docsUrl: .*$/m, `docsUrl: ${page}/blob/${tag}/docs`] as const,
    ].reduce((so, [pattern, line]) => {
      if (!pattern.test(so)) throw new Error(`values.yaml has no line ${pattern}`);
      return so.replace(pattern, () => line);
    }, text),
  );
  edit('Chart.yaml', (text) => {
    const { annotations, ...metadata } = load(text) as Record<string, object>;
    const images = [{ name: 'olm-guard', image: `${imageName()}:${version}` }];
    const links = [
      { name: 'documents', url: `${page}/tree/${tag}/docs` },
      { name: 'source', url: `${page}/tree/${tag}` },
    ];
    return dump({
      ...{ ...metadata, version, appVersion: version, home: page, sources: [page] },
      annotations: {
        ...annotations,
        'artifacthub.io/changes': dump(
          changesOf(version, changelog).map((description) => ({ kind: 'changed', description })),
        ),
        'artifacthub.io/images': dump(images),
        'artifacthub.io/license': 'Apache-2.0',
        'artifacthub.io/links': dump(links),
      },
    });
  });
  run('helm', ['lint', '--quiet', folder]);
  run('helm', ['package', folder, '--destination', out]);
}

function verify(): void {
  // The workflow signs the sums when they are made.
  const found = filesIn(out).filter((file) => file !== 'SHA256SUMS.sigstore.json');
  const problems = differences(releaseFiles(version, built), found);
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
  for (const line of sums) {
    const [sum = '', file = ''] = line.split('  ');
    if (sha256(join(out, file)) !== sum) problems.push(`${file} is not what was summed`);
  }
  if (sums.length !== releaseFiles(version, built).length - 1) problems.push('a sum is missing');
  if (problems.length > 0) throw new Error(problems.join('\n'));
  run('validate-krew-manifest', ['-manifest', join(out, 'olm-guard.yaml'), '-skip-install']);
  for (const platform of built) {
    const [os = '', arch = ''] = platform.split('-');
    const archive = join(out, `kubectl-olm_guard-${platform}.tar.gz`);
    const folder = join(temporary, `krew-${platform}`);
    run('krew', ['install', '--manifest', join(out, 'olm-guard.yaml'), '--archive', archive], out, {
      ...{ KREW_ROOT: folder, KREW_OS: os, KREW_ARCH: arch, KREW_NO_UPGRADE_CHECK: '1' },
    });
    for (const file of ['kubectl-olm_guard', 'LICENSE'])
      if (!existsSync(join(folder, 'store', 'olm-guard', `v${version}`, file)))
        throw new Error(`krew installs no ${file} on ${platform}`);
  }
}

/** Of the executable and the libraries it needs, on an empty base: no registry is asked. */
function rehearsedImage(): void {
  if (isBuilderMissing()) return;
  const context = join(temporary, 'image');
  cpSync(own, join(context, 'olm-guard'));
  for (const [, library = ''] of run('ldd', [own]).matchAll(/(\/\S+) \(0x/g))
    cpSync(library, join(context, library), { dereference: true });
  const lines = ['FROM scratch', 'COPY . /', 'USER 65532:65532', 'ENTRYPOINT ["/olm-guard"]'];
  writeFileSync(join(temporary, 'Containerfile'), `${lines.join('\n')}\n`);
  buildImage(imageArchives[0].file, join(temporary, 'Containerfile'), context);
}

/** What OLM installs: a catalog, and the bundle that it names, both of them naming this release's images. */
function bundle(): void {
  const folder = join(temporary, 'olm');
  const names = [`${imageName()}:${version}`, `${imageName()}-bundle:${version}`];
  run(
    process.execPath,
    ['--import', 'tsx', join('build', 'olm-bundle.ts'), ...names, folder],
    staged(),
  );
  cpSync(join(folder, 'catalog', 'olm-guard', 'catalog.yaml'), join(out, 'olm-guard-catalog.yaml'));
  if (isBuilderMissing()) return;
  const context = join(folder, 'bundle');
  buildImage('bundle.oci.tar', join(context, 'Dockerfile'), context);
}

/** A release cannot do without. */
function isBuilderMissing(): boolean {
  const missing = ['buildah', 'skopeo'].filter((name) => spawnSync(name, ['--version']).error);
  if (missing.length === 0) return false;
  const sentence = `no image is built here: needs ${missing.join(' and ')} on the PATH`;
  if (!isRehearsal) throw new Error(sentence);
  console.log(sentence);
  return true;
}

/** Of files alone: nothing runs in it, so that it is the same for every platform. */
function buildImage(archive: string, file: string, context: string): void {
  const storage = ['--root', join(temporary, 'storage'), '--runroot', join(temporary, 'run')];
  const buildah = (...args: string[]): string =>
    run('buildah', [...storage, '--storage-driver', 'vfs', ...args]);
  buildah('bud', '--isolation', 'chroot', '--quiet', '--file', file, '--tag', archive, context);
  mkdirSync(images, { recursive: true });
  buildah('push', '--quiet', archive, `oci-archive:${join(images, archive)}`);
}

/** Begins when everything is there, and is seen when everything is published. */
function publish(): void {
  verify();
  const archives = imageArchives.filter(({ file }) => {
    if (existsSync(join(images, file))) return true;
    if (!isRehearsal) throw new Error(`images/${file} is missing`);
    return false;
  });
  const files = filesIn(out).map((file) => join(out, file));
  const notes = join(temporary, 'notes.md');
  writeFileSync(
    notes,
    changesOf(version, changelog)
      .map((line) => `- ${line}\n`)
      .join(''),
  );
  release(
    'create',
    '--draft',
    '--verify-tag',
    '--title',
    tag,
    '--notes-file',
    notes,
    tag,
    ...files,
  );
  for (const archive of archives) {
    for (const name of [version, 'latest']) {
      const target = `docker://${imageName()}${archive.name}:${name}${archive.tag}`;
      const digest = join(temporary, 'digest');
      const how = ['--all', `--dest-tls-verify=${!isRehearsal}`, '--digestfile', digest];
      const source = `oci-archive:${join(images, archive.file)}`;
      run('skopeo', ['--insecure-policy', 'copy', '--quiet', ...how, source, target]);
      tell(archive.output, readFileSync(digest, 'utf8').trim());
    }
  }
  const charts = `${registry}/${dirname(repository).toLowerCase()}/charts`;
  tell('image', imageName());
  const packed = join(out, `olm-guard-${version}.tgz`);
  const args = ['push', packed, `oci://${charts}`, ...(isRehearsal ? ['--plain-http'] : [])];
  const pushed = spawnSync('helm', args, { encoding: 'utf8' });
  const [, digest] = /^Digest: (sha256:\S+)$/m.exec(`${pushed.stdout}${pushed.stderr}`) ?? [];
  if (pushed.status !== 0 || digest === undefined) throw new Error(`helm push: ${pushed.stderr}`);
  tell('chart', `${charts}/olm-guard`);
  tell('chart-digest', digest);
  const rehearsed = isRehearsal ? ['--dry-run', '--offline', '--silent'] : [];
  const packageFile = join(out, `npm-olm-guard-${version}.tgz`);
  run('npm', ['publish', '--ignore-scripts', '--access', 'public', ...rehearsed, packageFile]);
  release('edit', '--draft=false', tag);
}

function release(...args: string[]): void {
  if (isRehearsal) console.log(`would run: gh release ${args.join(' ').replaceAll(`${out}/`, '')}`);
  else run('gh', ['release', ...args, '--repo', repository]);
}

/** For the steps behind this one, which attest what was published. */
function tell(name: string, value: string): void {
  console.log(`${name}=${value}`);
  const file = process.env['GITHUB_OUTPUT'];
  if (file !== undefined) appendFileSync(file, `${name}=${value}\n`);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Programs of runners are used as they are; these no runner has. */
const krew: readonly Program[] = ['krew', 'validate-krew-manifest'];

const steps: Record<string, () => void> = { check, executable, assemble, verify, publish };

/** Puts them on the PATH. */
async function build(needed: readonly Program[]): Promise<void> {
  const programs = await ensurePrograms(needed);
  const folders = new Set([...programs.values()].map((program) => dirname(program)));
  process.env['PATH'] = [...folders, process.env['PATH']].join(delimiter);
}

/** For this platform alone, with programs that are built from source. */
async function rehearse(): Promise<void> {
  await build(['helm', 'kubectl', 'registry', ...krew]);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  // It ends with its standard input, and so with us.
  const server = spawn('registry', { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const [address] = (await once(createInterface(server.stdout), 'line')) as [string];
    registry = options.registry ?? address;
    for (const step of [check, executable, rehearsedImage, assemble, publish]) {
      console.log(`== ${step.name}`);
      step();
    }
  } finally {
    server.kill();
  }
}

try {
  const [name = ''] = positionals;
  if (isRehearsal) await rehearse();
  else if (steps[name] !== undefined) {
    if (name === 'verify' || name === 'publish') await build(krew);
    mkdirSync(out, { recursive: true });
    steps[name]();
  } else {
    console.error(`usage: npm run release -- ${Object.keys(steps).join('|')}, or --dry-run`);
    process.exitCode = 2;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

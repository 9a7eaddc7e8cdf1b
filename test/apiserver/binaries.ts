/**
 * Where do kube-apiserver, etcd and kubectl come from? From the folder that KUBEBUILDER_ASSETS
 * names (the convention of Kubernetes' own test tooling), else from a cache that is filled once
 * by `go build` of the tools in ./go.mod. Other programs always come from the cache, each from the
 * go.mod of the folder that `sources` names.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type ServerProgram = 'kube-apiserver' | 'etcd' | 'kubectl';
export type Program =
  | ServerProgram
  | 'helm'
  | 'krew'
  | 'validate-krew-manifest'
  | 'registry'
  | 'opm'
  | 'actionlint'
  | 'kubeconform'
  | 'controller-gen';

const moduleFolder = import.meta.dirname;

/** Of each program its package, and the folder beside this one that has its go.mod. */
const sources: Record<Program, { readonly module: string; readonly package: string }> = {
  'kube-apiserver': { module: 'apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  etcd: { module: 'apiserver', package: 'go.etcd.io/etcd/server/v3' },
  kubectl: { module: 'apiserver', package: 'k8s.io/kubernetes/cmd/kubectl' },
  helm: { module: 'helm', package: 'helm.sh/helm/v3/cmd/helm' },
  krew: { module: 'krew', package: 'sigs.k8s.io/krew/cmd/krew' },
  'validate-krew-manifest': {
    module: 'krew',
    package: 'sigs.k8s.io/krew/cmd/validate-krew-manifest',
  },
  registry: { module: 'registry', package: '.' },
  opm: { module: 'olm', package: '.' },
  actionlint: { module: 'actionlint', package: 'github.com/rhysd/actionlint/cmd/actionlint' },
  kubeconform: { module: 'kubeconform', package: 'github.com/yannh/kubeconform/cmd/kubeconform' },
  'controller-gen': {
    module: 'controller-gen',
    package: 'sigs.k8s.io/controller-tools/cmd/controller-gen',
  },
};

export const programs: readonly ServerProgram[] = ['kube-apiserver', 'etcd', 'kubectl'];

/**
 * Absolute path of every program; builds what is missing (minutes the first time, with Go's
 * output on stderr).
 *
 * @throws Error when KUBEBUILDER_ASSETS names a folder without kube-apiserver or etcd, when Go
 * is missing or when a build fails
 */
export async function ensurePrograms(
  wanted: readonly Program[] = programs,
): Promise<Map<Program, string>> {
  const paths = new Map<Program, string>();
  for (const program of wanted) {
    paths.set(program, findProgram(program) ?? (await buildProgram(program)));
  }
  return paths;
}

/** The programs that would have to be built first. */
export function missingPrograms(wanted: readonly Program[] = programs): Program[] {
  return wanted.filter((program) => findProgram(program) === undefined);
}

export function hasGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

function findProgram(program: Program): string | undefined {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  if (assets !== undefined && assets !== '' && sources[program].module === 'apiserver') {
    const provided = join(assets, program);
    if (existsSync(provided)) return provided;
    // envtest's folder always has the servers; kubectl is missing from some.
    if (program !== 'kubectl') {
      throw new Error(
        `KUBEBUILDER_ASSETS=${assets} has no ${program}: unset it to build one, or add it`,
      );
    }
  }
  const cached = join(cacheFolder(program), program);
  return existsSync(cached) ? cached : undefined;
}

function folderOf(program: Program): string {
  return join(moduleFolder, '..', sources[program].module);
}

/** One folder per version and per content of its module, so that a change of either rebuilds. */
function cacheFolder(program: Program): string {
  const root = process.env['OLM_GUARD_CACHE'] || join(homedir(), '.cache', 'olm-guard');
  const content = createHash('sha256');
  const module = folderOf(program);
  const files = ['go.mod', 'go.sum', ...(sources[program].package === '.' ? ['main.go'] : [])];
  for (const file of files) content.update(readFileSync(join(module, file)));
  for (const flag of linkerFlags(program)) content.update(flag);
  const name = [
    sources[program].module,
    ...(knowsKubernetes(program) ? [kubernetesVersion()] : []),
    process.platform,
    process.arch,
    content.digest('hex').slice(0, 8),
  ];
  return join(root, name.join('-'));
}

/** The version in go.mod, for example `v1.35.4`. */
export function kubernetesVersion(): string {
  const version = /k8s\.io\/kubernetes (v[\w.-]+)/.exec(
    readFileSync(join(moduleFolder, 'go.mod'), 'utf8'),
  )?.[1];
  if (version === undefined)
    throw new Error(`${moduleFolder}/go.mod requires no k8s.io/kubernetes`);
  return version;
}

function knowsKubernetes(program: Program): boolean {
  return ['apiserver', 'helm'].includes(sources[program].module);
}

/**
 * A plain `go build` calls itself v0.0.0-master, which clients take for an ancient server, and Helm
 * takes every cluster that it cannot ask for one.
 */
function linkerFlags(program: Program): string[] {
  if (!knowsKubernetes(program)) return ['-s', '-w'];
  const version = kubernetesVersion();
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: 'unknown',
  };
  const assignments = Object.entries(values).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  const ofHelm = [
    `-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=${major}`,
    `-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=${minor}`,
  ];
  return ['-s', '-w', ...assignments, ...(program === 'helm' ? ofHelm : [])];
}

async function buildProgram(program: Program): Promise<string> {
  const folder = cacheFolder(program);
  const target = join(folder, program);
  mkdirSync(folder, { recursive: true });
  const unlock = await lock(`${target}.lock`);
  try {
    if (existsSync(target)) return target;
    process.stderr.write(
      `building ${program} into ${folder} (once; minutes when Go's own cache is cold)\n`,
    );
    const unfinished = `${target}.${process.pid}.part`;
    await goBuild(program, unfinished);
    renameSync(unfinished, target);
    return target;
  } finally {
    unlock();
  }
}

async function goBuild(program: Program, output: string): Promise<void> {
  const cwd = folderOf(program);
  const child = spawn(
    'go',
    [
      'build',
      '-mod=readonly',
      `-ldflags=${linkerFlags(program).join(' ')}`,
      '-o',
      output,
      sources[program].package,
    ],
    {
      cwd,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
    },
  );
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', (error) => reject(new Error(`cannot run go: ${error.message}`)));
      child.once('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`go build ${sources[program].package} failed in ${cwd}`));
      });
    });
  } catch (error) {
    rmSync(output, { force: true });
    throw error;
  } finally {
    process.off('exit', stop);
  }
}

/**
 * Saves a second build at the same time; that two builds don't disturb each other is the doing
 * of the rename, not of this lock.
 */
async function lock(path: string): Promise<() => void> {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    for (;;) {
      try {
        linkSync(mine, path);
        return () => unlinkSync(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (!holderLives(path)) rmSync(path, { force: true });
      else await sleep(500);
    }
  } finally {
    unlinkSync(mine);
  }
}

function holderLives(path: string): boolean {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    process.kill(holder, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

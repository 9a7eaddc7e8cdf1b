/** Whether upstream has moved on from the versions that are followed. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { releasesByMinor } from '../../src/kubernetes/index.js';
import { followedVersions } from '../../src/rule/index.js';
import { compareVersions, readVersion } from '../../src/text/versions/index.js';

/** What a proxy of Go modules knows of a query, or why it says nothing. */
export type AskModule = (module: string, query: string) => Known | { readonly unknown: string };

interface Known {
  readonly version: string;
  /** `2026-07-23` */
  readonly date: string;
}

/**
 * A sentence for each source that is followed: version and day, the newest one that is known, and why a
 * source could not be asked.
 */
export function newestKnown(ask: AskModule = askProxy): string[] {
  return [
    ...Object.entries(followedVersions).map(([repository, { version, date }]) =>
      sentence(repository, moduleOf(repository), version, date, ask),
    ),
    ...[...releasesByMinor].map(([minor, release]) => {
      const asked = ask(apiextensions, release);
      const day = 'unknown' in asked ? undefined : asked.date;
      return sentence(
        `Kubernetes ${minor}`,
        apiextensions,
        release,
        day,
        ask,
        `v0.${minor.slice(2)}`,
      );
    }),
    nextMinor(ask),
  ];
}

const apiextensions = 'k8s.io/apiextensions-apiserver';

/** @param within only releases that begin with it: those of a minor */
function sentence(
  source: string,
  module: string,
  version: string,
  date: string | undefined,
  ask: AskModule,
  within?: string,
): string {
  const followed = `${source}: ${version}${date === undefined ? '' : ` of ${date}`}`;
  const latest = ask(module, within ?? 'latest');
  const isNewer = (found: Known): boolean =>
    isRelease(version) ? compare(found.version, version) > 0 : found.date > (date ?? '');
  // A proxy may serve single releases and refuse to list them, or list old ones only.
  const newest =
    !('unknown' in latest) && isNewer(latest)
      ? latest
      : isRelease(version)
        ? probe(module, version, within !== undefined, ask)
        : undefined;
  const why = 'unknown' in latest ? `: not all could be asked: ${latest.unknown}` : '';
  return newest === undefined
    ? `${followed}, none newer is known${why}`
    : `${followed} is followed, and ${newest.version} of ${newest.date} is out${why}`;
}

/** Releases are asked one by one, the next patch, then the next minor, as long as one answers. */
function probe(
  module: string,
  version: string,
  isHeld: boolean,
  ask: AskModule,
): Known | undefined {
  const [, major = '', minor = '', patch = ''] = /^v(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  const next = [
    `v${major}.${minor}.${Number(patch) + 1}`,
    ...(isHeld ? [] : [`v${major}.${Number(minor) + 1}.0`]),
  ];
  let newest: Known | undefined;
  for (const each of next) {
    const answer = ask(module, each);
    if (!('unknown' in answer)) newest = probe(module, each, isHeld, ask) ?? answer;
  }
  return newest;
}

function nextMinor(ask: AskModule): string {
  const next = [...releasesByMinor.keys()].map((minor) => Number(minor.slice(2)) + 1).pop() ?? 0;
  const stages = [
    '',
    '-rc.1',
    '-rc.0',
    '-beta.1',
    '-beta.0',
    '-alpha.3',
    '-alpha.2',
    '-alpha.1',
    '-alpha.0',
  ];
  for (const stage of stages) {
    const found = ask(apiextensions, stage === '' ? `v0.${next}` : `v0.${next}.0${stage}`);
    if ('unknown' in found) continue;
    return `Kubernetes 1.${next}: ${found.version} of ${found.date} is out: npm run minor -- 1.${found.version.slice('v0.'.length)}`;
  }
  return `Kubernetes 1.${next}: no release is known`;
}

const isRelease = (version: string): boolean => /^v\d+\.\d+\.\d+$/.test(version);

function compare(left: string, right: string): number {
  const [one, other] = [left, right].map((each) => readVersion(each.replace(/^v/, '')));
  return one === undefined || other === undefined ? 0 : compareVersions(one, other);
}

function moduleOf(repository: string): string {
  if (repository === 'kubernetes-sigs/crdify') return 'sigs.k8s.io/crdify';
  return repository.startsWith('kubernetes/')
    ? repository.replace('kubernetes/', 'k8s.io/')
    : `github.com/${repository}`;
}

function askProxy(module: string, query: string): ReturnType<AskModule> {
  const { status, stdout, stderr } = spawnSync(
    'go',
    ['list', '-m', '-f', '{{.Version}} {{.Time.Format "2006-01-02"}}', `${module}@${query}`],
    // Outside of any module.
    { cwd: tmpdir(), encoding: 'utf8' },
  );
  const [version = '', date = ''] = (stdout ?? '').trim().split(' ');
  if (status === 0) return { version, date };
  const said = (stderr ?? '').trim().split('\n');
  return {
    unknown:
      said
        .filter((line) => line.trim() !== '')
        .join(' ')
        .slice(0, 200) || 'go is not there',
  };
}

/** Whether upstream has moved on from the versions that are followed. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { followedVersions } from '../../src/rule/index.js';
import { compareVersions, readVersion } from '../../src/text/versions/index.js';

/** The newest release of a Go module, or why it is not known. */
type AskLatest = (module: string) => { readonly latest: string } | { readonly unknown: string };

/** A sentence for each repository that has a newer release, or that could not be asked. */
export function newerReleases(ask: AskLatest = askProxy): string[] {
  return Object.entries(followedVersions).flatMap(([repository, followed]) => {
    const current = readVersion(followed.replace(/^v/, ''));
    // Of a commit there is nothing newer to name: the module that pins it is followed itself.
    if (current === undefined) return [];
    const answer = ask(moduleOf(repository));
    if ('unknown' in answer) return [`${repository} ${followed}: not asked: ${answer.unknown}`];
    const latest = readVersion(answer.latest.replace(/^v/, ''));
    if (latest === undefined || compareVersions(latest, current) <= 0) return [];
    return [`${repository}: ${followed} is followed, and ${answer.latest} is out`];
  });
}

const moduleOf = (repository: string): string =>
  repository.startsWith('kubernetes/')
    ? repository.replace('kubernetes/', 'k8s.io/')
    : `github.com/${repository}`;

function askProxy(module: string): ReturnType<AskLatest> {
  const { status, stdout, stderr } = spawnSync(
    'go',
    ['list', '-m', '-f', '{{.Version}}', `${module}@latest`],
    // Outside of any module.
    { cwd: tmpdir(), encoding: 'utf8' },
  );
  if (status === 0) return { latest: stdout.trim() };
  return { unknown: (stderr ?? '').trim().split('\n')[0] ?? 'go is not there' };
}

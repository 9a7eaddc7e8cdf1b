/** `old: release`: the newest release that the branch contains, by its tag. */
import { type InvalidInputError, invalidInput } from '../../text/documents/index.js';
import { git, isShallow, startOf, targetOfRequest } from '../../text/documents/git-revision.js';
import { firstNames } from '../../text/shortened.js';
import { compareVersions, readVersion } from '../../text/versions/index.js';

/** Stands for it in place of OLD. */
export const release = 'release';

/** The full name of the tag: a branch may have the same short one. @throws InvalidInputError */
export async function newestRelease(where?: 'anywhere'): Promise<string> {
  const refuse = (message: string): InvalidInputError => invalidInput(message, { file: release });
  if (await isShallow(release)) {
    const message =
      'git: this clone is shallow, so its releases are not known: check out with fetch-depth: 0, or run git fetch --unshallow --tags';
    throw refuse(message);
  }
  const tagsOf = async (...more: readonly string[]): Promise<string[]> => {
    const argv = ['for-each-ref', '--format=%(refname:strip=2)', ...more, 'refs/tags'];
    const named = await git(release, argv);
    return named.toString('utf8').split('\n').filter(Boolean);
  };
  // The author of a pull request may tag its commits, and would choose OLD.
  const isRequest = targetOfRequest() !== undefined;
  const last = isRequest ? (await startOf(release, 'merge-base')).commit : 'HEAD';
  const place = isRequest ? 'the target of the pull request' : 'HEAD';
  const tags = await tagsOf(...(where === undefined ? [`--merged=${last}`] : []));
  const releases = tags.flatMap((tag) => {
    const version = readVersion(tag.replace(/^(?:release[-/])?v?/, ''));
    return version === undefined || version.prerelease.length > 0 ? [] : [{ tag, version }];
  });
  const [newest] = releases.sort((one, other) => compareVersions(other.version, one.version));
  if (newest !== undefined) return `refs/tags/${newest.tag}`;
  if (tags.length > 0) {
    throw refuse(
      `git: no tag that ${place} contains is a release such as v1.2.3, only ${firstNames(tags, 5)}: tag one, or name the commit (git:TAG) as OLD`,
    );
  }
  throw refuse(
    (await tagsOf()).length > 0
      ? `git: ${place} contains no tag, only other branches have some: name OLD, such as git:v1.2.3`
      : 'git: this clone has no tags: run git fetch --tags; before the first release name OLD, such as git:origin/main',
  );
}

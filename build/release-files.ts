/** What a release is made of, and what has to agree before one is made. */

/** As releases name platforms: the pairs of Node's names, and the runners that build them. */
export const platforms = ['darwin-amd64', 'darwin-arm64', 'linux-amd64', 'linux-arm64'];

/** The platform that this runs on. */
export function ownPlatform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}

/**
 * Every file of a release, sorted.
 *
 * @param version without v
 * @param built the platforms of executables: all for a release, one for a rehearsal
 */
export function releaseFiles(version: string, built: readonly string[] = platforms): string[] {
  return [
    ...built.flatMap((platform) => [
      `olm-guard-${platform}`,
      `kubectl-olm_guard-${platform}.tar.gz`,
    ]),
    `npm-olm-guard-${version}.tgz`,
    // The chart, under the name that Helm gives it.
    `olm-guard-${version}.tgz`,
    'olm-guard.cdx.json',
    // krew's manifest, under the name that krew insists on.
    'olm-guard.yaml',
    'install.yaml',
    // A catalog of this release alone, which names the image of the bundle.
    'olm-guard-catalog.yaml',
    'SHA256SUMS',
  ].sort();
}

/** What is missing from `found` and what nobody asked for, one sentence each. */
export function differences(expected: readonly string[], found: readonly string[]): string[] {
  return [
    ...expected.filter((file) => !found.includes(file)).map((file) => `${file} is missing`),
    ...found.filter((file) => !expected.includes(file)).map((file) => `${file} is on no list`),
  ];
}

/**
 * Why this version cannot be released, one sentence each.
 *
 * @param changelog the text of CHANGELOG.md
 * @param tag `vX.Y.Z`, where a tag is what is released
 */
export function disagreements(version: string, changelog: string, tag?: string): string[] {
  const sections = changelog.split(/^## /m);
  const unreleased = sections.find((each) => each.startsWith('Unreleased\n')) ?? '';
  const problems: string[] = [];
  if (tag !== undefined && tag !== `v${version}`)
    problems.push(`the tag is ${tag}, and package.json says ${version}: run npm version`);
  const own = sections.find((each) => each.startsWith(`${version} - `)) ?? '';
  if (!/^\S+ - \d{4}-\d{2}-\d{2}\n/.test(own))
    problems.push(`CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD"`);
  const lines = unreleased.split('\n').filter((line) => line.startsWith('- ')).length;
  if (lines > 0)
    problems.push(`CHANGELOG.md has ${lines} lines under Unreleased: move them under ${version}`);
  return problems;
}

/** Archives of images below images/, the ends of their names and tags, and the output that has the digest. */
export const imageArchives = [
  { file: 'image.oci.tar', name: '', tag: '', output: 'image-digest' },
  // Jobs of CI need a shell in it.
  { file: 'image-ci.oci.tar', name: '', tag: '-ci', output: 'ci-image-digest' },
  // What OLM unpacks.
  { file: 'bundle.oci.tar', name: '-bundle', tag: '', output: 'bundle-image-digest' },
] as const;

/** The lines of CHANGELOG.md about that version, without what they begin with. */
export function changesOf(version: string, changelog: string): string[] {
  const sections = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${version} - `)) ?? '';
  return section.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

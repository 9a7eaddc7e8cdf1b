/** `olm-guard init`: a `.olm-guard.yaml` for the repository around the working directory, each line explained. */
import { existsSync, lstatSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { collectCrds, servedVersions } from '../upgrade/index.js';
import { InvalidInputError, invalidInput, parseDocuments } from '../text/documents/index.js';
import { isKustomization, type References, referencesOf } from '../repository/index.js';
import { git, startOfBranch } from '../text/documents/git-revision.js';
import { realPlace } from '../text/documents/program.js';
import { topOfRepository } from '../text/documents/top-of-repository.js';
import { readRegularFile } from '../text/documents/regular-file.js';
import { firstNames } from '../text/shortened.js';
import { visible } from '../text/visible.js';
import { newestRelease } from './check/compared-sources.js';
import { policyOfRepository } from './options/policy-option.js';
import { print, printError } from './output.js';

export function initCommand(): Command {
  return new Command('init')
    .description(
      'write a .olm-guard.yaml for this repository, unless it has one: its definitions, their stability, its releases',
    )
    .action(init);
}

async function init(): Promise<void> {
  const here = process.cwd();
  const top = topOfRepository(here);
  if (top === undefined) {
    throw invalidInput('there is no Git repository here; run git init first');
  }
  const { file: known } = policyOfRepository(here);
  const target = join(top, '.olm-guard.yaml');
  if (known !== undefined) throw isThere(relative(here, known));
  const { found, omitted } = await definitionsOf(top);
  if (found.size === 0) {
    const message =
      'no file of this repository has a CustomResourceDefinition: nothing was written';
    throw invalidInput(message);
  }
  const text = policyFor({ found, omitted }, await oldSide(), existsSync(join(top, 'crdify.yaml')));
  await writeNew(target, text, relative(here, target));
  await print(text);
  printError(
    `olm-guard: wrote ${relative(here, target)}; compare now: olm-guard check crd; in pull requests: the same with -o github, or the GitHub Action without inputs`,
  );
}

function isThere(file: string): InvalidInputError {
  return invalidInput('is there already: nothing was written', { file });
}

/** All at once, or not: a link takes the place of no file. */
async function writeNew(target: string, text: string, shown: string): Promise<void> {
  const draft = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await link(draft, target);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isThere(shown);
    throw invalidInput(`cannot be written (${code})`, { file: shown });
  } finally {
    await rm(draft, { force: true });
  }
}

interface FoundDefinition {
  readonly file: string;
  /** For `paths`: its folder, or that of the kustomization that gives it a converter. */
  readonly place: string;
  readonly versions: readonly string[];
}

type FoundDefinitions = Awaited<ReturnType<typeof definitionsOf>>;

/** Folders with generated copies of the definitions. */
const ofCopies = /(?:^|\/)(?:bundles?|charts?|dist|manifests)\//;
/** Folders of files that are not part of a release. */
const ofOthers =
  /(?:^|\/)(?:dev|dev-env|docs?|examples?|samples?|hack|(?:[\w-]+-)?(?:tests?|e2e)|_?testdata|third_party|vendor|node_modules)\//;

const ofExamples = /(?:^|\/)examples?\//;

/** Each definition with the file where it is maintained: no copy, no kept release, and the shortest path. */
async function definitionsOf(top: string) {
  const argv = 'ls-files -z --cached --others --exclude-standard -- *.yaml *.yml *.json'.split(' ');
  const listed = (await git('.', argv)).toString('utf8').split('\0').filter(Boolean);
  const files: string[] = [];
  // A link is a copy, and a folder with one that leads out of it cannot be named.
  const links: string[] = [];
  for (const file of listed) {
    const found = lstatSync(join(top, file), { throwIfNoEntry: false });
    if (found?.isFile() === true) files.push(file);
    if (found?.isSymbolicLink() === true) links.push(file);
  }
  const all: (Omit<FoundDefinition, 'place'> & { readonly name: string })[] = [];
  const converting = new Set<string>();
  const kustomizations = new Map<string, References>();
  for (const file of files) {
    try {
      const bytes = await readRegularFile(join(top, file), undefined, realPlace(top));
      if (isKustomization(posix.basename(file)))
        kustomizations.set(file, referencesOf(file, bytes));
      if (!bytes.includes('CustomResourceDefinition')) continue;
      if (bytes.includes('conversion')) converting.add(file);
      const { crds } = collectCrds(parseDocuments(bytes, { file }), () => undefined);
      for (const [name, { crd }] of crds) {
        all.push({ name, file, versions: [...servedVersions(crd.document).keys()] });
      }
    } catch (error) {
      // A template, a link out of the repository, or a file that is gone: nothing to compare.
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  // A folder that has a name twice holds releases, each in a file of its own.
  const places = new Set<string>();
  const counts = new Map<string, number>();
  for (const { file } of all) counts.set(file, (counts.get(file) ?? 0) + 1);
  const ofReleases = new Set<string>();
  for (const { name, file } of all) {
    const place = `${posix.dirname(file)} ${name}`;
    if (places.has(place)) ofReleases.add(posix.dirname(file));
    places.add(place);
  }
  const rank = (file: string): number =>
    (ofCopies.test(file) ? 10_000 : 0) +
    // Mostly an old copy.
    (isLeftOut(file) ? 2_500 : 0) +
    (ofOthers.test(file) ? 40_000 : 0) +
    (ofReleases.has(posix.dirname(file)) ? 20_000 : 0) +
    // A file of several is put together from files of one each, where there are such.
    (counts.get(file) === 1 ? 0 : 5_000) +
    file.length;
  const released = new Set(all.flatMap(({ name, file }) => (ofOthers.test(file) ? [] : [name])));
  // An example that holds released definitions installs the operator, with all that it holds.
  const installing = new Set(
    all.flatMap(({ name, file }) => (ofExamples.test(file) && released.has(name) ? [file] : [])),
  );
  const found = new Map<string, FoundDefinition>();
  /** Files of samples and tests with definitions that no other file has. */
  const omitted = new Map<string, string>();
  const sorted = all.sort((one, other) => rank(one.file) - rank(other.file));
  // Such a folder would compare the copies too.
  const ofSomeCopies = new Set<string>();
  const seen = new Set<string>();
  for (const { name, file } of sorted) {
    if (seen.has(name) && ofCopies.test(file)) ofSomeCopies.add(posix.dirname(file));
    seen.add(name);
  }
  for (const { name, ...each } of sorted) {
    if (found.has(name)) continue;
    // If any definition is released, those that only tests have are left out.
    const isOther = ofOthers.test(each.file) && released.size > 0;
    if (isOther && !installing.has(each.file)) omitted.set(name, each.file);
    else found.set(name, { ...each, place: isOther ? each.file : placeOf(each.file) });
  }
  for (const name of found.keys()) omitted.delete(name);
  return { found, omitted: new Set(omitted.values()) };

  /** The folder; the file itself at the top of the repository, or if the folder has a link or a name twice. */
  function placeOf(file: string): string {
    for (const [kustomization, { taken, patches }] of kustomizations) {
      const isConverting = patches.some((patch) => converting.has(patch));
      if (isConverting && taken.includes(file)) return posix.dirname(kustomization);
    }
    const folder = posix.dirname(file);
    const isApart =
      isLeftOut(file) ||
      ofReleases.has(folder) ||
      ofSomeCopies.has(folder) ||
      links.some((link) => link.startsWith(`${folder}/`));
    return folder === '.' || isApart ? file : folder;
  }

  /** A folder with a kustomization is rendered, which may leave the file out. */
  function isLeftOut(file: string): boolean {
    return [...kustomizations].some(
      ([each, { taken }]) => posix.dirname(each) === posix.dirname(file) && !taken.includes(file),
    );
  }
}

/** OLD as far as this clone knows it, and why it is that. */
async function oldSide(): Promise<readonly [old: string, why: string]> {
  const tag = await newestRelease().catch(() => undefined);
  let later = '"release" once there is a tag such as v1.0.0';
  if (tag !== undefined) {
    const [here = '', newest = ''] = [tag, await newestRelease('anywhere')].map((each) =>
      each.replace('refs/tags/', ''),
    );
    // Where releases are tagged on branches of their own, this one's may be years old.
    const lineOf = (name: string): string => name.split('.').slice(0, 2).join('.');
    if (lineOf(here) === lineOf(newest))
      return ['release', `the newest release that the branch contains, now ${here}`];
    later = `"release" would be ${here}, as ${newest} is on another branch`;
  }
  const isBranched = await startOfBranch('git:merge-base:').then(
    () => true,
    () => false,
  );
  return isBranched
    ? ['git:merge-base', `where the branch began; ${later}`]
    : ['git:HEAD', `the last commit; "git:merge-base" once there is a remote, ${later}`];
}

/** Names come from files that others wrote: none begins a line of its own. */
function policyFor(
  { found, omitted }: FoundDefinitions,
  [old, why]: readonly [string, string],
  hasCrdify: boolean,
): string {
  const versions = [...new Set([...found.values()].flatMap((each) => each.versions))].sort();
  const alpha = versions.filter((version) => /alpha/.test(version));
  const others = versions.filter((version) => !alpha.includes(version));
  const paths = pathsOf(found);
  return `${[
    '# Made by olm-guard init; check it with: olm-guard check crd',
    'apiVersion: olm-guard.io/v1alpha1',
    'kind: Policy',
    `# What is compared with: ${why}.`,
    `old: ${old}`,
    `# Where the definitions are: ${firstNames([...found.keys()], 10)}.`,
    'paths:',
    ...paths.map((path) => `  - ${JSON.stringify(path)}`),
    ...(omitted.size === 0
      ? []
      : [`# Left out, as samples or tests: ${firstNames([...omitted])}. Add what users install.`]),
    ...(hasCrdify
      ? ['# crdify.yaml beside this file is read too; fields of this file win over it.']
      : []),
    '# What the API has promised: the first entry that matches a finding decides.',
    'promises:',
    '  # Fields whose description begins with "Deprecated" may go, with a warning.',
    '  - { deprecated: true, mode: warn }',
    ...(alpha.length === 0
      ? []
      : [
          `  # ${firstNames(alpha, 5)}: alpha, changes are only noted${others.length === 0 ? ', also those that break objects: without the next line these are denied' : ''}`,
          '  - { versions: ["v*alpha*"], mode: audit }',
        ]),
    ...(others.length === 0
      ? []
      : [`  # ${firstNames(others, 5)}: what breaks objects is denied, as without an entry.`]),
    '  # - { versions: ["v*"], mode: deny } # would also deny changed defaults and the like',
    '  # - { branches: ["release-*"], mode: frozen } # first in the list: there only descriptions change',
  ]
    .map(visible)
    .join('\n')}\n`;
}

function pathsOf(found: ReadonlyMap<string, FoundDefinition>): string[] {
  return [...new Set([...found.values()].map(({ place }) => place))];
}

/** Where the definitions of a repository are, for a policy that does not say it; from the folder of its file. */
export async function definitionPaths(file: string): Promise<string[] | undefined> {
  const folder = dirname(resolve(file));
  const top = topOfRepository(folder);
  if (top === undefined) return undefined;
  const paths = pathsOf((await definitionsOf(top)).found);
  return paths.length === 0 ? undefined : paths.map((path) => relative(folder, join(top, path)));
}

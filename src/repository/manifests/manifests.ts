/** As it would be applied: rendered where this machine has the program for it. */
import { join, posix } from 'node:path';
import { InvalidInputError, isObject, own, parseDocuments } from '../../text/documents/index.js';
import { readSource, type SourceOptions } from '../../text/documents/sources.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import type { AppliedFolder, Release } from './applied-folder.js';
import { isKustomization, referencesOf } from './kustomization.js';
import { kustomizationFiles } from './kustomize-files.js';
import { renderFolder } from './rendered-folder.js';
import { repositoryOf } from './repository.js';
import { compareVersions, readVersion, type Version } from '../../text/versions/index.js';

export interface Manifests {
  readonly files: readonly SourceFile[];
  /** The files that `files` were rendered from: where a person finds what was rendered. */
  readonly origins: readonly SourceFile[];
  /** The kind of whole that the source is; undefined for a file and for standard input. */
  readonly whole?: 'folder' | 'chart' | 'bundle';
  /** Patches of kustomizations, which are no manifests by themselves. */
  readonly patches: number;
  /** Files that may define something and could not be read, a sentence each. */
  readonly unchecked?: readonly string[];
}

export interface ManifestOptions extends Pick<SourceOptions, 'onSkipped'> {
  /** Told, in one sentence, of what was read in another way than it is applied. */
  readonly onNote?: (sentence: string) => void;
  /** Whether what a kustomization refers to elsewhere is fetched. */
  readonly usesNetwork?: boolean | undefined;
}

/**
 * Reads a file, a folder, `git:REF:path` or standard input.
 *
 * - A folder with a kustomization is rendered by `kubectl kustomize` or `kustomize build`; without
 *   them its files are read, those it takes in from other folders too, and its patches skipped.
 * - A Helm chart is rendered by `helm template`; without it, its `crds/` are read.
 * - Of bundles beside each other the newest is read.
 *
 * @throws InvalidInputError for what cannot be read, and with the words of a program that fails
 */
export async function readManifests(
  source: string,
  options: ManifestOptions = {},
): Promise<Manifests> {
  const folder = await readSource(source, options);
  if (folder.every(({ path }) => path === '')) return { files: folder, origins: [], patches: 0 };
  if (folder.some(({ path }) => isKustomization(path))) {
    return { ...(await kustomized(source, options)), whole: 'folder' };
  }
  if (folder.some(({ path }) => path === 'Chart.yaml')) {
    return { ...(await chart(source, folder, options)), whole: 'chart' };
  }
  const isBundle = folder.some(({ path }) => path === 'metadata/annotations.yaml');
  return { ...plain(folder, options), whole: isBundle ? 'bundle' : 'folder' };
}

/** As a folder is applied that nothing but the command line names. */
export function folderNamed(path: string, release: Partial<Release> = {}): AppliedFolder {
  const named = { name: 'olm-guard', valueFiles: [], values: [], ...release };
  return { path, by: '', release: named, withoutKustomization: 'files' };
}

/** The output of rendering a folder, undefined where this machine has no program for it, and its sources. */
async function rendered(
  source: string,
  { usesNetwork, onNote }: ManifestOptions,
): Promise<{
  readonly files: readonly SourceFile[] | undefined;
  readonly sources: readonly SourceFile[];
}> {
  const repository = await repositoryOf(source, { isPart: true, usesNetwork });
  try {
    const { files, note } = (await renderFolder(folderNamed(repository.path), repository)) ?? {};
    if (note !== undefined) onNote?.(note);
    return { files, sources: (await kustomizationFiles(repository.path, repository)).files };
  } finally {
    await repository.copy.remove();
  }
}

async function kustomized(source: string, options: ManifestOptions): Promise<Manifests> {
  const { files, sources } = await rendered(source, options);
  const written = plain(sources, { onSkipped: options.onSkipped });
  if (files !== undefined) return { files, origins: written.files, patches: 0 };
  options.onNote?.(
    `${source}: neither kubectl nor kustomize is installed to render it: its patches are left out`,
  );
  return written;
}

async function chart(
  source: string,
  folder: readonly SourceFile[],
  options: ManifestOptions,
): Promise<Manifests> {
  const { files: made } = await rendered(source, options);
  if (made !== undefined) return { files: made, origins: notRendered(folder), patches: 0 };
  const instead =
    'render it yourself: helm template CHART --include-crds | olm-guard check crd OLD -';
  const files = notRendered(folder);
  const templates = folder.filter(
    ({ path, bytes }) =>
      isTemplate(path, ['']) && bytes.includes('CustomResourceDefinition') && hasActions(bytes),
  );
  const named = templates.map(({ path }) => path).join(', ');
  if (files.every(({ bytes }) => !bytes.includes('CustomResourceDefinition'))) {
    if (templates.length > 0) {
      const message = `defines CustomResourceDefinitions in templates (${named}), and helm is not installed to render them; ${instead}`;
      throw new InvalidInputError('E_INPUT', message, { file: source });
    }
    return { files, origins: [], patches: 0 };
  }
  options.onNote?.(`${source}: helm is not installed to render it: only its crds/ are read`);
  const unchecked = `${source}: ${named} may define CustomResourceDefinitions too, and helm is not installed to render them; ${instead}`;
  return {
    files,
    origins: [],
    patches: 0,
    unchecked: templates.length === 0 ? [] : [unchecked],
  };
}

/** The files of a chart that need no rendering: its `crds/`, those of its subcharts, templates without actions. */
function notRendered(folder: readonly SourceFile[]): SourceFile[] {
  return folder.filter(
    ({ path, bytes }) =>
      /(^|\/)crds\//.test(path) || (isTemplate(path, ['']) && !hasActions(bytes)),
  );
}

function hasActions(bytes: Buffer): boolean {
  return bytes.includes('{{');
}

function isTemplate(path: string, charts: readonly string[]): boolean {
  return charts.some((each) => path.startsWith(each === '' ? 'templates/' : `${each}/templates/`));
}

const withoutComments = (kustomization: Buffer): string =>
  kustomization.toString('utf8').replace(/^\s*#.*$/gm, '');

/** A folder of files, without what is a manifest only after something was done with it. */
function plain(folder: readonly SourceFile[], { onSkipped, onNote }: ManifestOptions): Manifests {
  const charts = folder
    .filter(({ path }) => posix.basename(path) === 'Chart.yaml')
    .map(({ path }) => posix.dirname(path));
  const patches = new Set<string>();
  for (const { path, bytes, file } of folder) {
    if (!isKustomization(posix.basename(path))) continue;
    const named = referencesOf(path, bytes).patches;
    for (const each of named) patches.add(each);
    // That of the folder itself is rendered, or its note is another one.
    if (onNote === undefined || !path.includes('/')) continue;
    const patching = folder.filter(({ path: each }) => named.includes(each));
    const isOfDefinitions = [...patching.map((each) => each.bytes), withoutComments(bytes)].some(
      (each) => each.includes('CustomResourceDefinition'),
    );
    if (isOfDefinitions) {
      onNote(
        `${file}: its patches of definitions are left out; name the folder ${posix.dirname(file)} to have it rendered`,
      );
    }
  }
  const older = olderBundles(folder);
  const files: SourceFile[] = [];
  const left = new Map<string, "Helm's templates; name the chart itself" | 'an older bundle'>();
  let count = 0;
  for (const each of folder) {
    const { path, bytes, file } = each;
    const upTo = (part: string): string => file.slice(0, file.length - path.length + part.length);
    const bundle = older.find((name) => path.startsWith(`${name}/`));
    if (patches.has(path)) count++;
    else if (isTemplate(path, charts) && hasActions(bytes)) {
      const chartPath = charts.find((name) => isTemplate(path, [name])) ?? '';
      left.set(upTo(join(chartPath, 'templates')), "Helm's templates; name the chart itself");
    } else if (bundle !== undefined) left.set(upTo(bundle), 'an older bundle');
    else files.push(each);
  }
  for (const [file, why] of left) onSkipped?.({ file, why });
  return { files, origins: [], patches: count };
}

/** The manifests of a folder as they are, without patches, templates and older bundles. */
export function plainFiles(
  folder: readonly SourceFile[],
  options: Pick<ManifestOptions, 'onSkipped'>,
): readonly SourceFile[] {
  return plain(folder, options).files;
}

/** `0.1.0/` beside `0.2.0/`, with `manifests/` in it or without. Bundles of one version stay. */
function olderBundles(files: readonly SourceFile[]): string[] {
  const families = new Map<string, { folder: string; version: Version }[]>();
  for (const { path, bytes } of files) {
    if (!bytes.includes('ClusterServiceVersion')) continue;
    const version = versionOf(path, bytes);
    if (version === undefined) continue;
    const own = posix.dirname(path);
    const folder = posix.basename(own) === 'manifests' ? posix.dirname(own) : own;
    if (folder === '.' || folder === '') continue;
    const parent = posix.dirname(folder);
    families.set(parent, [...(families.get(parent) ?? []), { folder, version }]);
  }
  return [...families.values()].flatMap((bundles) =>
    bundles
      .filter(({ version }) => bundles.some((other) => compareVersions(version, other.version) < 0))
      .map(({ folder }) => folder),
  );
}

function versionOf(path: string, bytes: Buffer): Version | undefined {
  for (const { value } of parseDocuments(bytes, { file: path })) {
    if (!isObject(value) || own(value, 'kind') !== 'ClusterServiceVersion') continue;
    const spec = own(value, 'spec');
    const version = isObject(spec) ? own(spec, 'version') : undefined;
    return typeof version === 'string' ? readVersion(version) : undefined;
  }
  return undefined;
}

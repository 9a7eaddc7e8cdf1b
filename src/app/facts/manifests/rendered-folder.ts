/** A folder of a repository as `kubectl`, `kustomize` or `helm` makes objects of it, without a network. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import {
  InvalidInputError,
  isObject,
  own,
  parseDocuments,
  stringifyJson,
  type JsonObject,
} from '../../../text/documents/index.js';
import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { isHidden, walkFolder } from '../../../text/documents/folder-walk.js';
import { manifestName } from '../../../text/documents/sources.js';
import type { SourceFile } from '../../../text/documents/regular-file.js';
import { pathFromTop, type AppliedFolder, type WrittenValue } from './applied-folder.js';
import {
  ChartPlaces,
  isDefinitionOfChart,
  isTemplateOfChart,
  withLineNumbers,
} from './chart-places.js';
import { append } from '../../../text/long-lists.js';
import { fileChooser } from './directory-glob.js';
import { isAddress, isKustomization } from './kustomization.js';
import { KustomizationPlaces, kustomizationFiles, kustomizationIn } from './kustomize-files.js';
import { render } from './render.js';
import { renderedFiles } from './rendered.js';
import type { Repository } from './repository.js';
import { ignoredFiles } from './source-ignore.js';

export interface RenderedFolder {
  readonly files: readonly SourceFile[];
  /** Those of a chart are looked for when a finding first needs them. */
  readonly places: KustomizationPlaces | (() => Promise<ChartPlaces>) | undefined;
  /** Paths of the repository that are no manifests by themselves any more. */
  readonly taken: readonly string[];
  /** Paths of manifests that Flux does not see. */
  readonly ignored?: readonly string[];
}

/**
 * A folder with both a kustomization and a chart is a kustomization, unless whoever applies it names a tool.
 *
 * Source: argo-cd v3, `GetAppSourceType` and `Discover`; kubectl kustomize and Flux's Kustomization know no
 * charts.
 *
 * @returns undefined where this machine has no program for it
 * @throws InvalidInputError for what cannot be rendered, and for what leads out of the repository
 */
export async function renderFolder(
  folder: AppliedFolder,
  repository: Repository,
): Promise<RenderedFolder | undefined> {
  const { path, tool } = folder;
  if (tool === 'none') return filesAsTheyAre(folder, repository);
  const isKustomized = (await kustomizationIn(path, repository)) !== undefined;
  const isGenerated = folder.withoutKustomization === 'generated kustomization';
  if (tool === 'helm' || (!isKustomized && !isGenerated)) {
    const isChart = (await repository.kindOf(posix.join(path, 'Chart.yaml'))) === 'file';
    if (isChart) return renderChart(folder, repository);
  }
  if (isKustomized) {
    return renderKustomization(folder, { folders: [path], files: [] }, repository);
  }
  if (!isGenerated) return filesAsTheyAre(folder, repository);
  const { ignored, ...resources } = await resourcesOfFlux(folder, repository);
  const { folders, files } = resources;
  if (folders.length === 0 && !changesContents(folder.overlay)) {
    return { files, places: undefined, taken: files.map((each) => each.path), ignored };
  }
  const rendered = await renderKustomization(folder, resources, repository);
  return rendered && { ...rendered, ignored };
}

interface Resources {
  readonly folders: readonly string[];
  readonly files: readonly SourceFile[];
}

/**
 * What the kustomization takes in that Flux generates for a folder without one.
 *
 * Source: fluxcd.io/flux/components/kustomize/kustomizations (Generating a kustomization.yaml file).
 */
async function resourcesOfFlux(
  { path, ignore }: AppliedFolder,
  repository: Repository,
): Promise<Resources & { readonly ignored: readonly string[] }> {
  const present = await repository.filesIn(path);
  const left = await ignoredFiles(present, ignore, repository);
  const names = present.filter((each) => !left.has(each));
  const all = names
    .filter((each) => isKustomization(posix.basename(each)))
    .map((each) => posix.dirname(each));
  const isIn = (each: string, folder: string): boolean => each.startsWith(`${folder}/`);
  const folders = all.filter((each) => !all.some((other) => isIn(each, other)));
  const manifests = names.filter(
    (each) => /\.ya?ml$/.test(each) && !folders.some((folder) => isIn(each, folder)),
  );
  const ignored = [...left].filter((each) => manifestName.test(each));
  return { folders, files: await filesNamed(manifests, repository), ignored };
}

async function renderKustomization(
  { path, overlay }: AppliedFolder,
  resources: Resources,
  repository: Repository,
): Promise<RenderedFolder | undefined> {
  const source = repository.sourceOf(path);
  const components = await componentsOf(path, overlay, repository);
  const sources = [...resources.files];
  for (const each of [...resources.folders, ...components]) {
    append(sources, await kustomizationFiles(each, repository));
  }
  const bytes = await repository.onDisk([path, ...components], async (fileOf) => {
    const isItself = overlay === undefined && resources.folders[0] === path;
    if (isItself) return kustomize(fileOf(path), source);
    return withTemporaryFolder(async (temporary) => {
      const from = async (each: string): Promise<string> =>
        relative(temporary, await realpath(fileOf(each)));
      // A kustomization may name folders elsewhere, but only files beside itself.
      const copies = resources.files.map((file, index) => ({ name: `${index}.yaml`, file }));
      for (const { name, file } of copies) await writeFile(join(temporary, name), file.bytes);
      const fields = {
        ...overlay,
        resources: [
          ...(await Promise.all(resources.folders.map(from))),
          ...copies.map(({ name }) => name),
        ],
        components: await Promise.all(components.map(from)),
      };
      await writeFile(join(temporary, 'kustomization.yaml'), stringifyJson(fields));
      return kustomize(temporary, source);
    });
  });
  if (bytes === undefined) return undefined;
  return {
    files: [{ file: source, path: '', bytes }],
    places: new KustomizationPlaces(sources),
    taken: sources.map((each) => each.path),
  };
}

/** @throws InvalidInputError for those that are not in the repository, and for patches of addresses */
async function componentsOf(
  path: string,
  overlay: JsonObject | undefined,
  repository: Repository,
): Promise<string[]> {
  const file = repository.sourceOf(path);
  if (objectsAt(overlay, 'patches').some((each) => isAddress(textAt(each, 'path') ?? ''))) {
    throw new InvalidInputError('E_INPUT', 'is applied with a patch that is not fetched', { file });
  }
  const components = (overlay && own(overlay, 'components')) ?? [];
  const paths: string[] = [];
  for (const name of Array.isArray(components) ? components : [components]) {
    const within = typeof name === 'string' ? pathFromTop(path, name) : undefined;
    const real = within === undefined ? undefined : await repository.withoutLinks(within);
    if (real === undefined) {
      const message = `is applied with ${stringifyJson(name)}, which is no folder of the repository`;
      throw new InvalidInputError('E_INPUT', message, { file });
    }
    paths.push(real);
  }
  return paths;
}

function kustomize(folder: string, source: string): Promise<Buffer | undefined> {
  const commands = [
    ['kubectl', 'kustomize', '--', folder],
    ['kustomize', 'build', '--', folder],
  ] as const;
  return render(commands, source, 'mend it, or render it yourself and name the result', offline);
}

/** For Go's programs and the git that they call. */
const offline = {
  GIT_ALLOW_PROTOCOL: 'none',
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [
      name,
      // The discard port: nothing answers there.
      'http://127.0.0.1:9',
    ]),
  ),
  NO_PROXY: '',
  no_proxy: '',
};

async function renderChart(
  { path, release }: AppliedFolder,
  repository: Repository,
): Promise<RenderedFolder | undefined> {
  const source = repository.sourceOf(path);
  const given = await Promise.all(
    release.valueFiles.map(async (each) => ({ ...each, kind: await repository.kindOf(each.path) })),
  );
  const missing = given.find(({ kind, isOptional }) => kind !== 'file' && !isOptional);
  if (missing !== undefined) {
    const message = `its values file ${missing.path} is not in the repository`;
    throw new InvalidInputError('E_INPUT', message, { file: source });
  }
  const valueFiles = given.filter(({ kind }) => kind === 'file').map((each) => each.path);
  const template = async (numbered: boolean): Promise<Buffer | undefined> =>
    repository.onDisk([path, ...valueFiles], async (fileOf) => {
      const files = await chartFiles(fileOf, path, repository);
      return withTemporaryFolder(async (temporary) => {
        const flags = valueFiles.flatMap((each) => ['--values', fileOf(each)]);
        for (const [index, { value }] of release.values.entries()) {
          const file = join(temporary, `values-${index}.json`);
          await writeFile(file, stringifyJson(value));
          flags.push('--values', file);
        }
        if (release.namespace !== undefined) flags.push('--namespace', release.namespace);
        const copy = join(temporary, posix.basename(path) || 'chart');
        const isOwnLeftOut = release.isOwnLeftOut === true;
        const chart =
          numbered || isOwnLeftOut
            ? await copyOf(files, copy, { numbered, isOwnLeftOut })
            : fileOf(path);
        const command = ['helm', 'template', '--include-crds', ...flags] as const;
        const instead = 'mend it, or render it yourself and name the result';
        return render([[...command, '--', release.name, chart]], source, instead, offline);
      });
    });
  const rendered = await template(false);
  if (rendered === undefined) return undefined;
  const findPlaces = async (): Promise<ChartPlaces> => {
    const read = async (name: string): Promise<SourceFile> => ({
      ...{ file: repository.sourceOf(name), path: name },
      bytes: await repository.read(name),
    });
    const own = posix.join(path, 'values.yaml');
    const hasOwn = release.isOwnLeftOut !== true && (await repository.kindOf(own)) === 'file';
    const files = await Promise.all([...(hasOwn ? [own] : []), ...valueFiles].map(read));
    const names = await repository.onDisk([path], (fileOf) => chartFiles(fileOf, path, repository));
    const templates = await Promise.all(
      names
        .filter(({ path: each }) => isTemplateOfChart(each) || isDefinitionOfChart(each))
        .map(async (each) => [each.path, await read(posix.join(path, each.path))] as const),
    );
    const written = release.values.flatMap((each) => each.written ?? []);
    const numbered = await template(true).catch((error: unknown) => {
      // A number in a text that a template reads: its lines are found by their keys then.
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    });
    return new ChartPlaces({
      templates: new Map(templates),
      values: [...written.toReversed(), ...files.flatMap(valuesIn).toReversed()],
      numbered: numbered && renderedFiles(source, numbered),
    });
  };
  let places: Promise<ChartPlaces> | undefined;
  return {
    files: renderedFiles(source, rendered),
    places: () => (places ??= findPlaces()),
    taken: valueFiles,
  };
}

function valuesIn({ file, bytes }: SourceFile): WrittenValue[] {
  const [document] = parseDocuments(bytes, { file });
  return document !== undefined && isObject(document.value) ? [{ document, path: [] }] : [];
}

interface ChartFile {
  /** From the folder of the chart. */
  readonly path: string;
  readonly file: string;
}

/**
 * Helm follows links wherever they lead, those of hidden files too.
 *
 * @returns files of the chart that are not hidden
 * @throws InvalidInputError for a link out of the repository
 */
async function chartFiles(
  fileOf: (path: string) => string,
  path: string,
  repository: Repository,
): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  const folders = [path];
  for (const folder of folders) {
    const links: string[] = [];
    const walk = walkFolder(fileOf(folder), {
      wants: () => true,
      includesHidden: true,
      onSkipped: ({ file }) => links.push(relative(fileOf(folder), file)),
    });
    for await (const each of walk) {
      if (each.refusal !== undefined) links.push(each.path);
      else if (folder === path && isRead(each.path)) files.push(each);
    }
    for (const link of links) {
      const target = await repository.withoutLinks(posix.join(folder, link));
      const kind = target === undefined ? undefined : await repository.kindOf(target);
      if (target === undefined || kind === undefined) {
        const message = `holds ${link}, which is no file of the repository: it is not rendered`;
        throw new InvalidInputError('E_INPUT', message, { file: repository.sourceOf(path) });
      }
      if (kind === 'folder' && !folders.includes(target)) folders.push(target);
    }
  }
  return files;
}

function isRead(path: string): boolean {
  return !isHidden(path) || path === '.helmignore';
}

/** Of a chart. */
async function copyOf(
  files: readonly ChartFile[],
  folder: string,
  { numbered, isOwnLeftOut }: { readonly numbered: boolean; readonly isOwnLeftOut: boolean },
): Promise<string> {
  for (const { path, file } of files.filter(
    (each) => !isOwnLeftOut || each.path !== 'values.yaml',
  )) {
    const bytes = await readFile(file);
    const copy = join(folder, path);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(
      copy,
      numbered && isTemplateOfChart(path) ? withLineNumbers(bytes.toString('utf8')) : bytes,
    );
  }
  return folder;
}

/** The namespace is that of objects without one, which needs no rendering. */
function changesContents(overlay: JsonObject | undefined): boolean {
  return Object.keys(overlay ?? {}).some((key) => key !== 'namespace');
}

/** As Argo CD applies the files of a folder. */
async function filesAsTheyAre(
  { path, overlay, withoutKustomization, chosen }: AppliedFolder,
  repository: Repository,
): Promise<RenderedFolder> {
  if (changesContents(overlay)) {
    const message = 'is no kustomization, and is applied with patches: it is not rendered';
    throw new InvalidInputError('E_INPUT', message, { file: repository.sourceOf(path) });
  }
  const isChosen = fileChooser(chosen ?? { include: '', exclude: '' });
  const within = (each: string): boolean =>
    isChosen(path === '' ? each : each.slice(path.length + 1)) &&
    (withoutKustomization === 'files of all folders' ||
      posix.dirname(each) === (path === '' ? '.' : path)) &&
    manifestName.test(each);
  const names = (await repository.filesIn(path)).filter(within);
  return { files: await filesNamed(names, repository), places: undefined, taken: names };
}

/** Without those that lead out of the repository. */
async function filesNamed(
  names: readonly string[],
  repository: Repository,
): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const name of names) {
    if ((await repository.kindOf(name)) !== 'file') continue;
    files.push({
      file: repository.sourceOf(name),
      path: name,
      bytes: await repository.read(name),
    });
  }
  return files;
}

async function withTemporaryFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'olm-guard-render-')));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

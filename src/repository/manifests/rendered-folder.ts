/** A folder of a repository as `kubectl`, `kustomize` or `helm` makes objects of it, without a network. */
import { mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  ifRefused,
  InvalidInputError,
  isObject,
  own,
  parseDocuments,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { manifestName } from '../../text/documents/sources.js';
import { readRegularFile, type SourceFile } from '../../text/documents/regular-file.js';
import {
  pathFromTop,
  type AppliedFolder,
  type WrittenValue,
  fileChooser,
} from './applied-folder.js';
import {
  ChartPlaces,
  isDefinitionOfChart,
  isTemplateOfChart,
  withLineNumbers,
  renderedFiles,
} from './chart-places.js';
import { append } from '../../text/long-lists.js';
import { isKustomization, loadsOf } from './kustomization.js';
import { KustomizationPlaces, kustomizationFiles, kustomizationIn } from './kustomize-files.js';
import {
  installedProgram,
  render,
  type RenderProgram,
  digestOf,
  RenderingCache,
} from './render.js';
import type { ReadPlace } from './repository-copy.js';
import type { Repository } from './repository.js';
import { ignoredFiles } from './flux.js';

export interface RenderedFolder {
  readonly files: readonly SourceFile[];
  /** A chart's places are looked for when a finding first needs them. */
  readonly places: KustomizationPlaces | (() => Promise<ChartPlaces>) | undefined;
  /** Paths of the repository that are no manifests by themselves any more. */
  readonly taken: readonly string[];
  /** Paths of manifests that Flux does not see. */
  readonly ignored?: readonly string[];
  /** A difference between this rendering and the one that is applied, in one sentence. */
  readonly note?: string | undefined;
}

/**
 * A folder with both a kustomization and a chart is a kustomization, unless the object that applies it names a tool.
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

/** Source: fluxcd.io/flux/components/kustomize/kustomizations (Generating a kustomization.yaml file). */
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
  // Programs find files by ways that are not known here: they see none that other renderings read.
  const copy = repository.copy.ofNothing();
  const components = await componentsOf(path, overlay, repository);
  const sources = [...resources.files];
  const places: ReadPlace[] = [];
  for (const each of [...resources.folders, ...components]) {
    const { files, places: read } = await kustomizationFiles(each, repository);
    append(sources, files);
    append(places, read);
  }
  const isItself = overlay === undefined && resources.folders[0] === path;
  const made = [
    overlay ?? null,
    [...resources.folders],
    components,
    resources.files.length,
  ] as const;
  const bytes = await renderCopy(repository, {
    path,
    reads: [
      ...[path, stringifyJson([isItself, ...made])],
      ...resources.files.map((file) => digestOf(file.bytes)),
      ...places.flatMap((each) => [each.path, each.real, each.digest ?? '']),
    ],
    isStillRead: async () => {
      for (const each of places) if (!(await copy.holds(each))) return false;
      return true;
    },
    programs: ['kustomize', 'kubectl'],
    prepare: async () => {
      await copy.eachOf(places, (each) => copy.place(each.path));
      const folder = isItself
        ? await copy.place(path)
        : await generatedKustomization(overlay, { ...resources, components }, copy);
      return { cwd: folder, argv: ['--', folder] };
    },
  }).finally(() => copy.remove());
  if (bytes === undefined) return undefined;
  return {
    files: [{ file: repository.sourceOf(path), path: '', bytes }],
    places: new KustomizationPlaces(sources),
    taken: sources.map((each) => each.path),
  };
}

/** A folder with a kustomization that takes all of them in. */
async function generatedKustomization(
  overlay: JsonObject | undefined,
  { folders, files, components }: Resources & { readonly components: readonly string[] },
  copy: Repository['copy'],
): Promise<string> {
  const folder = await copy.emptyFolder();
  const from = async (each: string): Promise<string> =>
    relative(folder, await realpath(await copy.place(each)));
  // A kustomization may name folders elsewhere, but only files beside itself.
  const copies = files.map((file, index) => ({ name: `${index}.yaml`, file }));
  for (const { name, file } of copies) await writeFile(join(folder, name), file.bytes);
  const fields = {
    ...overlay,
    resources: [...(await Promise.all(folders.map(from))), ...copies.map(({ name }) => name)],
    components: await Promise.all(components.map(from)),
  };
  await writeFile(join(folder, 'kustomization.yaml'), stringifyJson(fields));
  return folder;
}

interface CopyRendering {
  readonly path: string;
  /** Everything but the program that the output depends on. */
  readonly reads: readonly (string | Buffer)[];
  readonly isStillRead: () => Promise<boolean>;
  /** The first that is installed runs: the lighter one comes first. */
  readonly programs: readonly RenderProgram[];
  readonly prepare: () => Promise<{ readonly cwd: string; readonly argv: readonly string[] }>;
}

const cache = new RenderingCache();

/** Nothing is cached with a network: the input is not known beforehand. @throws as `render` does */
async function renderCopy(
  { copy, sourceOf, usesNetwork }: Repository,
  { path, reads, isStillRead, programs, prepare }: CopyRendering,
): Promise<Buffer | undefined> {
  const program = await installedProgram(programs, cache.folder !== undefined);
  if (program === undefined) return undefined;
  const key = usesNetwork ? undefined : digestOf(program.identity, ...reads);
  const known = key === undefined ? undefined : await cache.find(key);
  if (known !== undefined) return known;
  const { cwd, argv } = await prepare();
  copy.countRendering(path);
  try {
    const bytes = await render(program, argv, { file: sourceOf(path), cwd, usesNetwork });
    if (key !== undefined && (await isStillRead())) await cache.add(key, bytes);
    return bytes;
  } catch (error) {
    if (error instanceof InvalidInputError && error.code === 'E_LIMIT') copy.countPastBound();
    throw error;
  }
}

/** @throws InvalidInputError for those that are not in the repository, and for patches in files or at addresses */
async function componentsOf(
  path: string,
  overlay: JsonObject | undefined,
  repository: Repository,
): Promise<string[]> {
  const file = repository.sourceOf(path);
  const [patch] = loadsOf(overlay ?? {}).filter(({ role }) => role === 'patch');
  if (patch !== undefined) {
    const message = `is applied with the patch ${patch.name}, which is not read`;
    throw new InvalidInputError('E_INPUT', message, { file });
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
  const { copy } = repository;
  let note: string | undefined;
  const template = async (numbered: boolean): Promise<Buffer | undefined> => {
    const placed = await copy.placeAll(path);
    const folder = await copy.emptyFolder();
    const flags: string[] = [];
    // Under names of our own: helm takes a comma in one for the end of it.
    const reads: (Buffer | string)[] = [];
    const addValues = async (content: Buffer | string): Promise<void> => {
      const name = `values-${flags.length}.yaml`;
      await writeFile(join(folder, name), content);
      reads.push(content);
      flags.push('--values', name);
    };
    for (const each of valueFiles) await addValues(await repository.read(each));
    for (const { value } of release.values) await addValues(stringifyJson(value));
    if (release.namespace !== undefined) flags.push('--namespace', release.namespace);
    const files = await chartFiles(placed, repository.sourceOf(path));
    if (await refersToOtherSchemas(files)) {
      note = `${source}: its values are not validated, for values.schema.json refers to other files or addresses`;
      flags.push('--skip-schema-validation');
    }
    const isOwnLeftOut = release.isOwnLeftOut === true;
    const chart = join(folder, 'chart', posix.basename(path) || 'chart');
    if (numbered || isOwnLeftOut) await copyChart(files, chart, { numbered, isOwnLeftOut });
    const shown = numbered || isOwnLeftOut ? chart : placed;
    for (const each of files) reads.push(each.path, await readFile(each.file));
    const names = [...flags, release.name, posix.basename(path)];
    return renderCopy(repository, {
      path,
      reads: [stringifyJson([...names, numbered, isOwnLeftOut]), ...reads],
      // The chart was read from the copy.
      isStillRead: () => Promise.resolve(true),
      programs: ['helm'],
      prepare: () => Promise.resolve({ cwd: folder, argv: [...flags, '--', release.name, shown] }),
    });
  };
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
    const names = await chartFiles(await copy.placeAll(path), source);
    const templates = await Promise.all(
      names
        .filter(({ path: each }) => isTemplateOfChart(each) || isDefinitionOfChart(each))
        .map(async (each) => [each.path, await read(posix.join(path, each.path))] as const),
    );
    const written = release.values.flatMap((each) => each.written ?? []);
    // Refused for a number in a text that a template reads: its lines are found by their keys then.
    const numbered = await template(true).catch(ifRefused(() => undefined));
    return new ChartPlaces({
      templates: new Map(templates),
      values: [
        ...written.toReversed(),
        ...files
          .flatMap(({ file, bytes }: SourceFile): WrittenValue[] => {
            const [document] = parseDocuments(bytes, { file });
            return document !== undefined && isObject(document.value)
              ? [{ document, path: [] }]
              : [];
          })
          .toReversed(),
      ],
      numbered: numbered && renderedFiles(source, numbered),
    });
  };
  let places: Promise<ChartPlaces> | undefined;
  return {
    files: renderedFiles(source, rendered),
    note,
    places: () => (places ??= findPlaces()),
    taken: valueFiles,
  };
}

interface ChartFile {
  readonly path: string;
  readonly file: string;
}

/** Helm walks each link to a folder, and links lead to folders with links. */
const mostChartFiles = 20_000;

/** Files behind links too, as Helm walks them. @throws InvalidInputError `E_LIMIT` for links that lead back */
async function chartFiles(chart: string, file: string): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  const folders = [{ path: '', within: [await realpath(chart)] }];
  for (const { path: folder, within } of folders) {
    for (const name of await readdir(join(chart, folder))) {
      const path = posix.join(folder, name);
      const real = await realpath(join(chart, path));
      if ((await stat(real)).isFile()) files.push({ path, file: real });
      else folders.push({ path, within: [...within, real] });
      const isAround = within.includes(real);
      if (!isAround && files.length + folders.length <= mostChartFiles) continue;
      const message = isAround
        ? `holds the link ${path} to a folder around it: it is not rendered`
        : `holds more than ${mostChartFiles} files, counted by the links to them: it is not rendered`;
      throw new InvalidInputError('E_LIMIT', message, { file });
    }
  }
  return files;
}

/** A schema may refer to addresses and to any file of this machine. One in an archive is not looked into. */
async function refersToOtherSchemas(files: readonly ChartFile[]): Promise<boolean> {
  for (const { path, file } of files) {
    const bytes = async (): Promise<Buffer> => readRegularFile(file);
    if (posix.basename(path) === 'values.schema.json') {
      if (!isSchemaAlone(await bytes())) return true;
    } else if (/\.t(?:ar\.)?gz$/.test(path) && holdsSchema(await bytes())) return true;
  }
  return false;
}

function holdsSchema(archive: Buffer): boolean {
  try {
    const bounds = { maxOutputLength: 256 * 1024 * 1024 };
    return gunzipSync(archive, bounds).includes('values.schema.json');
  } catch {
    return true;
  }
}

function isSchemaAlone(bytes: Buffer): boolean {
  try {
    const roots = parseDocuments(bytes).map(({ value }) => value);
    const left: JsonValue[] = [...roots];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (Array.isArray(next)) append(left, next);
      if (!isObject(next)) continue;
      append(left, Object.values(next));
      const references = ['$ref', '$dynamicRef', '$recursiveRef'].map((key) => textAt(next, key));
      if (references.some((each) => each?.startsWith('#') === false)) return false;
      const base = roots.includes(next) ? '' : (textAt(next, '$id') ?? textAt(next, 'id') ?? '');
      if (base.includes(':')) return false;
      const schema = textAt(next, '$schema') ?? 'https://json-schema.org/';
      if (!/^https?:\/\/json-schema\.org\//.test(schema)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}

/** With the number of its line behind each line of a template, or without its own values. */
async function copyChart(
  files: readonly ChartFile[],
  folder: string,
  { numbered, isOwnLeftOut }: { readonly numbered: boolean; readonly isOwnLeftOut: boolean },
): Promise<void> {
  for (const { path, file } of files) {
    if (isOwnLeftOut && path === 'values.yaml') continue;
    const bytes = await readFile(file);
    const copy = join(folder, path);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(
      copy,
      numbered && isTemplateOfChart(path) ? withLineNumbers(bytes.toString('utf8')) : bytes,
    );
  }
}

/** The namespace is that of objects without one, which needs no rendering. */
function changesContents(overlay: JsonObject | undefined): boolean {
  return Object.keys(overlay ?? {}).some((key) => key !== 'namespace');
}

/** Applies the files of a folder as Argo CD does. */
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

/** By `kubectl apply` of files, kustomizations and charts, and by Argo CD's and Flux's objects among them. */
import { posix } from 'node:path';
import {
  ifRefused,
  InvalidInputError,
  isObject,
  objectsOf,
  parseDocuments,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { manifestName, readSource, type SourceOptions } from '../../text/documents/sources.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import { FolderCollector, nameWithPlace, type AppliedFolder } from './applied-folder.js';
import { addApplication } from './argo-application.js';
import { applicationsOf } from './application-set.js';
import { addFluxKustomization, addHelmRelease, sourcesIn, type FluxSource } from './flux.js';
import { hasVariable, hasVariableOf, substituted } from './variables.js';
import { isKustomization, isMoreThanList, readable, referencesOf } from './kustomization.js';
import { kustomizationFiles, KustomizationPlaces, unrenderedFiles } from './kustomize-files.js';
import { folderNamed, plainFiles } from './manifests.js';
import type { RenderedFolder } from './rendered-folder.js';
import { aheadAtMost, Renders } from './renders.js';
import { foldersAround, repositoryOf, type Repository } from './repository.js';
import { firstNames } from '../../text/shortened.js';

export interface AppliedFiles {
  readonly files: readonly SourceFile[];
  /** Their origin: a folder that was rendered, or the object that applies it. */
  readonly rendering?: string | undefined;
  /** Namespace of objects without one; undefined where kubectl decides. */
  readonly namespace?: string | undefined;
  /** Whether something that was not rendered, such as an overlay, may still complete and change them. */
  readonly isUnfinished?: boolean;
  /** Whether a text holds a variable that is not known here. */
  readonly isUnknown?: ((text: string) => boolean) | undefined;
  /** Where the values of what was rendered are written. */
  readonly places?: RenderedFolder['places'];
}

export interface AppliedOptions extends Pick<SourceOptions, 'onSkipped'> {
  /** Told, in one sentence, of what cannot be read or rendered. */
  readonly onUnchecked: (sentence: string) => void;
  /** Told, in one sentence, of what was read in another way than it is applied. */
  readonly onNote?: (sentence: string) => void;
  /** Told of the Chart.yaml of a chart that the source names. */
  readonly onChart?: (chart: JsonObject) => void;
  /** Called before each folder is rendered, with how many are done and how many are known so far. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Whether files are read too that something that was not rendered may change. */
  readonly includesUnfinished?: boolean;
  /** Whether what kustomizations refer to elsewhere is fetched. */
  readonly usesNetwork?: boolean | undefined;
  /** Files of values for a chart that the source names. */
  readonly valueFiles?: readonly string[];
}

/**
 * The manifests of a file, a folder, `git:REF:path` or standard input.
 *
 * - A kustomization and a chart are rendered, those in a folder too, each as Argo CD or Flux applies it
 *   where one of their objects says so. What several of them take in is read as each of them makes it.
 * - All other files are read as they are; of bundles beside each other the newest.
 *
 * Nothing outside of the repository is read, and nothing is fetched unless `usesNetwork` says so.
 *
 * @throws InvalidInputError where nothing can be read
 */
export async function* appliedFiles(
  source: string,
  options: AppliedOptions,
): AsyncGenerator<AppliedFiles> {
  const files = await readSource(source, {
    ...(options.onSkipped && { onSkipped: options.onSkipped }),
    onUnreadable: (error) => options.onUnchecked(`${error.describe()}; nothing of it was judged`),
  });
  if (source === '-') {
    yield { files };
    return;
  }
  const repository = await repositoryOf(source, {
    isPart: files.some(isRoot),
    usesNetwork: options.usesNetwork,
  });
  try {
    yield* new AppliedReader(repository, options).read(source, files);
  } finally {
    await repository.copy.remove();
  }
}

/** Whether a file makes the top of a source a kustomization or a chart. */
function isRoot({ path }: SourceFile): boolean {
  return isKustomization(path) || path === 'Chart.yaml';
}

const namedAtMost = 5;

const noProgram = new Map([
  ['kustomization', 'neither kubectl nor kustomize is installed to render it'],
  ['chart', 'helm is not installed to render it'],
]);

const withoutPatches = `${noProgram.get('kustomization') ?? ''}: its files were judged without its patches`;

interface PendingFolder {
  readonly folder: AppliedFolder;
  /** The same for folders that are applied in the same way. */
  readonly key: string;
  /** The file of the object that applies it, unless that object was rendered. */
  readonly writtenIn: string | undefined;
}

class AppliedReader {
  readonly #found: FolderCollector;
  readonly #renders: Renders;
  readonly #fluxSources = new Map<string, FluxSource>();
  readonly #done = new Set<string>();
  readonly #covered = new Set<string>();
  /** Paths of what was rendered, and of what it was rendered from. */
  readonly #rendered = new Set<string>();
  /** Paths of what is applied only as something that was not rendered takes it in and may change it. */
  readonly #unfinished = new Set<string>();
  #pending: PendingFolder[] = [];

  constructor(
    private readonly repository: Repository,
    private readonly options: AppliedOptions,
  ) {
    this.#found = new FolderCollector(repository);
    this.#renders = new Renders(repository);
  }

  async *read(source: string, files: readonly SourceFile[]): AsyncGenerator<AppliedFiles> {
    const { path: top } = this.repository;
    if (files.some(isRoot)) {
      const head = files.find((each) => each.path === 'Chart.yaml');
      const [chart] = head === undefined ? [] : parseDocuments(head.bytes, { file: head.file });
      if (isObject(chart?.value)) this.options.onChart?.(chart.value);
      const named = await this.#named(top);
      if (named === undefined) yield* this.#unrendered(source, files);
      else {
        this.#skipLoose(files, new Set(named.taken));
        yield* this.#followed({ ...named, isUnknown: hasVariable });
      }
    } else {
      const charts = foldersWith(files, (name) => name === 'Chart.yaml');
      const parts = this.#partsOfOthers(files);
      const plain = files.filter(
        (file) => !isWithin(file.path, charts, '/templates') && !parts.has(this.#pathOf(file)),
      );
      await this.#collect(plain, undefined);
      yield* this.#queued();
      yield* this.#kustomizations(files);
      yield* this.#charts(files, charts);
      yield* this.#others(files);
    }
    const { elsewhere, unchecked } = this.#found;
    for (const sentence of unchecked) this.options.onUnchecked(sentence);
    if (elsewhere.size > 0) {
      const names = firstNames([...elsewhere], namedAtMost);
      this.options.onNote?.(`applied from other repositories, and not read: ${names}`);
    }
  }

  /** @throws InvalidInputError where it cannot be rendered */
  async #named(path: string): Promise<RenderedFolder | undefined> {
    const valueFiles = (this.options.valueFiles ?? []).map((each) => ({
      path: this.repository.pathOf(each),
      isOptional: false,
    }));
    const folder: AppliedFolder = {
      ...folderNamed(path, { valueFiles }),
      tool: this.#isChartMeant ? 'helm' : undefined,
    };
    this.#done.add(keyOf(folder));
    const rendered = await this.#renders.of(folder);
    if (rendered?.note !== undefined) this.options.onNote?.(rendered.note);
    return rendered;
  }

  /** Reports objects that are no part of the named folder, for users who apply all of its files. */
  #skipLoose(files: readonly SourceFile[], taken: ReadonlySet<string>): void {
    const isChart = this.#isChartMeant || !files.some(({ path }) => isKustomization(path));
    for (const each of files) {
      const isPart = isChart ? !isLooseInChart(each, '') : taken.has(this.#pathOf(each));
      if (isPart || !holdsObject(each)) continue;
      this.options.onSkipped?.({
        file: each.file,
        why: 'no part of the kustomization or chart beside it',
      });
    }
  }

  #pathOf({ path }: SourceFile): string {
    return posix.join(this.repository.path, path);
  }

  /** Whether a folder that is a kustomization too is named as a chart. */
  get #isChartMeant(): boolean {
    const { onChart, valueFiles = [] } = this.options;
    return onChart !== undefined || valueFiles.length > 0;
  }

  /** The files of a kustomization or chart that nothing here can render. */
  async *#unrendered(source: string, files: readonly SourceFile[]): AsyncGenerator<AppliedFiles> {
    if (this.#isChartMeant || !files.some(({ path }) => isKustomization(path))) {
      this.options.onNote?.(
        `${source}: ${noProgram.get('chart')}; files without template expressions are read`,
      );
      yield { files: this.#plain(files) };
      return;
    }
    const { files: sources } = await kustomizationFiles(this.repository.path, this.repository);
    const isMore = sources.some(
      ({ path, bytes }) => isKustomization(posix.basename(path)) && isMoreThanList(path, bytes),
    );
    if (isMore) {
      this.options.onUnchecked(`${source}: ${withoutPatches}`);
      if (this.options.includesUnfinished === true) {
        await this.#leaveUnfinished(this.repository.path, false);
      }
    }
    yield* this.#asWritten(sources, '');
  }

  async *#followed(applied: AppliedFiles): AsyncGenerator<AppliedFiles> {
    yield applied;
    await this.#collect(applied.files, applied);
    yield* this.#queued();
  }

  /** @param applied what they are applied as; undefined while that is not known */
  async #collect(files: readonly SourceFile[], applied: AppliedFiles | undefined): Promise<void> {
    const documents = files.flatMap((file) => (mentionsApplier(file.bytes) ? readable(file) : []));
    for (const [name, each] of sourcesIn(documents)) this.#fluxSources.set(name, each);
    const places = typeof applied?.places === 'object' ? applied.places : undefined;
    const { folders } = this.#found;
    for (const document of documents) {
      for (const { value: object, path } of objectsOf(document.value)) {
        if (!isObject(object)) continue;
        const written = places?.whereIs(object) ?? { document, path };
        const by = nameWithPlace(object, written);
        const known = folders.length;
        const group = textAt(object, 'apiVersion')?.split('/')[0];
        const kind = `${group ?? ''} ${textAt(object, 'kind') ?? ''}`;
        if (kind === 'argoproj.io Application') {
          await addApplication(object, by, this.#found, written);
        } else if (kind === 'argoproj.io ApplicationSet') {
          const refused = ifRefused(({ message }): JsonObject[] => {
            this.#found.unchecked.add(`${by}: ${message}`);
            return [];
          });
          for (const made of await applicationsOf(object, this.#found).catch(refused)) {
            await addApplication(made, by, this.#found);
          }
        } else if (kind === 'kustomize.toolkit.fluxcd.io Kustomization') {
          await addFluxKustomization(object, by, this.#fluxSources, this.#found, written);
        } else if (kind === 'helm.toolkit.fluxcd.io HelmRelease') {
          await addHelmRelease(object, by, this.#fluxSources, this.#found, written);
        }
        const isWritten = applied === undefined && document.file !== undefined;
        const writtenIn = isWritten ? this.repository.pathOf(document.file) : undefined;
        for (const folder of folders.slice(known)) {
          this.#pending.push({ folder, key: keyOf(folder), writtenIn });
        }
      }
    }
  }

  /** Each folder that was found once, and those that are found on the way. */
  async *#queued(): AsyncGenerator<AppliedFiles> {
    for (let round = this.#nextRound(); round.length > 0; round = this.#nextRound()) {
      for (const [index, { folder, key }] of round.entries()) {
        const ahead = round.slice(index, index + aheadAtMost);
        this.#renders.start(
          ahead.filter((each) => !this.#done.has(each.key)).map((each) => each.folder),
        );
        if (this.#done.has(key)) continue;
        this.#done.add(key);
        this.options.onProgress?.(index, round.length);
        this.#covered.add(folder.path);
        const applied = await this.#tryRender(folder, folder.by);
        if (applied === undefined) continue;
        yield applied;
        await this.#collect(applied.files, applied);
      }
    }
  }

  /** Folders whose object is in no folder that is still to be applied, which may patch the object. */
  #nextRound(): readonly PendingFolder[] {
    this.#pending = this.#pending.filter(
      ({ key, writtenIn = '' }) => !this.#done.has(key) && !this.#isTaken(writtenIn),
    );
    const paths = new Set(this.#pending.map(({ folder }) => folder.path));
    const first = this.#pending.filter(({ folder, writtenIn }) => {
      const around = writtenIn === undefined ? [] : foldersAround(writtenIn);
      return !around.some((path) => path !== folder.path && paths.has(path));
    });
    return first.length > 0 ? first : this.#pending;
  }

  async #tryRender(folder: AppliedFolder, by?: string): Promise<AppliedFiles | undefined> {
    const who = by === undefined ? '' : `${by}: `;
    try {
      const rendered = await this.#renders.of(folder);
      if (rendered === undefined) return undefined;
      if (rendered.note !== undefined) this.options.onNote?.(rendered.note);
      const unknown = new Set<string>();
      const changed = new Set<string>();
      const files = rendered.files.map((file) =>
        substituted(file, folder.variables, { unknown, changed }),
      );
      for (const path of rendered.taken) this.#rendered.add(path);
      for (const path of rendered.ignored ?? []) {
        this.#rendered.add(path);
        const file = this.repository.sourceOf(path);
        this.options.onSkipped?.({ file, why: 'ignored by .sourceignore or spec.ignore' });
      }
      if (unknown.size > 0) {
        const names = firstNames([...unknown], namedAtMost);
        const from = firstNames(folder.variables?.unknownFrom ?? [], namedAtMost);
        this.options.onUnchecked(
          `${who}variables that only the cluster knows (${from}), values with which are not judged: ${names}`,
        );
      }
      const isChanged = files.some((file, index) => file !== rendered.files[index]);
      // A variable's value is not written in the file.
      const places =
        rendered.places ?? (isChanged ? new KustomizationPlaces(rendered.files) : undefined);
      // A folder that nothing here applies may be applied with variables; and one may be set to another one.
      const isOpen =
        by === undefined || [...(folder.variables?.known.values() ?? [])].some(hasVariable);
      const left = new Set([...unknown, ...changed]);
      const isUnknown = isOpen ? hasVariable : left.size > 0 ? hasVariableOf(left) : undefined;
      const rendering = by ?? this.repository.sourceOf(folder.path);
      return { files, places, rendering, isUnknown, namespace: folder.namespace };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const isChanged = folder.overlay !== undefined || folder.variables !== undefined;
      const judged = await this.#leaveUnfinished(folder.path, isChanged);
      this.options.onUnchecked(`${who}${error.describe()}; ${judged}`);
      return { files: [] };
    }
  }

  /** The files of a kustomization that is not rendered. Returns a sentence on which of them are judged. */
  async #leaveUnfinished(path: string, isChanged: boolean): Promise<string> {
    const { changed, hasOthers } = await unrenderedFiles(path, this.repository, isChanged);
    for (const each of changed) this.#unfinished.add(each);
    if (changed.length > 0 && this.options.includesUnfinished === true) {
      return 'its files were judged as they are written';
    }
    return hasOthers
      ? 'only files that it does not change were judged'
      : 'nothing of it was judged';
  }

  /** Whether a file is read with others, or its objects may be patched before they are applied. */
  #isTaken(path: string): boolean {
    return this.#rendered.has(path) || this.#unfinished.has(path);
  }

  /** Kustomizations that no other one takes in. */
  async *#kustomizations(files: readonly SourceFile[]): AsyncGenerator<AppliedFiles> {
    const { path: top } = this.repository;
    const all = files
      .filter(({ path }) => isKustomization(posix.basename(path)))
      .map((file) => ({ ...file, ...referencesOf(this.#pathOf(file), file.bytes) }));
    const inner = new Set(all.flatMap(({ taken }) => taken.map(trimmed)));
    if (this.options.includesUnfinished === true) this.#leaveLooseFiles(files, inner);
    const outer = all
      .map((each) => ({
        ...each,
        folder: folderNamed(trimmed(posix.join(top, posix.dirname(each.path)))),
      }))
      .filter(({ folder, isComponent }) => !inner.has(folder.path) && !isComponent);
    const isOpen = (each: (typeof outer)[0]): boolean =>
      !this.#covered.has(each.folder.path) && !this.#isTaken(this.#pathOf(each));
    for (const [index, kustomization] of outer.entries()) {
      const ahead = outer.slice(index, index + aheadAtMost).filter(isOpen);
      this.#renders.start(ahead.map((each) => each.folder));
      if (!isOpen(kustomization)) continue;
      const { path, bytes, folder } = kustomization;
      this.options.onProgress?.(index, outer.length);
      const applied = await this.#tryRender(folder);
      if (applied !== undefined) yield* this.#followed(applied);
      else if (isMoreThanList(path, bytes)) {
        this.options.onUnchecked(`${this.repository.sourceOf(folder.path)}: ${withoutPatches}`);
        if (this.options.includesUnfinished === true) {
          await this.#leaveUnfinished(folder.path, false);
        }
      }
    }
  }

  /** Files used by components, which are applied only as others change them. */
  #partsOfOthers(files: readonly SourceFile[]): ReadonlySet<string> {
    const taken = files
      .filter(({ path }) => isKustomization(posix.basename(path)))
      .map((file) => referencesOf(this.#pathOf(file), file.bytes))
      .flatMap((each) => (each.isComponent ? each.taken.map(trimmed) : []));
    if (this.options.includesUnfinished === true) {
      for (const path of taken) this.#unfinished.add(path);
    }
    return new Set(taken);
  }

  /** Marks files beside or below a kustomization that does not take them in: unused patches, and the like. */
  #leaveLooseFiles(files: readonly SourceFile[], inner: ReadonlySet<string>): void {
    const folders = foldersWith(files, isKustomization);
    for (const file of files) {
      const path = this.#pathOf(file);
      const isLoose = isWithin(file.path, folders) && !inner.has(path);
      if (isLoose && !isKustomization(posix.basename(path))) this.#unfinished.add(path);
    }
  }

  /** Charts that no other one holds and nothing installs with other values. */
  async *#charts(
    files: readonly SourceFile[],
    charts: readonly string[],
  ): AsyncGenerator<AppliedFiles> {
    const { path: top } = this.repository;
    for (const [index, chart] of charts.entries()) {
      this.options.onProgress?.(index, charts.length);
      const isInner = charts.some((each) => chart.startsWith(`${each}/charts/`));
      const folder = trimmed(posix.join(top, chart));
      const head = files.find(({ path }) => path === posix.join(chart, 'Chart.yaml'));
      if (isInner || head === undefined || isLibrary.test(head.bytes.toString('utf8'))) continue;
      const kustomizations = files.filter((each) => isKustomization(posix.basename(each.path)));
      const isKustomized = kustomizations.some(
        (each) => posix.dirname(each.path) === (chart || '.'),
      );
      const isInstalled = this.#covered.has(folder) || isKustomized;
      const applied = isInstalled ? undefined : await this.#tryRender(folderNamed(folder));
      if (applied === undefined && !isInstalled) continue;
      for (const file of files.filter(({ path }) => isWithin(path, [chart]))) {
        const isLoose = isLooseInChart(file, chart) && holdsObject(file);
        (isLoose ? this.#unfinished : this.#rendered).add(this.#pathOf(file));
      }
      if (applied !== undefined) yield* this.#followed(applied);
    }
  }

  async *#others(files: readonly SourceFile[]): AsyncGenerator<AppliedFiles> {
    const { path: top } = this.repository;
    const known = new Set(files.map((file) => this.#pathOf(file)));
    yield* this.#asWritten(files, top);
    for (const path of this.#unfinished) {
      if (known.has(path) || !manifestName.test(path)) continue;
      const bytes = await this.repository.read(path);
      yield* this.#asWritten([{ file: this.repository.sourceOf(path), path, bytes }], '');
    }
  }

  /** @param folder from the top of the repository; the paths of files are from there */
  *#asWritten(files: readonly SourceFile[], folder: string): Generator<AppliedFiles> {
    const isIn = (paths: ReadonlySet<string>, { path }: SourceFile): boolean =>
      paths.has(posix.join(folder, path));
    const left = files.filter((each) => !isIn(this.#rendered, each));
    for (const file of this.#plain(left)) {
      const isUnfinished = isIn(this.#unfinished, file);
      if (isUnfinished && this.options.includesUnfinished !== true) continue;
      yield { files: [file], isUnfinished, isUnknown: hasVariable };
    }
  }

  #plain(files: readonly SourceFile[]): readonly SourceFile[] {
    return plainFiles(files, {
      onSkipped: (entry) => {
        if (entry.why === "Helm's templates; name the chart itself") {
          this.options.onUnchecked(`${entry.file}: not judged: ${noProgram.get('chart')}`);
        } else this.options.onSkipped?.(entry);
      },
    });
  }
}

function keyOf(folder: AppliedFolder): string {
  const { path, namespace, release, overlay, variables, chosen, tool, withoutKustomization } =
    folder;
  const { ignore = '' } = folder;
  const values = release.values.map(({ value }) => value);
  const files = release.valueFiles.map((each) => each.path);
  const from = [tool ?? null, withoutKustomization, namespace ?? null, overlay ?? null];
  const how = [...from, release.name, ...files, ...values];
  const { include = '', exclude = '' } = chosen ?? {};
  const set = variables && [...variables.unknownFrom, ...variables.known];
  return stringifyJson(
    [path, ignore, include, exclude, ...how, ...(set ?? [])].map((each) => each as never),
  );
}

export function mentionsApplier(bytes: Buffer): boolean {
  return /(?:argoproj|toolkit\.fluxcd)\.io\//.test(bytes.toString('latin1'));
}

/** Whether helm makes nothing of a file, nor of a chart around it. */
function isLooseInChart({ path }: SourceFile, chart: string): boolean {
  return !/^(?:templates|crds|charts)\//.test(posix.relative(chart, path));
}

/** Without template expressions, which nothing but a chart reads. */
function holdsObject({ path, bytes }: SourceFile): boolean {
  if (!manifestName.test(path) || isKustomization(posix.basename(path))) return false;
  const text = bytes.toString('latin1');
  return /\bapiVersion["']?\s*:/.test(text) && /\bkind["']?\s*:/.test(text) && !text.includes('{{');
}

const isLibrary = /^type:\s*["']?library\b/m;

/** Folders, from that of the source, in which a file has a name. */
function foldersWith(files: readonly SourceFile[], wants: (name: string) => boolean): string[] {
  return files
    .filter(({ path }) => wants(posix.basename(path)))
    .map(({ path }) => trimmed(posix.dirname(path)));
}

function isWithin(path: string, folders: readonly string[], below = ''): boolean {
  return folders.some((each) => {
    const folder = `${each}${below}`.replace(/^\//, '');
    return folder === '' || path.startsWith(`${folder}/`);
  });
}

function trimmed(path: string): string {
  return path === '.' ? '' : path.replace(/\/+$/, '');
}

import { readPointer } from '../../text/json-pointer.js';
import { posix } from 'node:path';
import {
  InvalidInputError,
  invalidInput,
  orRefusal,
  isObject,
  metaOf,
  objectsOf,
  parseDocuments,
  sameJson,
  type Document,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { listAt, textAt, valueAt } from '../../text/documents/fields.js';
import { documentsWithin } from '../../text/documents/documents.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import { append } from '../../text/long-lists.js';
import type { WrittenValue } from './applied-folder.js';
import {
  isKustomization,
  isRemote,
  loadsOf,
  loadsOfConfiguration,
  readable,
  referencesOf,
  type Load,
} from './kustomization.js';
import { digestOf } from './render.js';
import type { ReadPlace } from './repository-copy.js';
import type { Repository } from './repository.js';

/** More folders than kustomizations include. */
const mostFolders = 10_000;

/**
 * The kustomization of a folder and the files that it takes in, of other folders too: all that kustomize
 * will read.
 *
 * @param path of the folder, from the top of the repository
 * @throws InvalidInputError for a kustomization that cannot be read, for one that refers to something outside
 *   of the repository, and for one whose generators or transformers could fetch something unseen
 */
export async function kustomizationFiles(
  path: string,
  repository: Repository,
): Promise<KustomizationSources> {
  return new KustomizationReader(repository).read(path);
}

export interface KustomizationSources {
  readonly files: readonly SourceFile[];
  readonly places: readonly ReadPlace[];
}

interface TakenFolder {
  readonly folder: string;
  readonly configures?: string | undefined;
}

class KustomizationReader {
  readonly #files = new Map<string, SourceFile>();
  readonly #places = new Map<string, ReadPlace>();
  readonly #folders: TakenFolder[] = [];

  constructor(private readonly repository: Repository) {}

  async read(path: string): Promise<KustomizationSources> {
    const { withoutLinks, sourceOf } = this.repository;
    // Its references are relative to where it really is.
    const real = (await withoutLinks(path)) ?? path;
    this.#places.set(path, { path, real, digest: undefined });
    this.#folders.push({ folder: real });
    for (const each of this.#folders) {
      if (this.#folders.length > mostFolders) {
        const message = `takes in more than ${mostFolders} folders`;
        throw new InvalidInputError('E_LIMIT', message, { file: sourceOf(path) });
      }
      await this.#readFolder(each);
    }
    return { files: [...this.#files.values()], places: [...this.#places.values()] };
  }

  async #readFolder({ folder, configures }: TakenFolder): Promise<void> {
    // kustomize refuses a folder with two of them; both are read.
    for (const name of await kustomizationsIn(folder, this.repository)) {
      const { file, bytes } = await this.#readFile(name);
      for (const { value } of parseDocuments(bytes, { file })) {
        if (!isObject(value)) continue;
        if (configures !== undefined) this.#demandList(name, value);
        for (const load of this.#loads(name, () => loadsOf(value))) {
          await this.#take(name, load, folder, configures);
        }
      }
    }
  }

  /** A configuration that kustomize generates or changes first may read files that no kustomization names. */
  #demandList(name: string, value: JsonObject): void {
    const others = Object.keys(value).filter((key) => !plainFields.has(key.toLowerCase()));
    if (others.length === 0 || this.repository.usesNetwork) return;
    const message = `configures kustomize with what ${others[0] ?? ''} makes or changes first, which may refer to anything: it is not rendered without --network`;
    throw new InvalidInputError('E_INPUT', message, { file: this.repository.sourceOf(name) });
  }

  #loads(name: string, work: () => Load[]): Load[] {
    return orRefusal(work, ({ message }) => {
      if (this.repository.usesNetwork) return [];
      throw invalidInput(`${message}: it is not rendered`, {
        file: this.repository.sourceOf(name),
      });
    });
  }

  /** @param by the file that names it */
  async #take(
    by: string,
    { name, role }: Load,
    folder: string,
    configures: string | undefined,
  ): Promise<void> {
    const { withoutLinks, kindOf, usesNetwork } = this.repository;
    if (isRemote(name)) {
      if (usesNetwork) return;
      throw outside(by, name, 'which is not fetched without --network', this.repository);
    }
    const path = posix.join(folder, name).replace(/\/+$/, '').replace(/^\.$/, '');
    if (path === '..' || path.startsWith('../') || name.startsWith('/')) {
      throw outside(by, path, 'outside of the repository', this.repository);
    }
    const real = await withoutLinks(path);
    const kind = real === undefined ? undefined : await kindOf(real);
    if (real === undefined || kind === undefined) {
      throw outside(by, path, 'which is not in the repository', this.repository);
    }
    const configured = role === 'configuration' ? folder : configures;
    if (kind === 'folder') {
      this.#places.set(path, { path, real, digest: undefined });
      const isKnown = this.#folders.some(
        (each) => each.folder === real && each.configures === configured,
      );
      if (!isKnown) this.#folders.push({ folder: real, configures: configured });
      return;
    }
    if (!(real === folder || folder === '' || real.startsWith(`${folder}/`))) {
      throw outside(
        by,
        path,
        'which is not below its folder: kustomize does not read it',
        this.repository,
      );
    }
    const file = await this.#readFile(path);
    if (configured === undefined) return;
    for (const load of this.#loads(path, () => loadsOfConfiguration(file.bytes))) {
      await this.#take(path, load, configured, undefined);
    }
  }

  async #readFile(path: string): Promise<SourceFile> {
    const { copy, read, sourceOf, withoutLinks } = this.repository;
    const [bytes, real = path] = await Promise.all([read(path), withoutLinks(path)]);
    copy.count(real, bytes.length);
    this.#places.set(path, { path, real, digest: digestOf(bytes) });
    const file = { file: sourceOf(path), path, bytes };
    this.#files.set(path, file);
    return file;
  }
}

/** Fields of a kustomization that only lists resources. */
const plainFields = new Set(['apiversion', 'kind', 'metadata', 'resources']);

export interface UnrenderedFiles {
  /** Paths, from the top of the repository, of files that are applied with other contents. */
  readonly changed: readonly string[];
  /** Whether other files are applied as they are written. */
  readonly hasOthers: boolean;
}

/** As far as they are in the repository. @param isChanged whether what applies the folder changes its contents */
export async function unrenderedFiles(
  path: string,
  repository: Repository,
  isChanged: boolean,
): Promise<UnrenderedFiles> {
  const changed = new Set<string>();
  const asWritten = new Set<string>();
  const folders = new Map([[path, isChanged]]);
  for (const [folder, isChangedAround] of folders) {
    const name = await kustomizationIn(folder, repository);
    if (name === undefined || folders.size > mostFolders) continue;
    const { taken, isChanging } = referencesOf(name, await repository.read(name));
    const isChangedHere = isChangedAround || isChanging;
    for (const reference of taken) {
      const real = await repository.withoutLinks(reference.replace(/\/+$/, ''));
      const kind = real === undefined ? undefined : await repository.kindOf(real);
      if (real === undefined || kind === undefined) continue;
      if (kind === 'file') (isChangedHere ? changed : asWritten).add(real);
      else if (folders.get(real) !== true) {
        // Again, where it is changed on another way to it.
        if (folders.get(real) !== isChangedHere) folders.delete(real);
        folders.set(real, isChangedHere);
      }
    }
  }
  return { changed: [...changed], hasOthers: [...asWritten].some((each) => !changed.has(each)) };
}

function outside(
  name: string,
  reference: string,
  why: string,
  repository: Repository,
): InvalidInputError {
  return new InvalidInputError('E_INPUT', `refers to ${reference}, ${why}`, {
    file: repository.sourceOf(name),
  });
}

/** Its path; undefined for a folder without one. */
export async function kustomizationIn(
  folder: string,
  repository: Repository,
): Promise<string | undefined> {
  return (await kustomizationsIn(folder, repository))[0];
}

async function kustomizationsIn(folder: string, { kindOf }: Repository): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
    const path = posix.join(folder, name);
    if ((await kindOf(path)) === 'file') found.push(path);
  }
  return found;
}

interface Patch {
  readonly document: Document;
  readonly target?: JsonValue | undefined;
}

/** Where the values of objects are written that a kustomization has made. */
export class KustomizationPlaces {
  #read: ResourcesAndPatches | undefined;

  constructor(private readonly files: readonly SourceFile[]) {}

  /** Most kustomizations have nothing that is looked for. */
  get #sources(): ResourcesAndPatches {
    return (this.#read ??= new ResourcesAndPatches(this.files));
  }

  /** The value at `keys`, or the nearest one around it; undefined where it was made otherwise. */
  find(object: JsonObject, keys: Path): WrittenValue | undefined {
    let depth = keys.length;
    while (depth > 0 && valueAt(object, ...keys.slice(0, depth)) === undefined) depth--;
    const around = keys.slice(0, depth);
    const { name } = metaOf(object);
    const resources = byName(
      this.#sources.resources.get(kindOf(object)) ?? [],
      name,
      ({ document, path }: WrittenValue) => metaOf(valueAt(document.value, ...path)).name,
    );
    const within = resources
      .map(({ document, path }) => ({ document, path: [...path, ...around] }))
      .filter((each) => valueAt(each.document.value, ...each.path) !== undefined);
    const value = valueAt(object, ...around) ?? object;
    const found =
      within.find((each) => isSame(valueAt(each.document.value, ...each.path), value)) ??
      this.#patchOf(object, around, value) ??
      // A missing field is reported where the object is written, also one that the whole object lacks.
      (depth < keys.length || keys.length === 0 ? within[0] : undefined);
    return found && { ...found, path: [...found.path, ...keys.slice(depth)] };
  }

  whereIs(object: JsonObject): WrittenValue | undefined {
    const name = this.find(object, ['metadata', 'name']);
    return name && { ...name, path: name.path.slice(0, -2) };
  }

  #patchOf(object: JsonObject, keys: Path, value: JsonValue): WrittenValue | undefined {
    const { name } = metaOf(object);
    const kind = textAt(object, 'kind');
    const isFor = ({ document, target }: Patch): boolean => {
      const wanted = textAt(target ?? document.value, 'kind');
      return wanted === undefined || wanted === kind;
    };
    const patches = this.#sources.patches.toReversed().filter(isFor);
    const named = byName(patches, name, ({ document, target }) =>
      target === undefined ? metaOf(document.value).name : (textAt(target, 'name') ?? ''),
    );
    for (const { document } of [...named, ...patches.filter((each) => !named.includes(each))]) {
      const found = Array.isArray(document.value)
        ? operationOf(document, keys, value)
        : isSame(valueAt(document.value, ...keys), value)
          ? { document, path: keys }
          : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

class ResourcesAndPatches {
  readonly resources = new Map<string, WrittenValue[]>();
  readonly patches: Patch[] = [];

  constructor(files: readonly SourceFile[]) {
    const patches = new Map<string, JsonValue | undefined>();
    const kustomizations = files.filter(({ path }) => isKustomization(posix.basename(path)));
    for (const file of kustomizations) {
      for (const name of referencesOf(file.path, file.bytes).patches) patches.set(name, undefined);
      for (const document of readable(file)) {
        append(
          this.patches,
          [...patchesOf(document)].flatMap(({ value, path }) => {
            const at = isObject(value) ? [...path, 'patch'] : path;
            const text = valueAt(document.value, ...at);
            if (typeof text !== 'string' || !/[\n{]/.test(text)) return [];
            const target = valueAt(value, 'target');
            return within(document, at).map((each) => ({ document: each, target }));
          }),
        );
        for (const each of patchesOf(document)) {
          const name = textAt(each.value, 'path');
          const path = name === undefined ? '' : posix.join(posix.dirname(file.path), name);
          if (patches.has(path)) patches.set(path, valueAt(each.value, 'target'));
        }
      }
    }
    for (const file of files.filter((each) => !kustomizations.includes(each))) {
      for (const document of readable(file)) {
        if (!patches.has(file.path)) this.#addResources(document);
        else this.patches.push({ document, target: patches.get(file.path) });
      }
    }
  }

  #addResources(document: Document): void {
    for (const { value, path } of objectsOf(document.value)) {
      if (!isObject(value)) continue;
      const key = kindOf(value);
      this.resources.set(key, [...(this.resources.get(key) ?? []), { document, path }]);
    }
  }
}

/** Items for an object of this name, the likeliest first: a prefix and a suffix are added to names. */
function byName<Item>(
  items: readonly Item[],
  name: string,
  nameOfItem: (item: Item) => string,
): Item[] {
  return items
    .filter((each) => nameOfItem(each) !== '' && name.includes(nameOfItem(each)))
    .sort((a, b) => nameOfItem(b).length - nameOfItem(a).length);
}

/** The operation of a JSON Patch that wrote the value at `keys`. */
function operationOf(document: Document, keys: Path, value: JsonValue): WrittenValue | undefined {
  for (const [index, operation] of listAt(document.value).entries()) {
    const pointer = readPointer(textAt(operation, 'path') ?? '');
    const isAround = pointer.every((step, at) => step === '-' || step === String(keys[at]));
    if (pointer.length === 0 || pointer.length > keys.length || !isAround) continue;
    const path = ['value', ...keys.slice(pointer.length)];
    if (isSame(valueAt(operation, ...path), value)) return { document, path: [index, ...path] };
  }
  return undefined;
}

function* patchesOf({ value }: Document): Generator<{ value: JsonValue; path: Path }> {
  for (const key of ['patches', 'patchesJson6902', 'patchesStrategicMerge']) {
    for (const [index, each] of listAt(value, key).entries()) {
      yield { value: each, path: [key, index] };
    }
  }
}

function within(document: Document, path: Path): Document[] {
  // A patch that was rendered all the same is judged; only its place is not known.
  return orRefusal(
    () => documentsWithin(document, path),
    () => [],
  );
}

function isSame(written: JsonValue | undefined, value: JsonValue | undefined): boolean {
  return written === undefined || value === undefined
    ? written === value
    : sameJson(written, value);
}

function kindOf(object: JsonObject): string {
  return `${textAt(object, 'apiVersion') ?? ''} ${textAt(object, 'kind') ?? ''}`;
}

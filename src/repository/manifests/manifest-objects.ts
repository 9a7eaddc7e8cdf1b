import { stat } from 'node:fs/promises';
import {
  InvalidInputError,
  orRefusal,
  isObject,
  objectsOf,
  own,
  readDocuments,
  type Document,
  type JsonObject,
  type JsonValue,
  type Path,
  parseDocuments,
} from '../../text/documents/index.js';
import { listAt, valueAt } from '../../text/documents/fields.js';
import { documentsWithin } from '../../text/documents/documents.js';
import { streamObjects } from '../../text/documents/object-stream.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import { keepDocuments, isKustomization } from './kustomization.js';
import {
  appliedFiles,
  type AppliedFiles,
  type AppliedOptions,
  mentionsApplier,
} from './applied-files.js';
import { posix } from 'node:path';
import { mentionsSource } from '../../kubernetes/index.js';
import { eachSourceFile, manifestName } from '../../text/documents/sources.js';
import { kustomizationFiles } from './kustomize-files.js';
import { repositoryOf, type Repository } from './repository.js';

export interface ManifestObject {
  readonly object: JsonObject;
  readonly document: Document;
  readonly path: Path;
  /** From the folder of the chart that it was rendered from. */
  readonly template: string;
  readonly applied: AppliedFiles;
}

export interface ManifestFile {
  readonly documents: readonly Document[];
  readonly objects: readonly ManifestObject[];
}

/** All objects of a source, with the examples of ClusterServiceVersions. @throws InvalidInputError where nothing can be read */
export async function* manifestObjects(
  source: string,
  options: AppliedOptions,
): AsyncGenerator<ManifestFile> {
  for await (const applied of appliedFiles(source, options)) {
    for (const file of applied.files) {
      const documents = documentsOf(file, source, applied, options);
      const objects: ManifestObject[] = [];
      const common = { template: file.path, applied };
      for (const document of documents) {
        for (const { value, path } of objectsOf(document.value)) {
          if (!isObject(value) || typeof own(value, 'kind') !== 'string') continue;
          objects.push({ object: value, document, path, ...common });
          if (own(value, 'kind') !== 'ClusterServiceVersion') continue;
          for (const example of examplesOf(document, path, options)) {
            objects.push({ ...example, ...common });
          }
        }
      }
      yield { documents, objects };
    }
  }
}

const examples = ['metadata', 'annotations', 'alm-examples'];

function examplesOf(
  document: Document,
  path: Path,
  { onUnchecked }: AppliedOptions,
): Pick<ManifestObject, 'object' | 'document' | 'path'>[] {
  const found = orRefusal(
    () => documentsWithin(document, [...path, ...examples]),
    (error) => {
      onUnchecked(`${error.describe()}; no example of it was judged`);
      return [];
    },
  );
  return found.flatMap((inner) =>
    listAt(inner.value).flatMap((object, index) =>
      isObject(object) ? [{ object, document: inner, path: [index] }] : [],
    ),
  );
}

/** Up to the first that cannot be read. */
function documentsOf(
  from: SourceFile,
  source: string,
  { rendering }: AppliedFiles,
  { onUnchecked }: AppliedOptions,
): Document[] {
  const { file, path, bytes } = from;
  const documents: Document[] = [];
  try {
    for (const document of readDocuments(bytes, { file })) documents.push(document);
    if (rendering !== undefined) keepDocuments(from, documents);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { code, message, where, details } = error;
    const which = `object ${documents.length + 1} of the file: ${message}`;
    const failure = new InvalidInputError(code, which, where, details);
    if (path === '' && file === source) throw failure;
    onUnchecked(`${failure.describe()}; nothing from there on in this file was judged`);
  }
  return documents;
}

/** Files of one object a line, and of anything that is larger than manifests are, are read in pieces. */
const streamed = /\.(?:json|jsonl|ndjson)$/i;
const linesOfObjects = /\.(?:jsonl|ndjson)$/i;
const largestManifest = 16 * 1024 * 1024;

/** Yields a few objects at a time, of a file of any size. @throws as `manifestObjects` and `streamObjects` do */
export async function* objectsFrom(
  source: string,
  options: AppliedOptions,
): AsyncGenerator<readonly JsonValue[]> {
  const stats = source.startsWith('git:') ? undefined : await stat(source).catch(() => undefined);
  const isLarge = stats?.isFile() === true && stats.size > largestManifest;
  if (source === '-' || isLarge || (stats?.isDirectory() !== true && streamed.test(source))) {
    yield* streamObjects(source);
    return;
  }
  for await (const { documents, objects } of manifestObjects(source, options)) {
    const others = documents.flatMap(({ value }) =>
      [...objectsOf(value)]
        .map((each) => each.value)
        .filter((each) => typeof valueAt(each, 'kind') !== 'string'),
    );
    yield [...objects.map(({ object }) => object), ...others];
  }
  if (stats?.isDirectory() !== true) return;
  const onUnreadable = (error: InvalidInputError): void =>
    options.onUnchecked(`${error.describe()}; nothing from there on in this file was judged`);
  yield* streamObjects(source, { onUnreadable, wanted: linesOfObjects });
}

/** False only if neither the sources nor any file that they may load without a network mentions one. */
export async function mayDefine(sources: readonly string[]): Promise<boolean> {
  for (const source of sources) if (await mayDefineOne(source)) return true;
  return false;
}

async function mayDefineOne(source: string): Promise<boolean> {
  if (source === '-') return true;
  const mentions = new Mentions();
  const kustomizations: string[] = [];
  let isFile = false;
  try {
    // An unreadable file is reported when it is judged.
    for await (const { path, bytes } of eachSourceFile(source, { onUnreadable: () => undefined })) {
      if (mentions.definitionIn(bytes)) return true;
      if (isKustomization(posix.basename(path))) kustomizations.push(posix.dirname(path));
      isFile ||= path === '';
      if (path === '') parseDocuments(bytes, { file: source });
    }
    const repository = await repositoryOf(source, { isPart: kustomizations.includes('.') });
    if (!isFile && (await mentions.inFolder(repository.path, repository))) return true;
    if (!mentions.isApplier && (await mentions.inKustomizations(kustomizations, repository))) {
      return true;
    }
    return mentions.isApplier && (await mentions.inFolder('', repository));
  } catch (error) {
    if (error instanceof InvalidInputError) return true;
    throw error;
  }
}

/** Templates of a chart take these in, beside manifests. */
const partOfChart = /\.tpl$/;
const archive = /\.t(?:ar\.)?gz$/;

class Mentions {
  /** Whether files that were read, or could not be followed, may apply others of the repository. */
  isApplier = false;

  definitionIn(bytes: Buffer): boolean {
    this.isApplier ||= mentionsApplier(bytes);
    // Targets of patches and the like have the kind alone, and no names.
    const isNamed = bytes.includes('CustomResourceDefinition') && bytes.includes('plural');
    return isNamed || mentionsSource(bytes);
  }

  async inFolder(folder: string, repository: Repository): Promise<boolean> {
    for (const path of await repository.filesIn(folder)) {
      // An archive is not opened to look.
      if (archive.test(path)) return true;
      if (!manifestName.test(path) && !partOfChart.test(path)) continue;
      if ((await repository.kindOf(path)) !== 'file') continue;
      if (this.definitionIn(await repository.read(path))) return true;
    }
    return false;
  }

  async inKustomizations(folders: readonly string[], repository: Repository): Promise<boolean> {
    try {
      for (const each of folders) {
        const folder = posix.join(repository.path, each).replace(/^\.$/, '');
        const { files } = await kustomizationFiles(folder, repository);
        if (files.some(({ bytes }) => this.definitionIn(bytes))) return true;
      }
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      this.isApplier = true;
    }
    return false;
  }
}

/** Whether a definition can be found in a source, from the texts alone: to render them takes longer. */
import { posix } from 'node:path';
import { mentionsSource } from '../../kubernetes/index.js';
import { InvalidInputError, parseDocuments } from '../../text/documents/index.js';
import { eachSourceFile, manifestName } from '../../text/documents/sources.js';
import { mentionsApplier } from './applied-files.js';
import { isKustomization } from './kustomization.js';
import { kustomizationFiles } from './kustomize-files.js';
import { repositoryOf, type Repository } from './repository.js';

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

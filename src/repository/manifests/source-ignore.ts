/**
 * Files that Flux's source-controller leaves out: by `.sourceignore` files in any folder, and by `spec.ignore`
 * of the source, which wins over them. Its default exclusions are no manifests.
 *
 * Source: fluxcd.io/flux/components/source/gitrepositories (Excluding files); fluxcd/pkg sourceignore.
 */
import { posix } from 'node:path';
import { readIgnoreFiles } from '../../text/documents/ignore-files.js';
import { foldersAround, type Repository } from './repository.js';

const ignoreFile = '.sourceignore';

/** @param paths of files, from the top of the repository */
export async function ignoredFiles(
  paths: readonly string[],
  specIgnore: string | undefined,
  repository: Repository,
): Promise<ReadonlySet<string>> {
  const folders = new Set(paths.flatMap(foldersAround));
  const files: { path: string; content: string }[] = [];
  // Files of inner folders win over those around them.
  for (const folder of [...folders].sort()) {
    const path = posix.join(folder, ignoreFile);
    if ((await repository.kindOf(path)) !== 'file') continue;
    files.push({ path, content: (await repository.read(path)).toString('utf8') });
  }
  if (specIgnore !== undefined) files.push({ path: ignoreFile, content: specIgnore });
  const isIgnored = readIgnoreFiles(files);
  return new Set(paths.filter(isIgnored));
}

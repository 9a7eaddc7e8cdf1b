/** Whether a definition can be found in a source, from the texts alone: to render them takes longer. */
import { mentionsSource } from '../../upgrade/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { eachSourceFile, manifestName } from '../../text/documents/sources.js';
import { repositoryOf } from './repository.js';

/** False only where no file of the sources, and of the repositories that they may take in, mentions one. */
export async function mayDefine(sources: readonly string[]): Promise<boolean> {
  for (const source of sources) if (await mayDefineOne(source)) return true;
  return false;
}

async function mayDefineOne(source: string): Promise<boolean> {
  if (source === '-') return true;
  try {
    // An unreadable file is reported when it is judged.
    for await (const { bytes } of eachSourceFile(source, { onUnreadable: () => undefined })) {
      if (mentionsDefinition(bytes)) return true;
    }
    const repository = await repositoryOf(source, { isPart: false });
    for (const path of await repository.filesIn('')) {
      if (!manifestName.test(path) || (await repository.kindOf(path)) !== 'file') continue;
      if (mentionsDefinition(await repository.read(path))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof InvalidInputError) return true;
    throw error;
  }
}

function mentionsDefinition(bytes: Buffer): boolean {
  return bytes.includes('CustomResourceDefinition') || mentionsSource(bytes);
}

/** The options by which every catalog command names its catalog, and progress while it loads. */
import { readCatalog, type ReadCatalog } from '../../repository/index.js';
import { type Catalog, type LoadOptions, ofNoSchema, validateCatalog } from '../../olm/index.js';
import { InvalidInputError, invalidInput } from '../../text/documents/index.js';
import { shortened } from '../../text/shortened.js';
import { printError, startProgress } from '../output.js';
import { meantIn } from './suggest-command.js';
import { reportSkipped } from './skipped-files.js';
import type { SkippedEntry } from '../../text/documents/folder-walk.js';
import { type Flags } from './flags.js';

export interface CatalogOptions {
  readonly catalog?: string;
  readonly from?: string;
  readonly caFile?: string;
}

export const catalogSourceFlags: Flags = {
  '--catalog <catalog>': 'the catalog, in place of the argument',
  '--from <url>': 'read from catalogd instead, e.g. https://catalogd…/catalogs/NAME',
  '--ca-file <file>': 'certificates to trust when reading from catalogd',
};

/** @throws InvalidInputError when no catalog or two are named, or it cannot be read. */
export async function readNamedCatalog(
  folder: string | undefined,
  { catalog, from, caFile }: CatalogOptions,
  keep: LoadOptions['keep'],
  onSkipped?: (entry: SkippedEntry) => void,
): Promise<ReadCatalog> {
  const [source, ...others] = [from, folder, catalog].filter((each) => each !== undefined);
  if (source === undefined || others.length > 0) {
    throw invalidInput('name one catalog: a folder, a file, or --from URL');
  }
  const progress = startProgress('MB', { size: 1e6 });
  try {
    return await readCatalog(source, {
      keep,
      onProgress: progress.update,
      ...(caFile !== undefined && { caFile }),
      onSkipped,
    });
  } finally {
    progress.stop();
  }
}

/** A catalog that opm refuses is read as far as it goes, and a note says so. @throws InvalidInputError */
export async function demandCatalog(
  folder: string | undefined,
  options: CatalogOptions,
  keep: LoadOptions['keep'],
): Promise<Catalog> {
  const { catalog, error, filesRead } = await reportSkipped((onSkipped) =>
    readNamedCatalog(folder, options, keep, onSkipped),
  );
  const source = options.from ?? folder ?? options.catalog ?? '';
  if (error !== undefined) {
    const meant = await meantIn(source, 'catalog');
    throw new InvalidInputError(error.code, `${sentenceOf(error)}${meant}`, error.where);
  }
  if (filesRead.length === 0 && catalog.packages.length === 0) {
    throw invalidInput('holds no file of a catalog', { file: source });
  }
  if (validateCatalog(catalog).error !== undefined) {
    printError(
      `olm-guard: ${source} is not valid, opm refuses it: olm-guard catalog validate ${source} tells why`,
    );
  }
  return catalog;
}

/** Leaves out the object, which opm quotes whole: it may be a Secret, and reports go to the logs of CI. */
export function withoutObjectContent(loaded: ReadCatalog): ReadCatalog {
  const { error } = loaded;
  const kind = error?.details[ofNoSchema];
  if (error === undefined || typeof kind !== 'string') return loaded;
  const what = kind === '' ? 'an object' : `an object of kind ${shortened(kind, 100)}`;
  const message = `${what} is missing root schema field`;
  return { ...loaded, error: new InvalidInputError(error.code, message, error.where) };
}

function sentenceOf({ message, details }: InvalidInputError): string {
  const kind = details[ofNoSchema];
  if (typeof kind !== 'string') return message;
  const what = kind === '' ? 'is' : `is of kind ${shortened(kind, 100)},`;
  return `${what} no object of a catalog: it has no schema (olm.package, olm.channel, olm.bundle); name another folder, or leave it out in .indexignore`;
}

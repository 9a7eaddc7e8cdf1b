/** `olm-guard catalog validate`: opm's verdict on a catalog, and what opm never checks. */
import { Command } from 'commander';
import {
  catalogFindings,
  countObjects,
  type LoadedCatalog,
  validateCatalog,
} from '../../olm/index.js';
import type { SkippedEntry } from '../../text/documents/folder-walk.js';
import { check, type Policy } from '../../policy/index.js';
import type { ReadCatalog } from '../../repository/index.js';
import { type CheckResult, formats, render } from '../../report/index.js';
import {
  withoutObjectContent,
  readNamedCatalog,
  type CatalogOptions,
} from '../options/catalog-source.js';
import { meantIn } from '../options/suggest-command.js';
import { describeSkipped } from '../options/skipped-files.js';
import { loadPolicy } from '../options/policy-option.js';
import { formOf, print, printError } from '../output.js';
import { catalogSourceFlags } from '../options/catalog-source.js';
import { flags, withFlags } from '../options/flags.js';

interface Options extends CatalogOptions {
  readonly policy?: string;
  readonly output: string;
}

export function catalogValidateCommand(): Command {
  const command = new Command('validate').description(
    'say whether opm would accept a catalog, and what it would not notice',
  );
  return withFlags(command, {
    ...catalogSourceFlags,
    '[catalog]': 'folder or file: a file-based catalog or package manifests',
    ...flags.policy,
    ...flags.output(formats),
  }).action(async (folder: string | undefined, options: Options) => {
    const policy = await loadPolicy(options.policy);
    const skipped: SkippedEntry[] = [];
    const tell = (entry: SkippedEntry): void => void skipped.push(entry);
    const loaded = withoutObjectContent(await readNamedCatalog(folder, options, 'graph', tell));
    // Text that is no YAML or JSON is no catalog that could be judged.
    if (loaded.error !== undefined && loaded.error.code !== 'E_CATALOG') throw loaded.error;
    if (loaded.error !== undefined) {
      const meant = await meantIn(folder, 'catalog');
      if (meant !== '')
        printError(`olm-guard: ${folder ?? ''} cannot be read as a catalog${meant}`);
    }
    const name = options.from ?? folder ?? options.catalog ?? '';
    const result = await judgeCatalog(name, loaded, policy, readByOpm(skipped));
    const counts = { ...countObjects(loaded.catalog), files: loaded.filesRead.length };
    if (counts.files === 0) printError(`olm-guard: ${name}: no file of a catalog in it`);
    const report = { subject: 'Catalog', results: [result], counts };
    await print(await render(report, options.output), formOf(options.output));
    process.exitCode = result.verdict.allowed ? 0 : 1;
  });
}

export async function judgeCatalog(
  name: string,
  loaded: LoadedCatalog & Partial<Pick<ReadCatalog, 'format'>>,
  policy: Policy,
  warnings: readonly string[],
): Promise<CheckResult> {
  const validation = loaded.error === undefined ? validateCatalog(loaded.catalog) : undefined;
  const findings = catalogFindings(loaded, validation);
  const { verdict } = await check({ subject: { groups: [], name }, findings }, policy);
  return {
    name,
    verdict: { ...verdict, warnings: [...verdict.warnings, ...warnings] },
    output: {
      ok: loaded.error === undefined && validation?.error === undefined,
      format: loaded.format,
      message: loaded.error?.message ?? validation?.error ?? '',
    },
    places: verdict.findings.map(({ place = {} }) => place),
  };
}

/** Hidden files are skipped here, although opm reads them. */
function readByOpm(skipped: readonly SkippedEntry[]): string[] {
  if (skipped.length === 0) return [];
  return [`skipped, but opm reads it too: ${describeSkipped(skipped)}; name it in .indexignore`];
}

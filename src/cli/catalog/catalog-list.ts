/** `olm-guard catalog list`: packages with their channels and heads, or one package's bundles. */
import { Argument, Command } from 'commander';
import { listCatalog, type PackageSummary } from '../../olm/index.js';
import { renderTable } from '../../report/index.js';
import {
  demandCatalog,
  withCatalogSource,
  type CatalogOptions,
} from '../options/catalog-source.js';
import { answerFormats, printAnswer, type AnswerFormat } from '../output.js';
import { outputOption } from '../options/option-values.js';

export function catalogListCommand(): Command {
  return withCatalogSource(new Command('list'))
    .description('list packages, their channels and the head of each')
    .addArgument(new Argument('[catalog]', 'folder or file'))
    .addOption(outputOption(answerFormats))
    .action(
      async (
        folder: string | undefined,
        options: CatalogOptions & { readonly output: AnswerFormat },
      ) => {
        const packages = listCatalog(await demandCatalog(folder, options, 'graph'));
        await printAnswer({ packages }, options.output, renderPackages);
      },
    );
}

function renderPackages({ packages }: { readonly packages: readonly PackageSummary[] }): string {
  const rows = packages.flatMap(({ name, channels }) =>
    channels.map((channel) => [
      name,
      `${channel.name}${channel.isDefault ? ' (default)' : ''}`,
      channel.heads.join(', ') || '-',
      channel.version ?? '-',
      String(channel.entries),
      channel.deprecated === undefined ? '' : 'deprecated',
    ]),
  );
  return renderTable(['PACKAGE', 'CHANNEL', 'HEAD', 'VERSION', 'ENTRIES', ''], rows);
}

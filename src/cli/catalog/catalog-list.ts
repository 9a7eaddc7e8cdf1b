/** `olm-guard catalog list`: packages with their channels and heads, or one package's bundles. */
import { writeYaml } from '../../text/documents/index.js';
import { Argument, Command, Option } from 'commander';
import { listCatalog, type PackageSummary } from '../../olm/index.js';
import { renderTable } from '../../report/index.js';
import {
  demandCatalog,
  withCatalogSource,
  type CatalogOptions,
} from '../options/catalog-source.js';
import { formOf, print } from '../output.js';

const renderers: Readonly<Record<string, (packages: readonly PackageSummary[]) => string>> = {
  text: renderPackages,
  json: (packages) => `${JSON.stringify({ packages }, undefined, 2)}\n`,
  yaml: (packages) => writeYaml({ packages }),
};

export function catalogListCommand(): Command {
  return withCatalogSource(new Command('list'))
    .description('list packages, their channels and the head of each')
    .addArgument(new Argument('[catalog]', 'folder or file'))
    .addOption(
      new Option('-o, --output <format>', 'how to print')
        .choices(Object.keys(renderers))
        .default('text'),
    )
    .action(
      async (folder: string | undefined, options: CatalogOptions & { readonly output: string }) => {
        const catalog = await demandCatalog(folder, options, 'graph');
        const text = renderers[options.output]?.(listCatalog(catalog)) ?? '';
        await print(text, formOf(options.output));
      },
    );
}

function renderPackages(packages: readonly PackageSummary[]): string {
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

/** `olm-guard catalog show PACKAGE`: its channels with every entry, its APIs, its deprecations. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import {
  type EntryDetails,
  type PackageDetails,
  showPackage,
  listCatalog,
  type PackageSummary,
} from '../../olm/index.js';
import { invalidInput } from '../../text/documents/index.js';
import { renderTable } from '../../report/index.js';
import { demandCatalog, type CatalogOptions } from '../options/catalog-source.js';
import { answerFormats, printAnswer, type AnswerFormat } from '../output.js';
import { catalogSourceFlags } from '../options/catalog-source.js';
import { flags, withFlags } from '../options/flags.js';

export function catalogShowCommand(): Command {
  const command = new Command('show').description(
    'show a package: channels, entries, upgrade edges, APIs and deprecations',
  );
  const named = { '<package>': 'name of the package', '[catalog]': 'folder or file' };
  return withFlags(command, {
    ...catalogSourceFlags,
    ...named,
    ...flags.output(answerFormats),
  }).action(
    async (
      name: string,
      folder: string | undefined,
      options: CatalogOptions & { readonly output: AnswerFormat },
    ) => {
      if (folder === undefined && options.catalog === undefined && options.from === undefined) {
        throw invalidInput(
          existsSync(name)
            ? `name a package: olm-guard catalog show PACKAGE ${name}; olm-guard catalog list ${name} names those there are`
            : `name the catalog of package ${name}: olm-guard catalog show ${name} CATALOG`,
        );
      }
      const catalog = await demandCatalog(folder, options, 'graph');
      await printAnswer(showPackage(catalog, name), options.output, renderDetails);
    },
  );
}

function renderDetails(details: PackageDetails): string {
  const lines = [`${details.name}${mark(details.deprecated)}\n`];
  for (const { name, isDefault, deprecated } of details.channels) {
    const entries = details.entries[name] ?? [];
    lines.push(
      `\nchannel ${name}${isDefault ? ' (default)' : ''}${mark(deprecated)}\n`,
      renderTable(['ENTRY', 'VERSION', 'REPLACES', 'SKIPS', 'SKIP RANGE', ''], entries.map(row)),
    );
  }
  if (details.provides.length > 0) lines.push(`\nprovides ${details.provides.join(', ')}\n`);
  if (details.requires.length > 0) lines.push(`\nrequires ${details.requires.join(', ')}\n`);
  return lines.join('');
}

function row(entry: EntryDetails): string[] {
  const notes = [
    entry.isHead ? 'head' : '',
    entry.deprecated === undefined ? '' : `deprecated: ${entry.deprecated.trim()}`,
  ];
  return [
    entry.name,
    entry.version ?? '-',
    entry.replaces ?? '-',
    entry.skips?.join(', ') ?? '-',
    entry.skipRange ?? '-',
    notes.filter((note) => note !== '').join(', '),
  ];
}

function mark(deprecated: string | undefined): string {
  return deprecated === undefined ? '' : ` (deprecated: ${deprecated.trim()})`;
}

export function catalogListCommand(): Command {
  const command = new Command('list').description(
    'list packages, their channels and the head of each',
  );
  const named = { '[catalog]': 'folder or file' };
  return withFlags(command, {
    ...catalogSourceFlags,
    ...named,
    ...flags.output(answerFormats),
  }).action(
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

/** `olm-guard catalog …`: one subcommand per question about catalogs. */
import { Command } from 'commander';
import { catalogPathCommand } from './catalog-path.js';

export function catalogCommand(): Command {
  return new Command('catalog')
    .description('ask catalogs: which updates they offer, and whether they are fit to be published')
    .addCommand(catalogPathCommand());
}

/** `olm-guard catalog …`: one subcommand per question about catalogs. */
import { Command } from 'commander';
import { catalogDiffCommand } from './catalog-diff.js';
import { catalogGraphCommand } from './catalog-graph.js';
import { catalogListCommand, catalogShowCommand } from './catalog-show.js';
import { catalogPathCommand } from './catalog-path.js';
import { catalogValidateCommand } from './catalog-validate.js';

export function catalogCommand(): Command {
  return new Command('catalog')
    .description('list, draw, validate and compare catalogs')
    .addCommand(catalogDiffCommand())
    .addCommand(catalogGraphCommand())
    .addCommand(catalogListCommand())
    .addCommand(catalogPathCommand())
    .addCommand(catalogShowCommand())
    .addCommand(catalogValidateCommand());
}

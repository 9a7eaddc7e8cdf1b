/** `olm-guard check …`: one subcommand per kind of thing that is checked. */
import { Command } from 'commander';
import { checkBundleCommand } from './check-bundle.js';
import { checkCrdCommand } from './check-crd.js';
import { checkOperatorGroupCommand } from './check-operatorgroup.js';

export function checkCommand(): Command {
  return new Command('check')
    .description('judge files before they are applied')
    .addCommand(checkBundleCommand())
    .addCommand(checkCrdCommand())
    .addCommand(checkOperatorGroupCommand());
}

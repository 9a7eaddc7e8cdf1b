/** `olm-guard version`: what `--version` says, as plugins of kubectl say it. */
import { Command } from 'commander';
import { version } from '../../text/package.js';
import { print } from './output.js';

export function versionCommand(): Command {
  return new Command('version')
    .description('print the version')
    .action(() => print(`${version}\n`));
}

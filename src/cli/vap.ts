/** `olm-guard vap sync`: the policies of `export vap`, kept as the definitions of a cluster need them. */
import { Argument, Command } from 'commander';
import { withConnection, type ClusterOptions } from './options/cluster-option.js';
import { plural } from '../text/plural.js';
import { notCoveredLines } from './not-covered.js';
import { print, printError } from './output.js';

interface SyncCommandOptions extends ClusterOptions {
  readonly audit?: boolean;
  readonly denyDeletion?: boolean;
  readonly dryRun?: boolean;
}

export function vapCommand(): Command {
  const sync = new Command('sync')
    .description('update the policies of a cluster to its definitions and what their objects use')
    .addArgument(new Argument('[definitions...]', 'their names (default: all)'))
    .option('--kubeconfig <file>', 'connect to this cluster (default: as kubectl)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('--in-cluster', 'connect to the cluster that this pod runs in')
    .option('--audit', 'warn and audit instead of denying')
    .option('--deny-deletion', 'deny deleting a definition that has objects, instead of warning')
    .option('--dry-run', 'let the API server try each write, but store nothing')
    .addHelpText('after', '\nStandard error lists what the policies do not cover.')
    .action(run);
  return new Command('vap')
    .description('manage the ValidatingAdmissionPolicies of a cluster')
    .addCommand(sync);
}

async function run(names: string[], options: SyncCommandOptions): Promise<void> {
  const { syncPolicies } = await import('../gate/policy-sync/sync.js');
  const stopMessage = 'was stopped; the same command goes on';
  await withConnection(options, stopMessage, async (connection, signal) => {
    const result = await syncPolicies(connection, {
      names,
      isAudit: options.audit === true,
      deniesDeletion: options.denyDeletion === true,
      isDryRun: options.dryRun === true,
      signal,
    });
    for (const line of notCoveredLines(result.notCovered, result.definitions)) {
      printError(`olm-guard: ${line}`);
    }
    for (const { name, reason } of result.left) {
      printError(`olm-guard: ${name}: its policies stay as they were: ${reason}`);
    }
    const removed = result.removed.map((each) => `removed ${each}\n`).join('');
    await print(
      `${removed}${plural(result.definitions, 'definition')}: ${result.written} policies and bindings written\n`,
    );
    process.exitCode = result.left.length > 0 ? 1 : 0;
  });
}

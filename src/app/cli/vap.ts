/** `olm-guard vap sync`: the policies of `export vap`, kept as the definitions of a cluster need them. */
import { Argument, Command } from 'commander';
import { InvalidInputError } from '../../text/documents/index.js';
import {
  openConnection,
  openDefaultConnection,
  type ClusterOptions,
} from './options/cluster-option.js';
import { plural } from '../report/counts.js';
import { notCoveredLines } from './not-covered.js';
import { print, printError } from './output.js';
import { terminationSignal } from './termination.js';

interface SyncCommandOptions extends ClusterOptions {
  readonly audit?: boolean;
  readonly denyDeletion?: boolean;
  readonly dryRun?: boolean;
}

export function vapCommand(): Command {
  const sync = new Command('sync')
    .description('write policies for the definitions of a cluster anew, by what their objects use')
    .addArgument(new Argument('[definitions...]', 'their names (default: all)'))
    .option('--kubeconfig <file>', 'ask the cluster of its current context (default: as kubectl)')
    .option('--context <name>', 'a context of the kubeconfig other than its current one')
    .option('--in-cluster', 'ask the cluster this pod runs in')
    .option('--audit', 'warn and audit instead of denying')
    .option('--deny-deletion', 'deny what deletes a definition with its objects, not only warn')
    .option('--dry-run', 'have the API server try each write, and store nothing')
    .addHelpText('after', '\nStandard error lists what the policies do not cover.')
    .action(run);
  return new Command('vap')
    .description('ValidatingAdmissionPolicies on a cluster')
    .addCommand(sync);
}

async function run(names: string[], options: SyncCommandOptions): Promise<void> {
  const { syncPolicies } = await import('../policy-sync/sync.js');
  const connection = (await openConnection(options)) ?? (await openDefaultConnection(options));
  const stopped = new AbortController();
  void terminationSignal().then(() => {
    stopped.abort(new InvalidInputError('E_INPUT', 'was stopped; the same command goes on'));
  });
  try {
    const result = await syncPolicies(connection, {
      names,
      isAudit: options.audit === true,
      deniesDeletion: options.denyDeletion === true,
      isDryRun: options.dryRun === true,
      signal: stopped.signal,
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
  } finally {
    connection.close();
  }
}

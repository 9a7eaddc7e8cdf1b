/** `olm-guard doctor`: whether an installed gate can do its work, and what is missing. */
import { Command, Option } from 'commander';
import type { Observation } from './installation.js';
import { openConnection, openDefaultConnection, type ClusterOptions } from './cluster-option.js';
import { formOf, print } from './output.js';

interface DoctorOptions extends ClusterOptions {
  readonly registration: string;
  readonly output: 'text' | 'json';
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('look at an installed gate: registration, pods, certificate, policy and rights')
    .option('--kubeconfig <file>', 'ask the cluster of its current context (default: as kubectl)')
    .option('--context <name>', 'a context of the kubeconfig other than its current one')
    .option('--in-cluster', 'ask the cluster this pod runs in')
    .option('--registration <name>', 'its ValidatingWebhookConfiguration', 'olm-guard')
    .addOption(
      new Option('-o, --output <format>', 'output format')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText(
      'after',
      '\nExit code: 0 nothing is wrong in what could be looked at, 1 something is, 2 the cluster cannot be asked.',
    )
    .action(async ({ registration, output, ...cluster }: DoctorOptions) => {
      const { inspectInstallation } = await import('./installation.js');
      const connection = (await openConnection(cluster)) ?? (await openDefaultConnection(cluster));
      try {
        const seen = await inspectInstallation(connection, registration);
        await print(rendered[output](seen), formOf(output));
        process.exitCode = seen.some(({ state }) => state === 'problem') ? 1 : 0;
      } finally {
        connection.close();
      }
    });
}

const rendered: Record<DoctorOptions['output'], (seen: readonly Observation[]) => string> = {
  text: (seen) => seen.map(({ state, message }) => `${state.padEnd(8)} ${message}\n`).join(''),
  json: (seen) => `${JSON.stringify(seen, undefined, 2)}\n`,
};

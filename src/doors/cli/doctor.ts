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
      '\nExit code: 0 nothing is wrong in what could be looked at, 1 something is, 2 nothing could be looked at.',
    )
    .action(async ({ registration, output, ...cluster }: DoctorOptions) => {
      const { inspectInstallation } = await import('./installation.js');
      const connection = (await openConnection(cluster)) ?? (await openDefaultConnection(cluster));
      try {
        await printObservations(await inspectInstallation(connection, registration), output);
      } finally {
        connection.close();
      }
    });
}

/** Exit code 1 for a problem, 2 when nothing could be looked at. */
export async function printObservations(
  seen: readonly Observation[],
  output: DoctorOptions['output'],
): Promise<void> {
  await print(rendered[output](seen), formOf(output));
  const is = (wanted: Observation['state']): boolean => seen.some(({ state }) => state === wanted);
  process.exitCode = is('problem') ? 1 : is('ok') ? 0 : 2;
}

const rendered: Record<DoctorOptions['output'], (seen: readonly Observation[]) => string> = {
  text: (seen) => seen.map(({ state, message }) => `${state.padEnd(8)} ${message}\n`).join(''),
  json: (seen) => `${JSON.stringify(seen, undefined, 2)}\n`,
};

/** `olm-guard doctor`: whether an installed gate can do its work, and what is missing. */
import { Command } from 'commander';
import { invalidInput } from '../../text/documents/index.js';
import type { Inspection } from './installation.js';
import type { Observation } from './observation.js';
import {
  openConnection,
  openDefaultConnection,
  type ClusterOptions,
} from '../options/cluster-option.js';
import { formOf, print } from '../output.js';
import { flags, withFlags, usually } from '../options/flags.js';

interface DoctorOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly registration: string;
  readonly output: 'text' | 'json';
}

export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'check an installed gate: registration, pods, certificate, policy and rights',
  );
  return withFlags(command, {
    ...{ ...flags.kubeconfig(), ...flags.inCluster },
    '--state <folder>': (option) => option.hideHelp(),
    '-n, --namespace <namespace>': (option) => option.hideHelp(),
    '--registration <name>': usually('olm-guard', 'the ValidatingWebhookConfiguration of the gate'),
    ...flags.output(['text', 'json']),
  }).action(async ({ registration, output, namespace, ...cluster }: DoctorOptions) => {
    if (namespace !== undefined) {
      throw invalidInput(
        'doctor takes no namespace (-n): the registration says where the gate is; name another one with --registration NAME',
      );
    }
    if (cluster.state !== undefined) {
      throw invalidInput(
        'no gate runs in a folder (--state); name the API server with --kubeconfig FILE',
      );
    }
    const { inspectInstallation } = await import('./installation.js');
    const connection = (await openConnection(cluster)) ?? (await openDefaultConnection(cluster));
    try {
      await printInspection(await inspectInstallation(connection, registration), output);
    } finally {
      connection.close();
    }
  });
}

/** Exit code 1 for a problem, 2 when what counts could not be looked at. */
export async function printInspection(
  { seen, isComplete }: Inspection,
  output: DoctorOptions['output'],
): Promise<void> {
  await print(rendered[output](seen), formOf(output));
  const isWrong = seen.some(({ state }) => state === 'problem');
  process.exitCode = isWrong ? 1 : isComplete ? 0 : 2;
}

const rendered: Record<DoctorOptions['output'], (seen: readonly Observation[]) => string> = {
  text: (seen) => seen.map(({ state, message }) => `${state.padEnd(8)} ${message}\n`).join(''),
  json: (seen) => `${JSON.stringify(seen, undefined, 2)}\n`,
};

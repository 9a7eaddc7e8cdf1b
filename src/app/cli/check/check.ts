/** `olm-guard check …`: one subcommand per kind of thing that is checked, loaded when it is asked for. */
import { Command } from 'commander';

const subcommands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['bundle', async () => (await import('./check-bundle.js')).checkBundleCommand()],
  ['crd', async () => (await import('./check-crd.js')).checkCrdCommand()],
  ['objects', async () => (await import('./check-objects.js')).checkObjectsCommand()],
  [
    'operatorgroup',
    async () => (await import('./check-operatorgroup.js')).checkOperatorGroupCommand(),
  ],
]);

/** @param asked the one subcommand that is wanted; all of them for a name that is none */
export async function checkCommand(asked: string | undefined): Promise<Command> {
  const command = new Command('check').description('judge files before they are applied');
  const load = subcommands.get(asked ?? '');
  const loaded = load === undefined ? [...subcommands.values()] : [load];
  for (const each of loaded) command.addCommand(await each());
  return command;
}

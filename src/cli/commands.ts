/** Every command, each loaded only when it is asked for: what belongs to the others is not waited for. */
import { Command } from 'commander';

const commands: ReadonlyMap<string, (below?: string) => Promise<Command>> = new Map([
  ['catalog', async () => (await import('./catalog/catalog.js')).catalogCommand()],
  ['check', checkCommand],
  [
    'completion',
    async () => (await import('./completion.js')).completionCommand(() => commandsFor(undefined)),
  ],
  ['demo', async () => (await import('./serve/demo.js')).demoCommand()],
  ['doctor', async () => (await import('./serve/doctor.js')).doctorCommand()],
  ['export', async () => (await import('./export.js')).exportCommand()],
  ['explain', async () => (await import('./explain.js')).explainCommand()],
  ['init', async () => (await import('./init.js')).initCommand()],
  ['lsp', async () => (await import('./lsp.js')).lspCommand()],
  ['mcp', async () => (await import('./serve/mcp.js')).mcpCommand()],
  ['migrate', async () => (await import('./migrate.js')).migrateCommand()],
  ['plan', async () => (await import('./plan/plan.js')).planCommand()],
  ['preflight', async () => (await import('./preflight.js')).preflightCommand()],
  ['range', async () => (await import('./range.js')).rangeCommand()],
  ['resolve', async () => (await import('./resolve/resolve.js')).resolveCommand()],
  ['roundtrip', async () => (await import('./roundtrip.js')).roundtripCommand()],
  ['scan', async () => (await import('./scan.js')).scanCommand()],
  ['serve', async () => (await import('./serve/serve.js')).serveCommand()],
  ['sidecar', async () => (await import('./serve/sidecar.js')).sidecarCommand()],
  ['vap', async () => (await import('./export.js')).vapCommand()],
  ['version', async () => (await import('./version-command.js')).versionCommand()],
]);

/** None for the version; all of them for help, and for a name that is none. */
export function commandsFor(name: string | undefined, below?: string): Promise<Command[]> {
  if (name === '--version' || name === '-V') return Promise.resolve([]);
  const load = commands.get(name ?? '');
  return Promise.all(
    load === undefined ? [...commands.values()].map((each) => each()) : [load(below)],
  );
}

const checks: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['bundle', async () => (await import('./check/check-bundle.js')).checkBundleCommand()],
  ['chart', async () => (await import('./check/check-chart.js')).checkChartCommand()],
  ['crd', async () => (await import('./check/check-crd.js')).checkCrdCommand()],
  ['objects', async () => (await import('./check/check-objects.js')).checkObjectsCommand()],
  [
    'operatorgroup',
    async () => (await import('./check/check-operatorgroup.js')).checkOperatorGroupCommand(),
  ],
]);

/** @param below the one subcommand that is wanted; all of them for a name that is none */
async function checkCommand(below?: string): Promise<Command> {
  const command = new Command('check').description('judge files before they are applied');
  const load = checks.get(below ?? '');
  const loaded = load === undefined ? [...checks.values()] : [load];
  for (const each of loaded) command.addCommand(await each());
  return command;
}

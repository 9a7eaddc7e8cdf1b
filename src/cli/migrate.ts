/** `olm-guard migrate …`: stored objects are brought into the storage version, so that an old one can go. */
import {
  startProgress,
  answerFormats,
  printAnswer,
  printError,
  type AnswerFormat,
} from './output.js';
import { Command } from 'commander';
import {
  type Connection,
  type MigratedKind,
  type Requests,
  ownNamespace,
} from '../cluster/index.js';
import { withConnection, type ClusterOptions } from './options/cluster-option.js';
import { flags, withFlags, several, usually, positive, type Flags } from './options/flags.js';

interface MigrateOptions extends ClusterOptions {
  readonly leaving: readonly string[];
  readonly qps: number;
  readonly pageSize: number;
  readonly output: AnswerFormat;
}

interface RunOptions extends MigrateOptions {
  readonly checkpoint?: string;
  readonly dryRun?: boolean;
  readonly dropFields?: boolean;
  readonly inTree?: boolean;
}

/** kube-controller-manager takes one up within two minutes, once it knows the definition. */
const inTreePace = { beginsWithinMilliseconds: 300_000, pollMilliseconds: 2_000 };

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('migrate stored objects to the storage version of their definition')
    .addCommand(
      below(
        'plan',
        plan,
        'report what is stored in which version, who wrote it, and how long a run takes',
      ),
    )
    .addCommand(
      below(
        'run',
        run,
        'write every object once, move its managedFields, and remove old versions from status.storedVersions',
        runFlags,
      ),
    )
    .addCommand(
      below(
        'verify',
        verify,
        'check whether old versions can be removed: stored objects, managedFields, server-side apply',
      ),
    );
}

function below(
  name: string,
  action: (definition: string, options: RunOptions) => Promise<void>,
  about: string,
  more: Flags = {},
): Command {
  return withFlags(new Command(name).description(about), { ...sharedFlags, ...more }).action(
    action,
  );
}

const sharedFlags: Flags = {
  '<definition>': 'its name, e.g. widgets.example.com',
  ...{ ...flags.kubeconfig(), ...flags.inCluster },
  '--leaving <version>': several(
    'a version to remove (several: repeat; default: those that are still stored, deprecated, or not served)',
  ),
  '--qps <number>': usually(250, 'requests each second, at most', positive),
  '--page-size <objects>': usually(500, 'objects read at once, at most', positive),
  ...flags.output(answerFormats),
};

const runFlags: Flags = {
  '--checkpoint <place>':
    'where to save progress, so that an interrupted run can continue: a file, or configmap:NAMESPACE/NAME',
  '--drop-fields': 'write objects even if they lose fields that the storage version does not have',
  '--in-tree': 'let the cluster store the objects (StorageVersionMigration), and do only the rest',
  '--dry-run': 'let the API server try each write, but store nothing',
};

/** In logs, in milliseconds. */
const betweenLines = 10_000;

async function plan(name: string, options: MigrateOptions): Promise<void> {
  await withKind(name, options, async (requests, kind, _signal, connection) => {
    const { planMigration } = await import('../cluster/migration/index.js');
    const { renderPlan } = await import('../report/migration.js');
    const progress = startProgress(`${kind.resource} read`, { betweenLines });
    try {
      const made = await planMigration(requests, kind, {
        qps: options.qps,
        pageSize: options.pageSize,
        isProven: (versions) => isProven(connection, name, versions),
        onProgress: (looked, remaining = -looked) => progress.update(looked, looked + remaining),
      });
      progress.stop();
      await printAnswer(made, options.output, (each) => renderPlan(each, options.leaving));
      process.exitCode = made.isDone ? 0 : 1;
    } finally {
      progress.stop();
    }
  });
}

/** By what the gate would be shown. */
async function isProven(
  connection: Connection,
  name: string,
  versions: readonly string[],
): Promise<boolean> {
  const [{ LiveCluster }, { missingEvidence }] = await Promise.all([
    import('../cluster/view/live.js'),
    import('../gate/admission/migration-evidence.js'),
  ]);
  const cluster = new LiveCluster(connection);
  const definition = await cluster.get(definitions, name);
  if (definition === undefined) return false;
  const pair = { old: definition, next: definition };
  const missing = await missingEvidence(pair, versions, cluster, () => Promise.resolve(false));
  return missing === undefined;
}

const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

async function run(name: string, options: RunOptions): Promise<void> {
  const goesOn = options.checkpoint !== undefined && options.dryRun !== true;
  const stopMessage = goesOn ? 'was stopped; the same command goes on' : undefined;
  const work = async (requests: Requests, kind: MigratedKind, signal: AbortSignal) => {
    const { checkpointStore, MigrationRefusal, runMigration } =
      await import('../cluster/migration/index.js');
    const { renderResult } = await import('../report/migration.js');
    const { checkpoint: place, pageSize, dryRun: isDryRun = false, output } = options;
    const isInTree = options.inTree === true;
    const checkpoint =
      place === undefined ? undefined : checkpointStore(place, kind, requests, isInTree);
    const progress = startProgress(kind.resource, { betweenLines });
    try {
      const result = await runMigration(requests, kind, {
        pageSize,
        isDryRun,
        recordNamespace: ownNamespace(),
        mayDropFields: options.dropFields === true,
        signal,
        checkpoint,
        ...(isInTree ? { inTree: inTreePace } : {}),
        onStep: (sentence) => printError(`olm-guard: ${sentence}`),
        onProgress: ({ looked, remaining = -looked }) =>
          progress.update(looked, looked + remaining),
      });
      progress.stop();
      await printAnswer(result, output, renderResult);
      const isDone = isDryRun ? result.failures === 0 : result.kept === undefined;
      process.exitCode = isDone ? 0 : 1;
    } catch (error) {
      if (!(error instanceof MigrationRefusal)) throw error;
      printError(`olm-guard: ${error.message}`);
      process.exitCode = 1;
    }
  };
  await withKind(name, options, work, stopMessage);
}

async function verify(name: string, options: MigrateOptions): Promise<void> {
  await withKind(name, options, async (requests, kind) => {
    const { verifyMigration } = await import('../cluster/migration/index.js');
    const { renderVerification } = await import('../report/migration.js');
    const { pageSize, output } = options;
    const { verification: seen } = await verifyMigration(requests, kind, { pageSize });
    const others = kind.stored.filter((version) => version !== kind.storage);
    const stored = `status.storedVersions still names ${others.join(', ')}: objects may be stored in it until migrate run has written them`;
    const problems = [...seen.problems, ...(others.length === 0 ? [] : [stored])];
    const verification = { ...seen, problems };
    await printAnswer(verification, output, (each) => renderVerification(kind.name, each));
    process.exitCode = problems.length === 0 ? 0 : 1;
  });
}

async function withKind(
  name: string,
  options: MigrateOptions,
  work: (
    requests: Requests,
    kind: MigratedKind,
    signal: AbortSignal,
    connection: Connection,
  ) => Promise<void>,
  stopMessage = 'was stopped',
): Promise<void> {
  const { readKind, Requests } = await import('../cluster/migration/index.js');
  await withConnection(options, stopMessage, async (connection, signal) => {
    const requests = new Requests(connection, { qps: options.qps, signal });
    await work(requests, await readKind(requests, name, options.leaving), signal, connection);
  });
}

/** `olm-guard scan`: what the gate would say about everything that is there already. */
import { Command } from 'commander';
import { ClusterError, type OlmState } from '../cluster/index.js';
import { InvalidInputError, metaOf } from '../text/documents/index.js';
import { readClusterExtension, readSubscription } from '../olm/index.js';
import type { Policy } from '../policy/index.js';
import {
  type CheckReport,
  type CheckResult,
  countSeverities,
  formats,
  render,
} from '../report/index.js';
import { meantIn } from './options/suggest-command.js';
import { withDefaultCluster } from './options/cluster-option.js';
import { catalogOptionHelp } from './options/known-catalogs.js';
import { openState, type SourceOptions } from './options/olm-source.js';
import { loadPolicy } from './options/policy-option.js';
import { formOf, print, printError, showProgress, terminationSignal } from './output.js';
import { sourceFlags } from './options/olm-source.js';
import { flags, withFlags, several, usually } from './options/flags.js';

interface Options extends SourceOptions {
  readonly policy?: string;
  readonly output: string;
  readonly watch?: boolean;
  readonly catalog?: readonly string[];
  readonly metricsListen: string;
  readonly unchecked: 'fail' | 'warn';
}

export function scanCommand(): Command {
  const command = new Command('scan').description(
    'judge all objects of OLM on a cluster or in a folder',
  );
  return withFlags(command, {
    ...sourceFlags,
    '--policy <file>': 'what counts as an error, as the webhook would decide',
    '--catalog <catalog>': several(
      `${catalogOptionHelp}; with the name that the cluster gives it (several: repeat)`,
    ),
    ...flags.unchecked(
      'when a part cannot be checked: exit with 2, or only report it; when nothing can be read, always exit with 2',
      'warn',
    ),
    '--watch': 'scan again after changes, and export olm_guard_scan_findings',
    '--metrics-listen <address>': usually(
      '127.0.0.1:8080',
      'HOST:PORT of probes and /metrics with --watch',
    ),
    ...flags.output(formats),
  }).action(run);
}

async function run(given: Options): Promise<void> {
  const options = withDefaultCluster(given);
  const policy = await loadPolicy(options.policy);
  const state = await openState(options, {
    watch: options.watch === true,
    onProblem: (error) => printError(`olm-guard: ${String(error)}`),
  });
  try {
    if (options.catalog !== undefined && options.catalog.length > 0) {
      const { readKnownCatalogs } = await import('./options/known-catalogs.js');
      const keep = installedPackages(state);
      state.knownCatalogs = await readKnownCatalogs(options.catalog, { keep });
    }
    if (options.watch === true) await keepScanning(state, policy, options);
    else {
      const { text, report, isBlind, isFailure } = await scanOnce(state, policy, options);
      await print(text, formOf(options.output));
      if (isBlind) printError('olm-guard: nothing could be read, so nothing was judged');
      else if (report.counts['objects'] === 0) {
        const from = options.state ?? 'the cluster';
        printError(
          `olm-guard: ${from} holds no object that a scan judges${await meantIn(options.state, 'scan')}`,
        );
      }
      // A cluster may be empty; files that hold nothing to judge are the wrong ones.
      const isNothing = report.counts['objects'] === 0 && options.state !== undefined;
      const isUnknown = isBlind || isNothing || isFailure;
      process.exitCode = report.counts['errors'] !== 0 && !isBlind ? 1 : isUnknown ? 2 : 0;
    }
  } finally {
    await state.close();
  }
}

/** The packages whose bundles may bring definitions that the cluster has. */
function installedPackages(state: OlmState): ReadonlySet<string> {
  return new Set([
    ...[...state.objects('Subscription')].map((each) => readSubscription(each).package),
    ...[...state.objects('ClusterExtension')].map((each) => readClusterExtension(each).packageName),
  ]);
}

async function scanOnce(
  state: OlmState,
  policy: Policy,
  { output, unchecked: worth }: Pick<Options, 'output' | 'unchecked'>,
): Promise<{ text: string; report: CheckReport; isBlind: boolean; isFailure: boolean }> {
  const [{ scan }, { renderScanTable }] = await Promise.all([
    import('../checks/cluster-scan/scan.js'),
    import('../report/scan-table.js'),
  ]);
  const {
    objects,
    results: judged,
    unchecked: unjudged,
    isBlind,
  } = await scan(state, {
    policy,
    now: new Date(),
    ...(process.stderr.isTTY ? { onProgress: tellProgress } : {}),
  });
  const covered = isBlind ? nothingCovered : await coveredDefinitions(state);
  const conflicts = await conflictsIn(state, policy, judged);
  const results = [...judged, ...conflicts.results];
  const unchecked = [...unjudged, ...covered.unchecked, ...conflicts.unchecked];
  const { error, warning, info } = countSeverities(
    results.flatMap(({ verdict }) => verdict.findings),
  );
  const isFailure = worth === 'fail' && unchecked.length > 0;
  const report: CheckReport = {
    subject: 'Objects',
    results: [
      ...results.map((result) => ({ ...result, output: {}, places: [] })),
      ...covered.results,
    ],
    unchecked,
    ...(isBlind || isFailure ? { failed: {} } : {}),
    counts: { objects, errors: error, warnings: warning, notes: info, unchecked: unchecked.length },
  };
  const text =
    output === 'text' ? renderScanTable(report, unchecked) : await render(report, output);
  if (output !== 'text') {
    for (const sentence of unchecked) printError(`olm-guard: ${sentence}`);
  }
  return { text, report, isBlind, isFailure };
}

type Judged = Pick<CheckResult, 'name' | 'verdict'>;

/** Namespaces where OLM can resolve nothing from the catalogs given, if no rule has reported the cause. */
async function conflictsIn(
  state: OlmState,
  policy: Policy,
  judged: readonly Judged[],
): Promise<{ readonly results: readonly Judged[]; readonly unchecked: readonly string[] }> {
  const catalogs = state.knownCatalogs ?? [];
  if (catalogs.length === 0) return { results: [], unchecked: [] };
  const { answerResolve } = await import('./resolve/resolve-answer.js');
  const results: Judged[] = [];
  const unchecked: string[] = [];
  const told = new Set(
    judged
      .flatMap(({ verdict }) => verdict.findings)
      .flatMap(({ severity, object }) => (severity === 'info' ? [] : (object?.namespace ?? []))),
  );
  const subscribed = [...state.objects('Subscription')].map((each) => metaOf(each).namespace);
  for (const namespace of new Set(subscribed)) {
    if (told.has(namespace)) continue;
    try {
      const source = { namespace, semantics: 'olm', subscribe: [], catalogs } as const;
      const { verdict } = await answerResolve(state.cluster, source, policy);
      const findings = verdict.findings.filter(({ rule }) => rule === 'ResolutionConflict');
      const [first] = findings;
      if (first === undefined) continue;
      const name = `Subscription ${namespace}/${first.object?.name ?? ''}`;
      results.push({ name, verdict: { ...verdict, findings } });
    } catch (error) {
      if (!(error instanceof InvalidInputError || error instanceof ClusterError)) throw error;
      unchecked.push(`what OLM resolves in ${namespace}: ${error.message}`);
    }
  }
  return { results, unchecked };
}

interface CoveredDefinitions {
  readonly results: readonly CheckResult[];
  readonly unchecked: readonly string[];
}

const nothingCovered: CoveredDefinitions = { results: [], unchecked: [] };

/** Definitions that ValidatingAdmissionPolicies protect, beside the gate or without it. */
async function coveredDefinitions({ cluster }: OlmState): Promise<CoveredDefinitions> {
  const { describeCoverage, readCoverage } = await import('../gate/policy-sync/coverage.js');
  const { covered, unchecked } = await readCoverage(cluster);
  const results = covered.map((coverage): CheckResult => {
    const { sentence, isProblem } = describeCoverage(coverage);
    return {
      name: `CustomResourceDefinition ${coverage.definition}`,
      verdict: { allowed: true, findings: [], warnings: [] },
      output: { policies: coverage },
      places: [],
      counted: [isProblem ? `warning: ${sentence}` : sentence],
    };
  });
  return { results, unchecked: unchecked === undefined ? [] : [unchecked] };
}

function tellProgress(done: number, all: number): void {
  showProgress(done === all ? '' : `judged ${done} of ${all}`);
}

/** A burst of changes is scanned once. */
const settleMilliseconds = 1_000;

async function keepScanning(state: OlmState, policy: Policy, options: Options): Promise<void> {
  const [{ listenForProbes }, { createScanMetrics, registerStaleness }, { parseAddress }] =
    await Promise.all([
      import('../gate/server/probes.js'),
      import('../gate/metrics/own-metrics.js'),
      import('../gate/server/listen.js'),
    ]);
  const { registry, show } = createScanMetrics();
  registerStaleness(registry, () => state.kindStates());
  let shown = '';
  let isReady = false;
  const rescan = async (): Promise<void> => {
    const { text, report } = await scanOnce(state, policy, options);
    show(report.results.flatMap(({ verdict }) => verdict.findings));
    isReady = true;
    if (text === shown) return;
    shown = text;
    await print(text, formOf(options.output));
  };
  const notReady = (): string | undefined => (isReady ? undefined : 'the first scan is under way');
  const probes = await listenForProbes(parseAddress(options.metricsListen), { registry, notReady });
  printError(`olm-guard scan metrics ${probes.url}`);
  const stopped = terminationSignal();
  let changed = (): void => undefined;
  let change = new Promise<void>((resolve) => (changed = resolve));
  state.onChange(() => changed());
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
    changed();
  });
  while (!isStopped) {
    await rescan();
    await change;
    change = new Promise<void>((resolve) => (changed = resolve));
    if (!isStopped) await new Promise((resolve) => setTimeout(resolve, settleMilliseconds));
  }
  await probes.close();
}

/** A plan for what is applied by hand, by a pipeline or by Helm: one step from OLD to NEW. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pairCrds } from '../../upgrade/index.js';
import { isKustomization } from '../../repository/index.js';
import { textAt } from '../../text/documents/fields.js';
import { parseDocuments } from '../../text/documents/index.js';
import type { PlannedAction, PlannedStep } from '../../report/index.js';
import type { ComparedSources } from '../check/compared-sources.js';
import { withDefaultCluster } from '../options/cluster-option.js';
import { areWholes, readDefinitions, readOldDefinitions } from '../options/crd-source.js';
import {
  action,
  type Delivery,
  comparison,
  describeCluster,
  type FoundPlan,
  type PlanQuestion,
} from './plan-actions.js';
import {
  installedVersions,
  namespacesOwning,
  noCluster,
  obstaclesOf,
  withState,
  bundleObstacles,
  isBundle,
} from './plan-obstacles.js';
import { planStep } from './plan-step.js';
import { shellCommand } from '../../text/shell-command.js';

/** @throws InvalidInputError, ClusterError */
export async function planManifests(
  sources: ComparedSources,
  asked: PlanQuestion,
): Promise<FoundPlan> {
  const question = sources.old.startsWith('cluster:') ? withDefaultCluster(asked) : asked;
  const { policy, minors } = question;
  const next = await readDefinitions(sources.new, question);
  const found = await readOldDefinitions(sources.old, next, question);
  const { collection: old, owners, view } = found;
  try {
    const { changed } = pairCrds(old, next, sources);
    const uncompared =
      changed.length === 0 && sources.old.startsWith('git:')
        ? [`nothing was compared: ${sources.old} has none of the definitions of ${sources.new}`]
        : [];
    const atSources = [...uncompared, ...(old.unchecked ?? []), ...(next.unchecked ?? [])];
    const names = [...new Set([...old.crds.keys(), ...next.crds.keys()])];
    const { stored, unchecked } = await installedVersions(view, names);
    const isWhole = areWholes(found, next);
    const context = { policy, minors, view, owners, isWhole };
    const judged = await planStep(old.crds, next.crds, stored, context);
    const met = await meet(question, new Set(names));
    const ofBundle = await bundleObstacles(sources, question);
    const isDenied = ofBundle.obstacles.some(({ isInTheWay }) => isInTheWay);
    const chart = await chartName(sources.new);
    const step: PlannedStep = { from: sources.old, to: sources.new, ...judged, unchecked: [] };
    const isBundled = await isBundle(sources.new);
    const files = [...next.crds.values()].flatMap(({ document }) => document.file ?? []);
    return {
      subject: chart ?? plainName(names),
      from: sources.old,
      to: sources.new,
      by: chart === undefined ? 'manifests' : 'chart',
      steps: [isDenied ? { ...step, state: 'blocked' } : step],
      obstacles: [...ofBundle.obstacles, ...met.obstacles],
      unchecked: [...atSources, ...unchecked, ...met.unchecked, ...ofBundle.unchecked],
      delivery: deliveryOf(
        sources.new,
        chart,
        describeCluster(question),
        isBundled ? [...new Set(files)] : undefined,
      ),
      commands: new Map([[sources.new, comparison(sources.old, sources.new, asked)]]),
    };
  } finally {
    found.close();
  }
}

/** Obstacles among OLM's objects that concern the definitions. */
function meet(question: PlanQuestion, names: ReadonlySet<string>): ReturnType<typeof obstaclesOf> {
  return withState(question, async (state) => {
    if (state === undefined) return { obstacles: [], unchecked: [noCluster()] };
    const namespaces = namespacesOwning(state, names);
    return obstaclesOf(
      state,
      question.policy,
      ({ namespace, name }) => namespaces.has(namespace ?? '') || names.has(name),
    );
  });
}

/** The definition where there is one, else how many. */
function plainName(names: readonly string[]): string {
  const [name = ''] = names;
  return names.length === 1 ? name : `${names.length} definitions`;
}

async function chartName(source: string): Promise<string | undefined> {
  const file = join(source, 'Chart.yaml');
  if (!existsSync(file)) return undefined;
  const [document] = parseDocuments(await readFile(file), { file });
  return textAt(document?.value, 'name') ?? basename(resolve(source));
}

function deliveryOf(
  source: string,
  chart: string | undefined,
  cluster: readonly string[],
  files: readonly string[] | undefined,
): Delivery {
  const take = ({ definitions }: PlannedStep): PlannedAction[] => {
    const names = definitions
      .filter(({ change }) => change !== 'removed')
      .map(({ name }) => `crd/${name}`);
    const sentence = 'wait until the API server serves the definitions';
    const served = ['wait', '--for=condition=Established', '--timeout=60s', ...names];
    const wait = action('roll-out', sentence, cluster, served);
    const apply = names.length === 0 ? [] : [...applies(source, chart, cluster, files), wait];
    return [...apply, rollOut(source, chart, cluster)];
  };
  return { cluster, hold: [], before: [], take };
}

/** Helm never updates what is in `crds/`; templates belong to the release. */
function applies(
  source: string,
  chart: string | undefined,
  cluster: readonly string[],
  files: readonly string[] | undefined,
): PlannedAction[] {
  if (chart !== undefined && !existsSync(join(source, 'crds'))) return [];
  const apply = (...from: readonly string[]): string =>
    shellCommand('kubectl', ...cluster, 'apply', '--server-side', ...from);
  const command =
    chart !== undefined
      ? `${shellCommand('helm', 'show', 'crds', source)} | ${apply('-f', '-')}`
      : appliedFrom(source, apply, files);
  const sentence =
    chart === undefined
      ? 'apply the definitions'
      : 'apply the definitions of crds/, which helm upgrade leaves as they are';
  return [{ kind: 'apply', sentence, command, isNeeded: false }];
}

function appliedFrom(
  source: string,
  apply: (...from: readonly string[]) => string,
  /** Files of a bundle that have definitions. */
  files: readonly string[] | undefined,
): string | undefined {
  const [, reference, path = ''] = /^git:([^:]+):(.*)$/s.exec(source) ?? [];
  if (reference !== undefined) {
    // A folder of a commit is no stream of manifests.
    if (!/\.(ya?ml|json)$/.test(path)) return undefined;
    return `${shellCommand('git', 'show', `${reference}:${path}`)} | ${apply('-f', '-')}`;
  }
  if (source === '-') return undefined;
  const isKustomized =
    statSync(source).isDirectory() &&
    ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].some(
      (name) => isKustomization(name) && existsSync(join(source, name)),
    );
  if (isKustomized) return apply('-k', source);
  // kubectl has no use for its metadata, nor the API server for its ClusterServiceVersion.
  if (files !== undefined) return apply(...files.flatMap((file) => ['-f', file]));
  return apply(...(statSync(source).isDirectory() ? ['-R'] : []), '-f', source);
}

function rollOut(
  source: string,
  chart: string | undefined,
  cluster: readonly string[],
): PlannedAction {
  if (chart === undefined) {
    return { kind: 'roll-out', sentence: 'roll out the new release', isNeeded: false };
  }
  const words = cluster.map((word) => (word === '--context' ? '--kube-context' : word));
  const sentence = `upgrade the release (its name is taken to be ${chart})`;
  const command = shellCommand('helm', 'upgrade', chart, source, ...words);
  return { kind: 'roll-out', sentence, command, isNeeded: false };
}

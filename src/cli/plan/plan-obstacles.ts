/** Obstacles to an upgrade on the cluster: from a scan of what is there already. */
import { type Policy, ruleNamed } from '../../policy/index.js';
import { ClusterError, type ClusterView, type OlmState } from '../../cluster/index.js';
import type { Finding, Verdict } from '../../rule/index.js';
import { bypassInForce, readCsv } from '../../olm/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { textsAt } from '../../text/documents/fields.js';
import type { Obstacle } from '../../report/index.js';
import { definitions } from '../options/crd-source.js';
import { namesCluster } from '../options/cluster-option.js';
import { openState } from '../options/olm-source.js';
import type { PlanQuestion } from './plan-actions.js';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellCommand } from '../../text/shell-command.js';
import { decideBundle, judgeBundle, openBundle } from '../check/check-bundle.js';
import type { ComparedSources } from '../check/compared-sources.js';
import { readSourceWithWarnings } from '../options/skipped-files.js';

/** A plan reads files: which cluster it asks is never a matter of the environment. */
export function noCluster(): string {
  const named =
    (process.env['KUBECONFIG'] ?? '') === ''
      ? 'no cluster is named (--kubeconfig FILE or --state FOLDER)'
      : 'the cluster of KUBECONFIG is not asked unless it is named (--kubeconfig "$KUBECONFIG")';
  return `${named}: which objects are stored, and in which versions; OperatorGroups, Subscriptions, InstallPlans and catalogs`;
}

/** The state of OLM for as long as `work` takes; undefined where no cluster is named. */
export async function withState<Result>(
  question: PlanQuestion,
  work: (state: OlmState | undefined) => Promise<Result>,
): Promise<Result> {
  if (!namesCluster(question)) return work(undefined);
  const state = await openState(question, { watch: false });
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

/** The versions in which a cluster may store objects, by the names of its definitions. */
export async function installedVersions(
  view: ClusterView | undefined,
  names: readonly string[],
): Promise<{
  readonly stored: Map<string, readonly string[]>;
  readonly unchecked: readonly string[];
}> {
  const stored = new Map<string, readonly string[]>();
  if (view === undefined) return { stored, unchecked: [] };
  try {
    for (const name of names) {
      const versions = textsAt(await view.get(definitions, name), 'status', 'storedVersions');
      if (versions.length > 0) stored.set(name, versions);
    }
    return { stored, unchecked: [] };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { stored, unchecked: [`in which versions objects are stored: ${error.message}`] };
  }
}

/** Namespaces with an operator of one of these definitions. */
export function namespacesOwning(state: OlmState, names: ReadonlySet<string>): Set<string> {
  const owners = [...state.objects('ClusterServiceVersion')]
    .map(readCsv)
    .filter(({ ownedCrds }) => ownedCrds.some(({ name }) => names.has(name)));
  return new Set(owners.map(({ namespace }) => namespace));
}

export interface ObstacleOptions {
  /** Objects as they will be, by those that are there. */
  readonly planned?: ReadonlyMap<JsonObject, JsonObject> | undefined;
  /** Definitions that a step of the plan says it breaks: that the next bundle does is not repeated. */
  readonly blocked?: ReadonlySet<string>;
}

/** @param isConcerned whether the upgrade has to do with an object */
export async function obstaclesOf(
  state: OlmState,
  policy: Policy,
  isConcerned: (object: NonNullable<Finding['object']>) => boolean,
  { planned, blocked }: ObstacleOptions = {},
): Promise<{ readonly obstacles: readonly Obstacle[]; readonly unchecked: readonly string[] }> {
  const { scan } = await import('../../checks/cluster-scan/scan.js');
  const { results, unchecked } = await scan(state, { policy, now: new Date(), planned });
  const obstacles = results
    .filter(({ verdict }) =>
      verdict.findings.some(({ object }) => object !== undefined && isConcerned(object)),
    )
    .flatMap(({ name, verdict }) => obstaclesIn(name, verdict, blocked));
  return { obstacles: routeFirst(obstacles), unchecked };
}

const installFailures = new Set(['SubscriptionInstallFails', 'ClusterExtensionInstallFails']);

export function obstaclesIn(
  object: string,
  { allowed, findings }: Verdict,
  blocked: ObstacleOptions['blocked'] = new Set(),
): Obstacle[] {
  return (
    findings
      .filter(
        ({ rule, id, data }) =>
          !(
            installFailures.has(rule) &&
            id === 'breaks' &&
            blocked.has(String(data?.['definition']))
          ),
      )
      // A switch-off is reported, though nothing is wrong with it.
      .filter(({ severity, rule }) => severity !== 'info' || rule === bypassInForce.id)
      .map(({ severity, rule, message, fix }) => ({
        object,
        ...(typeof fix === 'string' && {
          instead: fix.replace(/^[a-z]/, (first) => first.toUpperCase()),
        }),
        isInTheWay: (!allowed && severity === 'error') || ruleNamed(rule)?.blocksUpgrade === true,
        rule,
        message,
      }))
  );
}

/** Rules that find only what follows from another one's finding, in one namespace. */
const consequences: Readonly<Record<string, readonly string[]>> = {
  // Found for each step.
  BlocksClusterUpgrade: ['SubscriptionLimitsCluster'],
  CatalogSourceMissing: ['ResolutionConflict'],
  CatalogUnhealthy: ['CatalogSourcesUnhealthy', 'ResolutionPrevented'],
  MultipleOperatorGroups: [
    ...['TooManyOperatorGroups', 'SubscriptionOperatorGroup', 'ResolutionPrevented'],
  ],
  SubscriptionOperatorGroup: ['NoOperatorGroup', 'ResolutionPrevented'],
  SubscriptionUnownedOperator: ['ResolutionConflict'],
  UpgradePath: ['SubscriptionDeadEnd'],
  ...Object.fromEntries(
    ['Channel', 'Forcing', 'Package', 'Unresolvable', 'UpgradePath', 'Version'].map((each) => [
      `ClusterExtension${each}`,
      ['UpgradePath'],
    ]),
  ),
  ResolutionConflict: ['SubscriptionPackage', 'SubscriptionChannel', 'SubscriptionStartingCSV'],
};

/** Each cause by itself and once, without what it entails. */
export function causesAmong(obstacles: readonly Obstacle[]): Obstacle[] {
  const entailed = new Set(obstacles.flatMap(({ rule }) => consequences[rule] ?? []));
  const said = new Map(obstacles.map((each) => [`${each.object} ${each.message}`, each]));
  return [...said.values()].filter(({ rule }) => !entailed.has(rule));
}

/** Subscriptions last: what is wrong with them often is the fault of a group or a catalog. */
const kinds = ['OperatorGroup', 'CatalogSource', 'ClusterServiceVersion', 'InstallPlan'];

/** Obstacles in the way before those that only inform, and causes before their effects. */
export function routeFirst(obstacles: readonly Obstacle[]): Obstacle[] {
  const rank = ({ object, isInTheWay }: Obstacle): number => {
    const kind = kinds.findIndex((each) => object.startsWith(`${each} `));
    return (isInTheWay ? 0 : kinds.length + 1) + (kind < 0 ? kinds.length : kind);
  };
  return obstacles.toSorted((one, other) => rank(one) - rank(other));
}

/** A folder with `manifests/` and `metadata/annotations.yaml`, also one of a commit. */
export async function isBundle(source: string): Promise<boolean> {
  if (!source.startsWith('git:')) {
    return (
      existsSync(join(source, 'manifests')) && existsSync(join(source, 'metadata/annotations.yaml'))
    );
  }
  const paths = (await readSourceWithWarnings(source)).map(({ path }) => path);
  const has = (part: RegExp): boolean => paths.some((path) => part.test(path));
  return has(/(^|\/)manifests\/[^/]+$/) && has(/(^|\/)metadata\/annotations\.ya?ml$/);
}

/** The bundle whose manifests these are; undefined where its metadata is not beside them. */
export async function bundleOf(manifests: string | undefined): Promise<string | undefined> {
  if (manifests === undefined) return undefined;
  const folder = dirname(manifests);
  return (await isBundle(folder)) ? folder : undefined;
}

/** Leaves out definitions, which the steps of the plan report. */
export async function bundleObstacles(
  { old, new: next }: ComparedSources,
  { policy, minors, given }: PlanQuestion,
): Promise<{ readonly obstacles: readonly Obstacle[]; readonly unchecked: readonly string[] }> {
  if (!(await isBundle(next))) return { obstacles: [], unchecked: [] };
  const bundle = await openBundle(next);
  const against = (await isBundle(old)) ? await openBundle(old) : undefined;
  const judged = judgeBundle(bundle, policy, { isWhole: true, minors, against });
  const { name, verdict } = await decideBundle(next, bundle, judged, policy);
  const findings = verdict.findings.filter(({ rule }) => ruleNamed(rule)?.subject === 'bundle');
  const command = shellCommand(
    ...['olm-guard', 'check', 'bundle', next],
    ...(against === undefined ? [] : ['--against', old]),
    ...given,
  );
  return {
    obstacles: obstaclesIn(`bundle ${name}`, { ...verdict, findings }).map((each) => ({
      ...each,
      command,
    })),
    unchecked: judged.unchecked,
  };
}

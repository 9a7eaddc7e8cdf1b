import type { TargetMinors } from '../../kubernetes/index.js';
import type { Policy } from '../../policy/index.js';
import type { UpgradePlan } from '../../report/index.js';
import type { ClusterOptions } from '../options/cluster-option.js';
import type { NetworkOptions } from '../options/network-option.js';
import { shellCommand } from '../../text/shell-command.js';
import type { Delivery } from './plan-actions.js';

export interface PlanQuestion extends ClusterOptions, NetworkOptions {
  readonly policy: Policy;
  readonly minors: TargetMinors;
  /** The options of every check, as they were given. */
  readonly given: readonly string[];
}

export interface FoundPlan extends Omit<UpgradePlan, 'headline' | 'isClear' | 'actions'> {
  readonly delivery: Delivery;
  /** Show why a step is denied, by what it leads to. */
  readonly commands: ReadonlyMap<string, string | undefined>;
}

/** How the commands of a plan reach the cluster that it was asked about. */
export function describeCluster({ kubeconfig, context }: ClusterOptions): string[] {
  return [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
}

/** Shows why a step is denied; undefined where a source cannot be read again. */
export function comparison(
  old: string | undefined,
  next: string | undefined,
  { given, state, network, ...question }: PlanQuestion,
): string | undefined {
  if (old === undefined || next === undefined || old === '-' || next === '-') return undefined;
  const cluster = [
    ...describeCluster(question),
    ...(state === undefined ? [] : ['--state', state]),
  ];
  return shellCommand(
    ...['olm-guard', 'check', 'crd', old, next, ...given, ...cluster],
    ...(cluster.length === 0 && !old.startsWith('cluster:') ? [] : ['--objects', 'cluster']),
    ...(network === true ? ['--network'] : []),
  );
}

export interface PackageQuestion extends PlanQuestion {
  readonly package: string;
  readonly from?: string;
  readonly to?: string;
  readonly channel?: string;
  readonly namespace?: string;
  readonly catalog: readonly string[];
  readonly bundles?: string;
  readonly v1?: true;
  readonly classic?: true;
}

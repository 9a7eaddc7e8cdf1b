import type { TargetMinors } from '../../kubernetes/index.js';
import type { Policy } from '../../policy/index.js';
import type { UpgradePlan } from '../../report/index.js';
import type { ClusterOptions } from '../options/cluster-option.js';
import type { NetworkOptions } from '../options/network-option.js';
import type { Delivery } from './plan-actions.js';

export interface PlanQuestion extends ClusterOptions, NetworkOptions {
  readonly policy: Policy;
  readonly minors: TargetMinors;
}

export interface FoundPlan extends Omit<UpgradePlan, 'headline' | 'isClear' | 'actions'> {
  readonly delivery: Delivery;
}

/** How the commands of a plan reach the cluster that it was asked about. */
export function describeCluster({ kubeconfig, context }: ClusterOptions): string[] {
  return [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
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

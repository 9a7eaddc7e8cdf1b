/** What a plan is asked, and what the ways to a release answer with. */
import type { AskedMinors } from '../../../definition/index.js';
import type { Policy } from '../../../check/policy.js';
import type { UpgradePlan } from '../../report/upgrade-plan/plan.js';
import type { ClusterOptions } from '../options/cluster-option.js';
import type { Delivery } from './plan-actions.js';

export interface PlanQuestion extends ClusterOptions {
  readonly policy: Policy;
  readonly minors: AskedMinors;
}

export interface FoundPlan extends Omit<UpgradePlan, 'headline' | 'isClear' | 'actions'> {
  readonly delivery: Delivery;
}

/** How the commands of a plan reach the cluster that it was asked about. */
export function clusterWords({ kubeconfig, context }: ClusterOptions): string[] {
  return [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
}

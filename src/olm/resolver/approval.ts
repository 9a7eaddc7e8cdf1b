/**
 * Whether an InstallPlan waits for a person, and what it would bring.
 * Rule: `syncResolvingNamespace` of OLM classic: all steps of a namespace go into one InstallPlan, and
 * that is Manual when any Subscription of the namespace is.
 */
import type { ChosenOperator } from './explain-solution.js';
import type { SubscriptionState } from './namespace.js';

export interface Approval {
  /** The Subscriptions that make the plan wait. */
  readonly manual: readonly string[];
  /** Operators installed for them, once approved. */
  readonly waitsFor: readonly string[];
  /** Other operators of the same plan: an approval covers them too. */
  readonly carries: readonly string[];
  readonly sentence: string;
}

/** Undefined when nothing waits. */
export function approvalOf(
  subscriptions: readonly SubscriptionState[],
  operators: readonly ChosenOperator[],
): Approval | undefined {
  const manual = subscriptions.filter((each) => each.installPlanApproval === 'Manual');
  const steps = operators.filter(({ action }) => action !== 'keep');
  if (manual.length === 0 || steps.length === 0) return undefined;
  const packages = new Set(manual.map((each) => each.package));
  const named = (isTheirs: boolean): string[] =>
    steps.filter((step) => packages.has(step.package) === isTheirs).map(({ name }) => name);
  const [waitsFor, carries] = [named(true), named(false)];
  const names = manual.map(({ name }) => name);
  const who = `${names.length === 1 ? 'Subscription' : 'Subscriptions'} ${names.join(', ')} with approval Manual`;
  const sentence =
    waitsFor.length === 0
      ? `It all waits for approval, because of ${who}: the InstallPlan carries ${carries.join(', ')}.`
      : `It waits for approval of ${waitsFor.join(', ')} (${who})${
          carries.length === 0 ? '' : `; the same InstallPlan carries ${carries.join(', ')}`
        }.`;
  return { manual: names, waitsFor, carries, sentence };
}

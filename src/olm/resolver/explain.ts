import type { Cause } from './cause.js';
import { explainConflict } from './explain-conflict.js';
import { type ChosenOperator, explainSolution } from './explain-solution.js';
import type { NamespaceState, SubscriptionState } from './namespace.js';
import { findChanges, type Change } from './remedies.js';
import type { LoadedCatalogs, Resolution } from './resolve.js';

export type Explanation =
  | {
      readonly kind: 'solution';
      readonly summary: string;
      readonly operators: readonly ChosenOperator[];
      /** Where nothing happens before a person approves it. */
      readonly approval?: Approval;
    }
  | {
      readonly kind: 'conflict';
      readonly summary: string;
      /** None of these can be left out. */
      readonly conflict: readonly string[];
      /** Each was tried, and the namespace then resolves. */
      readonly changes: readonly Change[];
    }
  | {
      readonly kind: 'error';
      readonly summary: string;
      readonly places: readonly string[];
      readonly remedies: readonly string[];
    }
  | { readonly kind: 'gave-up'; readonly summary: string };

/** `loaded` must be what the resolution was made from. */
export function explain(
  state: NamespaceState,
  resolution: Resolution,
  loaded: LoadedCatalogs,
): Explanation {
  const { outcome, problem, solution, universe } = resolution;
  if (problem === undefined || solution === undefined || universe === undefined) {
    const summary = `Nothing in namespace ${state.namespace} can be installed or upgraded: ${outcome.ok ? '' : outcome.error}.`;
    return {
      kind: 'error',
      summary,
      places: resolution.places ?? [],
      remedies: resolution.remedies ?? [],
    };
  }
  switch (solution.kind) {
    case 'solution': {
      const operators = explainSolution(universe, problem, solution);
      const approval = approvalOf(state.subscriptions ?? [], operators);
      const steps = summarise(state.namespace, operators);
      return approval === undefined
        ? { kind: 'solution', summary: steps, operators }
        : { kind: 'solution', summary: `${steps} ${approval.sentence}`, operators, approval };
    }
    case 'contradiction': {
      const causes = causesOf(resolution);
      const conflict = explainConflict(causes, universe);
      const changes = findChanges(state, loaded, causes, universe);
      const [first] = changes;
      const hint = first === undefined ? '' : ` What would help: ${first.sentence}`;
      const summary = `Nothing in namespace ${state.namespace} can be installed or upgraded: ${conflict.join(' ')}${hint}`;
      return { kind: 'conflict', summary, conflict, changes };
    }
    case 'gave-up':
      return {
        kind: 'gave-up',
        summary: `The dependencies of namespace ${state.namespace} are too entangled to be resolved here: gave up after ${solution.conflicts} conflicts; OLM may still find an answer.`,
      };
  }
}

/** The constraints of the minimal conflict, if that is how it ended. */
export function causesOf({ core, problem }: Resolution): readonly Cause[] {
  return [...new Set((core ?? []).flatMap((index) => problem?.causeOf(index) ?? []))];
}

function summarise(namespace: string, operators: readonly ChosenOperator[]): string {
  const count = (action: ChosenOperator['action']): string[] =>
    operators.filter((operator) => operator.action === action).map(({ name }) => name);
  const [all, upgrades, running] = [count('install'), count('upgrade'), count('keep')];
  // OLM does not know the package of what runs, and takes the bundle of that name for another operator.
  const again = all.filter((name) => running.includes(name));
  const [installs = [], kept = []] = [all, running].map((names) =>
    names.filter((it) => !again.includes(it)),
  );
  const parts = [
    again.length === 0
      ? ''
      : `plans to install ${again.join(', ')}, which is there already: it does not know the package of what runs`,
    installs.length === 0 ? '' : `installs ${installs.join(', ')}`,
    upgrades.length === 0 ? '' : `upgrades to ${upgrades.join(', ')}`,
    kept.length === 0 ? '' : `keeps ${kept.join(', ')}`,
  ].filter((part) => part !== '');
  return parts.length === 0
    ? `There is nothing to do in namespace ${namespace}.`
    : `In namespace ${namespace} OLM ${parts.join(', ')}.`;
}

export interface Approval {
  /** The Subscriptions that make the plan wait. */
  readonly manual: readonly string[];
  /** Operators installed for them, once approved. */
  readonly waitsFor: readonly string[];
  /** Other operators of the same plan: an approval covers them too. */
  readonly carries: readonly string[];
  readonly sentence: string;
}

/** All steps of a namespace are one InstallPlan, Manual if any Subscription is. Rule: `syncResolvingNamespace`. */
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

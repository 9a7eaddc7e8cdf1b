/** The next InstallPlan, or why there is none. Rule: `ResolveSteps` and `Resolve` of OLM classic (v0.46.0). */
import type { SearchedCatalog } from './catalog.js';
import { compareValues, groupBy } from '../../text/group.js';
import { type NamespaceProblem, reasonText, type WaivedDependency } from './cause.js';
import type { Semantics } from './constraint.js';
import type { Entry } from './entry.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import { loadCatalog } from './load-catalog.js';
import { loadInstalled } from './installed.js';
import { conflictBudget, minimiseCore, solve } from './solver.js';
import {
  type CatalogState,
  excludeGlobal,
  type NamespaceState,
  type SubscriptionState,
} from './namespace.js';
import { aggregate, buildProblem } from './problem.js';
import { Requirements } from './requirement.js';
import type { Solution } from './satisfiability.js';
import { Universe } from './universe.js';

interface PlannedOperator {
  readonly name: string;
  readonly package: string;
  readonly channel: string;
  readonly catalog: string;
  readonly catalogNamespace: string;
  readonly replaces?: string;
}

interface NewSubscription {
  readonly name: string;
  readonly package: string;
  readonly channel: string;
  readonly catalog: string;
  readonly catalogNamespace: string;
  readonly startingCSV: string;
}

export type Outcome =
  | {
      readonly ok: true;
      /** The solver's choice from catalogs, installed or not. */
      readonly resolved: readonly PlannedOperator[];
      /** Operators to install: `resolved` without those that its subscriptions already have. */
      readonly installPlan: readonly PlannedOperator[];
      readonly newSubscriptions: readonly NewSubscription[];
      readonly updatedSubscriptions: readonly {
        readonly name: string;
        readonly currentCSV: string;
      }[];
    }
  | {
      readonly ok: false;
      /** Always empty. */
      readonly installPlan: readonly PlannedOperator[];
      readonly error: string;
      readonly errorKind: 'ConstraintsNotSatisfiable' | 'ErrorPreventedResolution' | 'GaveUp';
      readonly failureReasons: readonly string[];
    };

export interface Resolution {
  readonly outcome: Outcome;
  readonly problem?: NamespaceProblem;
  readonly solution?: Solution;
  /** Indexes of the constraints of one minimal conflict. */
  readonly core?: readonly number[];
  readonly universe?: Universe;
  readonly places?: readonly string[];
  readonly remedies?: readonly string[];
}

/** Catalogs read and indexed once, for any number of resolutions. */
export interface LoadedCatalogs {
  readonly requirements: Requirements;
  readonly catalogs: readonly SearchedCatalog[];
  readonly size: number;
}

export function loadCatalogs(
  states: readonly CatalogState[],
  semantics: Semantics = 'olm',
): LoadedCatalogs {
  const requirements = new Requirements(semantics);
  const catalogs: SearchedCatalog[] = [];
  let size = 0;
  for (const state of states) {
    const catalog = loadCatalog(state, requirements, size);
    catalogs.push(catalog);
    size += catalog.entries.length;
  }
  return { requirements, catalogs, size };
}

export interface ResolveOptions {
  readonly budget?: number;
  readonly waived?: WaivedDependency;
  /** A catalog of another namespace, as if this one saw it. */
  readonly shown?: SearchedCatalog;
}

/** `loaded` must come from the state's own catalogs and semantics. */
export function resolve(
  state: NamespaceState,
  loaded: LoadedCatalogs = loadCatalogs(state.catalogs ?? [], state.semantics ?? 'olm'),
  options: ResolveOptions = {},
): Resolution {
  let universe: Universe | undefined;
  try {
    universe = universeOf(state, loaded, options.shown);
    const subscriptions = subscriptionsOf(state);
    const problem = buildProblem(universe, subscriptions, loaded.requirements, options.waived);
    const solution = solve(problem, options.budget ?? conflictBudget);
    switch (solution.kind) {
      case 'solution': {
        const outcome = succeed(state, universe, problem, solution);
        return { outcome, problem, solution, universe };
      }
      case 'contradiction': {
        const core = minimiseCore(problem, solution.core);
        return { outcome: fail(problem, core), problem, solution, core, universe };
      }
      case 'gave-up': {
        const outcome = failed('GaveUp', `gave up after ${solution.conflicts} conflicts`);
        return { outcome, problem, solution, universe };
      }
    }
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    const { message, places, remedies } = error;
    const outcome = failed('ErrorPreventedResolution', message);
    return { outcome, places, remedies, ...(universe && { universe }) };
  }
}

function subscriptionsOf({ namespace, subscriptions }: NamespaceState): SubscriptionState[] {
  return (subscriptions ?? [])
    .filter((subscription) => subscription.namespace === namespace)
    .sort((a, b) => compareValues(a.name, b.name));
}

function universeOf(
  state: NamespaceState,
  loaded: LoadedCatalogs,
  shown?: SearchedCatalog,
): Universe {
  const { namespace } = state;
  const groups = (state.operatorGroups ?? []).filter((group) => group.namespace === namespace);
  const [group] = groups;
  if (group === undefined || groups.length > 1) {
    throw new ResolutionError(`expected 1 OperatorGroup in the namespace, found ${groups.length}`);
  }
  const annotations = new Map(Object.entries(group.annotations ?? {}));
  const namespaces = new Set([namespace]);
  if (annotations.get(excludeGlobal) !== 'true') namespaces.add(state.globalCatalogNamespace);
  const installed = loadInstalled(state, loaded.requirements, loaded.size);
  const visible = loaded.catalogs.filter(
    (catalog) => catalog === shown || namespaces.has(catalog.key.namespace),
  );
  return new Universe(namespace, installed, visible);
}

function succeed(
  state: NamespaceState,
  universe: Universe,
  problem: NamespaceProblem,
  solution: Solution & { kind: 'solution' },
): Outcome {
  const chosen = solution.picks
    .flatMap(({ variable }) => problem.entries[variable] ?? [])
    .filter(({ installed }) => !installed)
    .sort((a, b) => compareValues(a.name, b.name) || compareValues(a.id, b.id));
  const ambiguous = chosen
    .map((entry) => universe.twins(entry)?.length ?? 1)
    .filter((count) => count !== 1);
  if (ambiguous.length > 0) {
    throw aggregate(ambiguous.map((count) => `expected exactly one operator, got ${count}`));
  }
  const subscriptions = subscriptionsOf(state);
  const ofPackage = groupBy(subscriptions, (it) => it.package);
  const running = new Set(
    (state.installedCSVs ?? [])
      .filter(({ namespace }) => namespace === state.namespace)
      .map(({ name }) => name),
  );
  const currentCsv = new Map(subscriptions.map((it) => [it, it.currentCSV ?? '']));
  const installPlan: PlannedOperator[] = [];
  const newSubscriptions: NewSubscription[] = [];
  const updatedSubscriptions: { name: string; currentCSV: string }[] = [];
  for (const entry of chosen) {
    const matching = (ofPackage.get(entry.package) ?? []).filter((it) => means(it, entry));
    const upToDate = matching.every((it) => {
      const current = currentCsv.get(it) ?? '';
      return current === entry.name && running.has(current);
    });
    if (matching.length > 0 && upToDate) continue;
    installPlan.push(planned(entry, problem));
    if (matching.length === 0) newSubscriptions.push(subscriptionFor(entry));
    for (const subscription of matching) {
      if (currentCsv.get(subscription) === entry.name) continue;
      currentCsv.set(subscription, entry.name);
      updatedSubscriptions.push({ name: subscription.name, currentCSV: entry.name });
    }
  }
  return {
    ok: true,
    resolved: chosen.map((entry) => planned(entry, problem)),
    installPlan,
    newSubscriptions: newSubscriptions.sort((a, b) => compareValues(a.name, b.name)),
    updatedSubscriptions: updatedSubscriptions.sort((a, b) => compareValues(a.name, b.name)),
  };
}

function means(subscription: SubscriptionState, entry: Entry): boolean {
  const { catalog, catalogNamespace } = subscription;
  const channel = subscription.channel ?? '';
  return (
    (channel === '' || channel === entry.channel) &&
    ((catalog === '' && catalogNamespace === '') ||
      (catalog === entry.catalog.name && catalogNamespace === entry.catalog.namespace))
  );
}

function planned(entry: Entry, problem: NamespaceProblem): PlannedOperator {
  const replaces = problem.replaced.get(entry.id) ?? entry.replaces;
  return {
    name: entry.name,
    package: entry.package,
    channel: entry.channel,
    catalog: entry.catalog.name,
    catalogNamespace: entry.catalog.namespace,
    ...(replaces === '' ? {} : { replaces }),
  };
}

function subscriptionFor({ name, package: packageName, channel, catalog }: Entry): NewSubscription {
  return {
    name: [packageName, channel, catalog.name, catalog.namespace].join('-'),
    package: packageName,
    channel,
    catalog: catalog.name,
    catalogNamespace: catalog.namespace,
    startingCSV: name,
  };
}

function fail(problem: NamespaceProblem, core: readonly number[]): Outcome {
  const causes = new Set(core.flatMap((index) => problem.causeOf(index) ?? []));
  const reasons = [...causes].map(reasonText).sort(compareValues);
  const error = `constraints not satisfiable: ${reasons.join(', ')}`;
  return failed('ConstraintsNotSatisfiable', error, reasons);
}

function failed(
  errorKind: (Outcome & { ok: false })['errorKind'],
  error: string,
  failureReasons: readonly string[] = [],
): Outcome {
  return { ok: false, installPlan: [], error, errorKind, failureReasons };
}

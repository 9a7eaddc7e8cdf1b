/** Least invasive first. Every change is tried: only what resolves is offered. */
import type { SearchedCatalog } from './catalog.js';
import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import type { NamespaceState, SubscriptionState } from './namespace.js';
import { packagePredicate } from './predicate.js';
import { asking, type Requirement } from './requirement.js';
import { resolve, type LoadedCatalogs, type Outcome } from './resolve.js';
import type { Universe } from './universe.js';

export interface Change {
  readonly kind:
    | 'remove-pin'
    | 'widen-range'
    | 'change-channel'
    | 'change-catalog'
    | 'show-catalog'
    | 'own-csv'
    | 'remove-csv'
    | 'remove-subscription'
    | 'remove-catalog';
  readonly sentence: string;
  /** Operators that would then be installed. */
  readonly installs: readonly string[];
}

interface Trial {
  readonly kind: Change['kind'];
  readonly sentence: (outcome: Outcome & { ok: true }) => string | undefined;
  readonly state?: NamespaceState;
  readonly shown?: SearchedCatalog;
  readonly waive?: { readonly entry: Entry; readonly requirement: Requirement };
}

const trials = 14;
const offered = 4;
const trialBudget = 1_000;

export function findChanges(
  state: NamespaceState,
  loaded: LoadedCatalogs,
  causes: readonly Cause[],
  universe: Universe,
): Change[] {
  const found: Change[] = [];
  for (const trial of candidates(state, loaded, causes, universe).slice(0, trials)) {
    if (found.length === offered) break;
    const { outcome } = resolve(trial.state ?? state, loaded, {
      budget: trialBudget,
      shown: trial.shown,
      ...(trial.waive === undefined ? {} : { waived: substitute(trial.waive) }),
    });
    if (!outcome.ok) continue;
    const sentence = trial.sentence(outcome);
    if (sentence === undefined || found.some((change) => change.sentence === sentence)) continue;
    const installs = outcome.installPlan.map(({ name }) => name);
    found.push({ kind: trial.kind, sentence, installs });
  }
  return found;
}

function candidates(
  state: NamespaceState,
  loaded: LoadedCatalogs,
  causes: readonly Cause[],
  universe: Universe,
): Trial[] {
  const subscriptions = new Set(
    causes.flatMap((cause) => ('subscription' in cause ? [cause.subscription] : [])),
  );
  const unsubscribed = causes.flatMap((it) => (it.kind === 'unsubscribed-csv' ? [it.entry] : []));
  const needs = causes.flatMap((cause) => (cause.kind === 'requires' ? [cause] : []));
  return [
    ...[...subscriptions].flatMap((subscription) => withoutPin(state, subscription)),
    ...needs.flatMap((cause) => widerRange(cause)),
    ...[...subscriptions].flatMap((subscription) => otherChannels(state, subscription, universe)),
    ...hiddenCatalogs(state, loaded, causes, universe),
    ...unsubscribed.flatMap((entry) => [
      ...ownedCsv(state, entry, universe),
      removedCsv(state, entry),
    ]),
    ...[...subscriptions].map((subscription) => withoutSubscription(state, subscription)),
  ];
}

function substitute({ entry, requirement }: NonNullable<Trial['waive']>) {
  const found = rangeIn(requirement);
  const widened =
    found &&
    asking(
      requirement,
      packagePredicate(found.name, 'any', () => true),
    );
  return (owner: Entry, given: Requirement): Requirement | undefined | 'keep' =>
    owner.bundle === entry.bundle && given === requirement ? widened : 'keep';
}

/** Undefined for a requirement that is no package range. */
function rangeIn(requirement: Requirement) {
  const predicate = requirement.read().predicate;
  const [first, second] = predicate.kind === 'all' ? predicate.parts : [];
  if (first?.kind !== 'package' || second?.kind !== 'version') return undefined;
  return { name: first.name, range: second.range };
}

function widerRange({ entry, requirement }: Cause & { kind: 'requires' }): Trial[] {
  const found = rangeIn(requirement);
  if (found === undefined) return [];
  return [
    {
      kind: 'widen-range',
      waive: { entry, requirement },
      sentence: ({ resolved }) => {
        const met = resolved.find((operator) => operator.package === found.name);
        const what = met === undefined ? 'what is installed' : met.name;
        return `Widen the range of ${entry.name} on package ${found.name} (now ${found.range}) so that it takes ${what}.`;
      },
    },
  ];
}

function withoutPin(state: NamespaceState, subscription: SubscriptionState): Trial[] {
  const { name, startingCSV } = subscription;
  if ((startingCSV ?? '') === '') return [];
  return [
    {
      kind: 'remove-pin',
      state: replaceSubscription(state, subscription, { ...subscription, startingCSV: '' }),
      sentence: () => `Remove startingCSV ${startingCSV ?? ''} from subscription ${name}.`,
    },
  ];
}

function otherChannels(
  state: NamespaceState,
  subscription: SubscriptionState,
  universe: Universe,
): Trial[] {
  const { name, channel } = subscription;
  const visible = universe
    .entries()
    .filter((it) => !it.installed && it.package === subscription.package);
  const seen = new Set([
    `${subscription.catalog}/${subscription.catalogNamespace}/${channel ?? ''}`,
  ]);
  return visible.flatMap((entry): Trial[] => {
    const { catalog } = entry;
    const place = `${catalog.name}/${catalog.namespace}/${entry.channel}`;
    if (seen.has(place)) return [];
    seen.add(place);
    const isSameCatalog =
      catalog.name === subscription.catalog && catalog.namespace === subscription.catalogNamespace;
    const changed = {
      ...subscription,
      channel: entry.channel,
      catalog: catalog.name,
      catalogNamespace: catalog.namespace,
    };
    return [
      {
        kind: isSameCatalog ? 'change-channel' : 'change-catalog',
        state: replaceSubscription(state, subscription, changed),
        sentence: () =>
          isSameCatalog
            ? `Set the channel of subscription ${name} to ${entry.channel}.`
            : `Point subscription ${name} at channel ${entry.channel} of catalog ${catalog.name} in ${catalog.namespace}.`,
      },
    ];
  });
}

function hiddenCatalogs(
  state: NamespaceState,
  loaded: LoadedCatalogs,
  causes: readonly Cause[],
  universe: Universe,
): Trial[] {
  const isMissing = causes.some(
    (cause) =>
      cause.kind === 'subscription-invalid' ||
      (cause.kind === 'requires' && cause.candidates.length === 0),
  );
  if (!isMissing) return [];
  return loaded.catalogs
    .filter((catalog) => universe.catalog(catalog.key) === undefined)
    .map((catalog) => [catalog, catalog.key] as const)
    .map(([shown, key]) => ({
      kind: 'show-catalog',
      shown,
      sentence: ({ resolved }) =>
        resolved.some((it) => it.catalog === key.name && it.catalogNamespace === key.namespace)
          ? `Make catalog ${key.name} of namespace ${key.namespace} visible here, for instance by a CatalogSource of its own in namespace ${state.namespace}.`
          : undefined,
    }));
}

function ownedCsv(state: NamespaceState, entry: Entry, universe: Universe): Trial[] {
  const origin = universe.entries().find((it) => !it.installed && it.name === entry.name);
  if (origin === undefined) return [];
  const subscription: SubscriptionState = {
    name: origin.package,
    namespace: state.namespace,
    package: origin.package,
    channel: origin.channel,
    catalog: origin.catalog.name,
    catalogNamespace: origin.catalog.namespace,
    installedCSV: entry.name,
    currentCSV: entry.name,
  };
  if ((state.subscriptions ?? []).some(({ name }) => name === subscription.name)) return [];
  return [
    {
      kind: 'own-csv',
      state: { ...state, subscriptions: [...(state.subscriptions ?? []), subscription] },
      sentence: () =>
        `Add a subscription to package ${origin.package}, channel ${origin.channel} of catalog ${origin.catalog.name}, that owns ${entry.name} (status.installedCSV), so that it may be upgraded.`,
    },
  ];
}

function removedCsv(state: NamespaceState, entry: Entry): Trial {
  const keep = (state.installedCSVs ?? []).filter(
    ({ name, namespace }) => name !== entry.name || namespace !== state.namespace,
  );
  const successor = keep.find(({ replaces }) => replaces === entry.name);
  return {
    kind: 'remove-csv',
    state: { ...state, installedCSVs: keep },
    sentence: () =>
      successor === undefined
        ? `Delete ClusterServiceVersion ${entry.name}, which no subscription owns.`
        : `Wait until OLM deletes ClusterServiceVersion ${entry.name}: it does once ${successor.name}, which replaces it, has succeeded.`,
  };
}

function withoutSubscription(state: NamespaceState, subscription: SubscriptionState): Trial {
  const { name, installedCSV } = subscription;
  // Its CSV would otherwise stay behind without a subscription.
  const csvs = (state.installedCSVs ?? []).filter((csv) => csv.name !== installedCSV);
  const without = (state.subscriptions ?? []).filter((it) => it !== subscription);
  const its =
    (installedCSV ?? '') === ''
      ? ''
      : ` together with its ClusterServiceVersion ${installedCSV ?? ''}`;
  return {
    kind: 'remove-subscription',
    state: { ...state, subscriptions: without, installedCSVs: csvs },
    sentence: () => `Delete subscription ${name}${its}; the rest of the namespace then resolves.`,
  };
}

function replaceSubscription(
  state: NamespaceState,
  subscription: SubscriptionState,
  replacement: SubscriptionState,
): NamespaceState {
  const subscriptions = (state.subscriptions ?? []).map((it) =>
    it === subscription ? replacement : it,
  );
  return { ...state, subscriptions };
}

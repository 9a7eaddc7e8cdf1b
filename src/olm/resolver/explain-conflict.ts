import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import { formatApi, type Predicate } from './predicate.js';
import type { Requirement } from './requirement.js';
import type { Universe } from './universe.js';
import { firstNames } from '../../text/shortened.js';
import type { SubscriptionState } from './namespace.js';

/** Subscriptions first, then what runs, what is needed, and what excludes each other. */
const order: Record<Cause['kind'], number> = {
  'subscription-exists': 0,
  'subscription-invalid': 1,
  'subscription-requires': 1,
  'unsubscribed-csv': 2,
  requires: 3,
  forbids: 4,
  deprecated: 5,
  'one-per-package': 6,
  'one-provider': 7,
  replaces: 8,
};

export function explainConflict(causes: readonly Cause[], universe: Universe): string[] {
  const asked = new Set(
    causes.flatMap((cause) =>
      cause.kind === 'subscription-requires' || cause.kind === 'subscription-invalid'
        ? [cause.subscription]
        : [],
    ),
  );
  const sentences = causes
    .toSorted((a, b) => order[a.kind] - order[b.kind])
    .filter((cause) => !(cause.kind === 'subscription-exists' && asked.has(cause.subscription)))
    .map((cause) => sentenceFor(cause, universe));
  return [...new Set(sentences)];
}

export function sentenceFor(cause: Cause, universe: Universe): string {
  switch (cause.kind) {
    case 'subscription-exists':
      return `${describeSubscription(cause.subscription)}.`;
    case 'subscription-invalid':
      return `${describeSubscription(cause.subscription)}, but ${cause.reason.replace(/ referenced by subscription .*$/, '')}.${choicesFor(cause, universe)}`;
    case 'subscription-requires':
      return explainCandidates(cause, universe);
    case 'unsubscribed-csv':
      return `ClusterServiceVersion ${cause.entry.name} runs in the namespace and no subscription owns it, so it must stay as it is.`;
    case 'deprecated':
      return `${describeEntry(cause.entry)} is deprecated (olm.deprecated), and OLM never chooses a deprecated bundle.`;
    case 'requires':
      return explainNeed(cause, universe);
    case 'forbids':
      return `${describeEntry(cause.entry)} allows no chosen bundle that is ${describeNeed(cause.requirement.read().predicate)}, and ${describeEntry(cause.other)} is one.`;
    case 'one-per-package':
      return `A namespace has at most one operator of package ${cause.package}: ${listNames(cause.entries)}.`;
    case 'one-provider':
      return `A namespace has at most one provider of ${cause.api}: ${listNames(cause.entries)}.`;
    case 'replaces':
      return `${describeEntry(cause.entry)} replaces ${cause.current.name}, so they exclude each other.`;
  }
}

function explainCandidates(
  cause: Cause & { kind: 'subscription-requires' },
  universe: Universe,
): string {
  const { subscription, candidates } = cause;
  const asks = describeSubscription(subscription);
  const upgrades = candidates.filter(({ installed }) => !installed);
  const current = candidates.find(({ installed }) => installed);
  if (current === undefined) {
    return upgrades.length === 0
      ? `${asks}, where every entry is skipped by another.`
      : `${asks}; it can be met by ${listNames(upgrades)}.`;
  }
  const channel = subscription.channel ?? '';
  const entries = universe
    .subscribable({ name: subscription.catalog, namespace: subscription.catalogNamespace })
    .flatMap((catalog) => catalog.ofPackage(subscription.package))
    .filter((entry) => channel === '' || entry.channel === channel);
  return upgrades.length === 0
    ? `${asks}; ${current.name} is installed and ${noneOf(entries.length)} upgrades it, so only staying is left.`
    : `${asks}; ${current.name} is installed and can stay or be upgraded to ${listNames(upgrades)}.`;
}

function noneOf(entries: number): string {
  return entries === 1 ? 'no entry of the channel' : `none of the channel's ${entries} entries`;
}

function explainNeed(cause: Cause & { kind: 'requires' }, universe: Universe): string {
  const { entry, requirement, candidates } = cause;
  const predicate = requirement.read().predicate;
  const said = authorSays(requirement);
  const need = `${describeEntry(entry)} needs ${describeNeed(predicate)}.`;
  if (candidates.length > 0) return `${need} Candidates: ${listNames(candidates)}.${said}`;
  return `${need} Nothing meets that${nearMiss(predicate, universe)}.${said}`;
}

/** How many parts of a long list are explained. */
const maxPartMessages = 5;

function authorSays(requirement: Requirement): string {
  const message = requirement.read().failureMessage;
  const parts = requirement.read().partMessages.slice(0, maxPartMessages);
  const quoted = [...(message === '' ? [] : [message]), ...parts].map((each) => `"${each}"`);
  return quoted.length === 0 ? '' : ` Its author says: ${quoted.join(', ')}.`;
}

function nearMiss(predicate: Predicate, universe: Universe): string {
  const all = universe.entries();
  switch (predicate.kind) {
    case 'all': {
      const [first, second] = predicate.parts;
      const isPackage = first?.kind === 'package' && second?.kind === 'version';
      if (predicate.parts.length !== 2 || !isPackage) {
        return ': OLM wants one bundle that meets all parts at once';
      }
      const ofPackage = all.filter((entry) => entry.package === first.name);
      return ofPackage.length === 0
        ? `: no visible catalog has package ${first.name}`
        : `: package ${first.name} exists as ${listNames(ofPackage)}`;
    }
    case 'gvk': {
      const { api } = predicate;
      const provides = (end: string) => (entry: Entry) =>
        entry.bundle.apis.some((key) => key.endsWith(end));
      const exact = all.filter(provides(`${api.group}\n${api.version}\n${api.kind}`));
      if (exact.length > 0) return `: ${listNames(exact)} would, but other entries skip them`;
      const versions = all.filter((entry) =>
        entry.bundle.apis.some(
          (key) => key.startsWith(`${api.group}\n`) && key.endsWith(`\n${api.kind}`),
        ),
      );
      return versions.length === 0
        ? ': no visible catalog provides it in any version'
        : `: other versions of it come from ${listNames(versions)}`;
    }
    default:
      return '';
  }
}

function choicesFor(cause: Cause & { kind: 'subscription-invalid' }, universe: Universe): string {
  const { subscription } = cause;
  const key = { name: subscription.catalog, namespace: subscription.catalogNamespace };
  const entries = universe.subscribable(key).flatMap((it) => it.ofPackage(subscription.package));
  if (entries.length > 0) {
    const channels = [...new Set(entries.map(({ channel }) => channel))].sort();
    return ` The package has the channels ${channels.join(', ')}.`;
  }
  const elsewhere = universe
    .entries()
    .filter((entry) => !entry.installed && entry.package === subscription.package);
  const catalogs = [
    ...new Set(elsewhere.map(({ catalog }) => `${catalog.name} in ${catalog.namespace}`)),
  ];
  return catalogs.length === 0 ? '' : ` The package is in catalog ${catalogs.sort().join(', ')}.`;
}

/** Completes "needs …": `the API K (g/v1)`, `package b in range >=1.0.0`. */
export function describeNeed(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'gvk':
      return `the API ${formatApi(predicate.api)}`;
    case 'package':
      return `package ${predicate.name}`;
    case 'version':
      return `a version in range ${predicate.range}`;
    case 'label':
      return `the label ${predicate.label}`;
    case 'cel':
      return `a bundle for which the rule ${predicate.rule.text} holds`;
    case 'all': {
      const [first, second] = predicate.parts;
      if (first?.kind === 'package' && second?.kind === 'version' && predicate.parts.length === 2) {
        return `package ${first.name} in range ${second.range}`;
      }
      if (predicate.parts.length === 0) return 'any bundle at all';
      if (predicate.parts.length === 1) return predicate.parts.map(describeNeed).join('');
      return `one bundle that is all of: ${predicate.parts.map(describeNeed).join('; ')}`;
    }
    case 'any':
      return predicate.parts.length === 0
        ? 'one of an empty list'
        : predicate.parts.map(describeNeed).join(', or ');
    case 'not':
      return `a bundle that is not: ${predicate.parts.map(describeNeed).join('; ')}`;
  }
}

/** `a.v1.0.0`, with channel and catalog for a bundle of a catalog. */
export function describeEntry(entry: Entry): string {
  if (entry.installed) return `${entry.name} (installed)`;
  const { name, channel, catalog } = entry;
  return `${name} (channel ${channel} of catalog ${catalog.name} in ${catalog.namespace})`;
}

/** At most six names, and how many more there are. */
function listNames(entries: readonly Entry[]): string {
  const names = entries.map((entry) => (entry.installed ? describeEntry(entry) : entry.name));
  return firstNames([...new Set(names)], 6);
}

function describeSubscription(subscription: SubscriptionState): string {
  const { name, catalog, catalogNamespace, startingCSV } = subscription;
  const channel =
    (subscription.channel ?? '') === '' ? 'any channel' : `channel ${subscription.channel}`;
  const pin = (startingCSV ?? '') === '' ? '' : `, starting with ${startingCSV}`;
  return `Subscription ${name} asks for package ${subscription.package} from ${channel} of catalog ${catalog} in ${catalogNamespace}${pin}`;
}

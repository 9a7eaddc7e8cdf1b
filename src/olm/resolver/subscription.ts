/**
 * Candidates of a subscription.
 * Rule: `getSubscriptionVariables` of OLM classic: a fresh install takes any entry of the channel, from its
 * head down; an upgrade takes any whose skipRange, replaces or skips covers the installed CSV, else it stays.
 */
import { compareValues } from '../../text/group.js';
import type { Entry } from './entry.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import type { SubscriptionState } from './namespace.js';
import type { Universe } from './universe.js';

export interface SubscriptionCandidates {
  readonly subscription: SubscriptionState;
  /** OLM's text when catalog, package, channel or startingCSV names nothing. */
  readonly missing: string | undefined;
  readonly current: Entry | undefined;
  /** Best first; entries of one name in several channels stay together. */
  readonly upgrades: readonly (readonly Entry[])[];
}

/** @throws ResolutionError when the channel has no order */
export function subscriptionCandidates(
  universe: Universe,
  subscription: SubscriptionState,
): SubscriptionCandidates {
  const installedCSV = subscription.installedCSV ?? '';
  const current =
    installedCSV === ''
      ? undefined
      : universe.installed.entries.find(({ name }) => name === installedCSV);
  const startingCSV = current === undefined ? (subscription.startingCSV ?? '') : '';
  const { name, package: packageName, catalog, catalogNamespace } = subscription;
  const channel = subscription.channel ?? '';
  const catalogs = universe.subscribable({ name: catalog, namespace: catalogNamespace });
  const ofPackage = catalogs.flatMap((it) => it.ofPackage(packageName));
  const inChannel = ofPackage.filter((entry) => channel === '' || entry.channel === channel);
  const entries = inChannel.filter((entry) => startingCSV === '' || entry.name === startingCSV);
  const missing = catalogs.every((it) => it.entries.length === 0)
    ? `no operators found from catalog ${catalog} in namespace ${catalogNamespace} referenced by subscription ${name}`
    : ofPackage.length === 0
      ? `no operators found in package ${packageName} in the catalog referenced by subscription ${name}`
      : inChannel.length === 0
        ? `no operators found in channel ${channel} of package ${packageName} in the catalog referenced by subscription ${name}`
        : entries.length === 0
          ? `no operators found with name ${startingCSV} in channel ${channel} of package ${packageName} in the catalog referenced by subscription ${name}`
          : undefined;
  if (missing !== undefined) return { subscription, missing, current, upgrades: [] };
  const ordered = orderByChannel(universe, entries);
  const candidates =
    current === undefined ? ordered : ordered.filter((entry) => upgrades(entry, current));
  // An upgrade's name is looked up again in every channel the subscription means.
  const stacks = candidates.map((candidate) =>
    entries.filter(({ name: it }) => it === candidate.name),
  );
  return { subscription, missing, current, upgrades: stacks };
}

/** Whether a channel entry says that it upgrades an installed CSV. */
function upgrades(entry: Entry, current: Entry): boolean {
  const { version } = current.bundle;
  return (
    (version !== undefined && entry.skipRange?.(version) === true) ||
    entry.replaces === current.name ||
    entry.skips.includes(current.name)
  );
}

function orderByChannel(universe: Universe, entries: readonly Entry[]): Entry[] {
  const sorted = entries.toSorted((a, b) => {
    if (a.inDefaultChannel !== b.inDefaultChannel) return a.inDefaultChannel ? -1 : 1;
    return compareValues(a.channel, b.channel);
  });
  const runs: Entry[][] = [];
  for (const entry of sorted) {
    const run = runs.at(-1);
    if (run?.[0]?.channel === entry.channel) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const [sample] = run;
    const catalog = sample === undefined ? undefined : universe.catalog(sample.catalog);
    if (catalog === undefined) throw new ResolutionError('an entry outside every catalog');
    return catalog.order(run);
  });
}

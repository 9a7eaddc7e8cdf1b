/** The check for a change to a catalog: what it takes away from those who have installed from the old one. */
import { plural } from '../../../text/plural.js';
import type { Finding } from '../../../rule/index.js';
import type { Catalog, CatalogBundle, ChannelEntry } from '../../catalogs/catalog.js';
import { channelFindings, DiffCost } from './channels.js';
import { contractFindings, crdEdges, crdFindings, type CrdQuestion } from './crd-edges.js';
import {
  type ChannelState,
  originOf,
  type PackageState,
  readPackages,
} from '../../catalogs/upgrades/package-state.js';
import { headWarnings } from '../catalog/warnings.js';
import { replacementFindings } from './replacements.js';
import { diffFinding, namesText } from './rules.js';
import { zStreamFindings } from './z-streams.js';
import { sameJson } from '../../../text/documents/index.js';
import { groupBy } from '../../../text/group.js';
import { edgesOf } from '../../catalogs/upgrades/edges.js';

interface NameChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface PackageDiff {
  readonly package: string;
  readonly state: 'added' | 'removed' | 'changed';
  readonly findings: readonly Finding[];
  readonly channels: NameChanges;
  readonly bundles: NameChanges;
  /** Edges along which definitions were compared, and those of whose ends one is not known. */
  readonly edges: { readonly judged: number; readonly unknown: number };
}

/**
 * Compares two catalogs, package by package in the order of the new one; packages that are the same are
 * left out. Severity `error` is for what the change makes worse; what was so before warns.
 *
 * @param crds asks for the definitions of bundles; without it edges are not judged
 * @throws InvalidInputError `E_LIMIT` where they have more updates than can be compared
 */
export function diffCatalogs(
  old: Catalog,
  now: Catalog,
  crds?: CrdQuestion,
  cost = new DiffCost(),
): PackageDiff[] {
  const before = readPackages(old);
  const after = readPackages(now);
  const diffs = [...after.values()].map((item) => {
    const was = before.get(item.name);
    return was === undefined ? only(item, 'added', []) : changed(was, item, crds, cost);
  });
  const removed = [...before.values()].filter(({ name }) => !after.has(name));
  return [
    ...diffs.filter(
      ({ state, findings, channels, bundles }) =>
        state === 'added' ||
        findings.length > 0 ||
        [channels, bundles].some((changes) => changes.added.length + changes.removed.length > 0),
    ),
    ...removed.map((item) => only(item, 'removed', [packageRemoved(item)])),
  ];
}

function changed(
  old: PackageState,
  now: PackageState,
  crds: CrdQuestion | undefined,
  cost: DiffCost,
): PackageDiff {
  const edges = crds && crdEdges(old, now, crds, cost);
  return {
    package: now.name,
    state: 'changed',
    findings: [
      ...channelFindings(old, now),
      ...replacementFindings(old, now),
      ...zStreamFindings(old, now, cost),
      ...edgeFindings(old, now, cost),
      ...strandedFindings(old, now),
      ...bundleFindings(old, now),
      ...crdFindings(edges?.pairs ?? [], now, crds ?? {}),
      ...contractFindings(edges?.pairs ?? [], now),
    ],
    channels: changesOf(old.channels, now.channels),
    bundles: changesOf(old.bundles, now.bundles),
    edges: { judged: edges?.judged ?? 0, unknown: edges?.unknown ?? 0 },
  };
}

/** Heads that lose their way into a later channel by the change, such as a hotfix that the next release does not know. */
function strandedFindings(old: PackageState, now: PackageState): Finding[] {
  const before = new Set(headWarnings(old).map(({ message }) => message));
  return headWarnings(now).filter(({ message }) => !before.has(message));
}

function only(
  item: PackageState,
  state: 'added' | 'removed',
  findings: readonly Finding[],
): PackageDiff {
  const none = { added: [], removed: [] };
  const changes = (names: ReadonlyMap<string, unknown>): NameChanges => ({
    ...none,
    [state]: [...names.keys()],
  });
  return {
    package: item.name,
    state,
    findings,
    channels: changes(item.channels),
    bundles: changes(item.bundles),
    edges: { judged: 0, unknown: 0 },
  };
}

function packageRemoved(item: PackageState): Finding {
  return diffFinding('CatalogPackageRemoved', {
    id: 'removed',
    data: {
      package: item.name,
      contents: `${plural(item.bundles.size, 'bundle')} in ${plural(item.channels.size, 'channel')}`,
    },
    place: item.place,
    about: item.name,
  });
}

function changesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): NameChanges {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

function* bundleFindings(old: PackageState, now: PackageState): Generator<Finding> {
  for (const [name, bundle] of now.bundles) {
    const was = old.bundles.get(name);
    if (was === undefined) continue;
    const contents = contentChanges(was, bundle);
    const about = `${now.name} ${name}`;
    if (contents.length > 0) {
      yield diffFinding('CatalogBundleChanged', {
        id: 'changed',
        data: { bundle: name, changes: contents.join('; ') },
        place: bundle.place,
        about,
      });
      continue;
    }
    const types = changedProperties(was, bundle);
    if (types.length === 0) continue;
    yield diffFinding('CatalogBundlePropertiesChanged', {
      id: 'changed',
      data: { bundle: name, types: types.join(', ') },
      place: bundle.place,
      about,
    });
  }
}

function contentChanges(was: CatalogBundle, is: CatalogBundle): string[] {
  const [before] = was.packageProperties;
  const [after] = is.packageProperties;
  return [
    ...(was.image === is.image ? [] : [`image ${shown(was.image)} → ${shown(is.image)}`]),
    ...(before?.version === after?.version
      ? []
      : [`version ${shown(before?.version)} → ${shown(after?.version)}`]),
    ...(sameObjects(was, is) ? [] : ['the manifests that it carries (olm.bundle.object)']),
  ];
}

/** Catalogs of newer clusters carry `olm.csv.metadata` instead: the same bundle in another form. */
function sameObjects(was: CatalogBundle, is: CatalogBundle): boolean {
  const [before, after] = [was, is].map(({ properties }) =>
    valuesOf(properties.filter(({ type }) => type === 'olm.bundle.object')),
  ) as [string[], string[]];
  return before.length === 0 || after.length === 0 || sameJson(before, after);
}

const contentTypes = new Set(['olm.bundle.object', 'olm.csv.metadata', 'olm.package']);

function changedProperties(was: CatalogBundle, is: CatalogBundle): string[] {
  const [before, after] = [was, is].map(({ properties }) => groupBy(properties, textOfType));
  const types = new Set([...was.properties, ...is.properties].map(({ type }) => type));
  return [...types]
    .filter((type) => !contentTypes.has(type))
    .filter((type) => !sameJson(valuesOf(before?.get(type)), valuesOf(after?.get(type))))
    .toSorted();
}

const textOfType = ({ type }: CatalogBundle['properties'][number]): string => type;

/** Resolution does not depend on their order, so the order is not compared. */
function valuesOf(properties: CatalogBundle['properties'] = []): string[] {
  return properties.map(({ value }) => JSON.stringify(value) ?? '').toSorted();
}

function shown(text: string | undefined): string {
  return text === undefined || text === '' ? 'none' : text;
}

interface Offer {
  readonly channel: string;
  readonly entry: string;
  readonly from: readonly string[];
}

function edgeFindings(old: PackageState, now: PackageState, cost: DiffCost): Finding[] {
  const wasKnown = (bundle: string): boolean => old.bundles.has(bundle);
  const isKnown = (bundle: string): boolean => wasKnown(bundle) && now.bundles.has(bundle);
  const offer = ({ channel, entry, from }: Offer) => ({
    data: { channel, entry, from: namesText(from) },
    place: now.channels.get(channel)?.place,
    about: `${now.name} ${channel} ${entry}`,
  });
  const lost = [...offeredOnlyBy(old, now, cost, wasKnown)];
  const gained = [...offeredOnlyBy(now, old, cost, isKnown)];
  return [
    ...lost.map((each) => diffFinding('CatalogEdgesLost', { id: 'lost', ...offer(each) })),
    ...gained.map((each) => diffFinding('CatalogEdgesGained', { id: 'gained', ...offer(each) })),
  ];
}

/** @param isKnown whether a bundle was there to be installed */
function* offeredOnlyBy(
  one: PackageState,
  other: PackageState,
  cost: DiffCost,
  isKnown: (bundle: string) => boolean,
): Generator<Offer> {
  for (const channel of one.channels.values()) {
    const beside = other.channels.get(channel.name);
    if (beside !== undefined) yield* offeredIn(channel, beside, one, cost, isKnown);
  }
}

function* offeredIn(
  channel: ChannelState,
  beside: ChannelState,
  one: PackageState,
  cost: DiffCost,
  isKnown: (bundle: string) => boolean,
): Generator<Offer> {
  const places = new Map(beside.entries.map(({ name }, place) => [name, place]));
  const origins = channel.entries
    .filter(({ name }) => isKnown(name))
    .map(({ name }) => originOf(name, [one]));
  const byName = new Map(origins.map((origin) => [origin.name, origin]));
  for (const [at, each] of channel.entries.entries()) {
    const place = places.get(each.name);
    const entry = place === undefined ? undefined : beside.entries[place];
    if (place === undefined || entry === undefined || isSameEntry(each, entry)) continue;
    // The same range covers the same, so only what is named can make a difference.
    const compared =
      each.skipRange === entry.skipRange
        ? [...new Set([each.replaces ?? '', ...(each.skips ?? [])])].flatMap(
            (name) => byName.get(name) ?? [],
          )
        : origins;
    cost.spend('comparison', compared.length, one.name);
    const offers = edgesOf(channel.entries).originsOf(at, compared);
    const others = edgesOf(beside.entries).originsOf(place, compared);
    const from = compared.filter((origin) => offers.has(origin) && !others.has(origin));
    if (from.length > 0) {
      yield { channel: channel.name, entry: each.name, from: from.map(({ name }) => name) };
    }
  }
}

function isSameEntry(one: ChannelEntry, other: ChannelEntry): boolean {
  const { skips = [] } = other;
  return (
    one.replaces === other.replaces &&
    one.skipRange === other.skipRange &&
    (one.skips ?? []).length === skips.length &&
    (one.skips ?? []).every((name, at) => name === skips[at])
  );
}

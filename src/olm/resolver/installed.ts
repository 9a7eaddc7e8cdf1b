/** Installed operators are a catalog. Rule: `source_csvs.go` and `fail_forward.go` of OLM classic. */
import { compareValues } from '../../text/group.js';
import { stringifyJson } from '../../text/documents/index.js';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  readTolerantVersion,
} from '../../text/versions/index.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import { SearchedCatalog } from './catalog.js';
import { entryId, existing, readBundle, type CatalogKey, type Entry } from './entry.js';
import type { CrdReference, InstalledCsv, NamespaceState, SubscriptionState } from './namespace.js';
import type { Property, Requirements } from './requirement.js';
import { attempt } from '../once.js';

const failForward = 'TechPreviewUnsafeFailForward';
const zeroVersion = parseVersion('0.0.0');

/** Copied CSVs, and those on their way to a failed replacement under fail-forward, are left out. */
export function loadInstalled(
  state: NamespaceState,
  requirements: Requirements,
  firstSlot: number,
): SearchedCatalog {
  const { namespace } = state;
  const key = { name: existing, namespace };
  const csvs = (state.installedCSVs ?? []).filter((csv) => csv.namespace === namespace);
  const subscriptions = (state.subscriptions ?? []).filter((it) => it.namespace === namespace);
  const group = (state.operatorGroups ?? []).find((it) => it.namespace === namespace);
  const failsForward = group?.upgradeStrategy === failForward;
  const read = (): Entry[] =>
    csvs
      .toSorted((a, b) => compareValues(a.name, b.name))
      .filter((csv) => (csv.copiedFrom ?? '') === '')
      .filter((csv) => !(failsForward && endsInFailure(csv, csvs) && csv.phase === 'Replacing'))
      .map((csv, at) => toEntry(csv, firstSlot + at, key, subscriptions, requirements));
  const entries = attempt(ResolutionError, read);
  if (!(entries instanceof ResolutionError)) return new SearchedCatalog(key, 0, entries, firstSlot);
  const error = `error using catalogsource ${namespace}/${existing}: ${entries.message}`;
  return new SearchedCatalog(key, 0, [], firstSlot, error);
}

function toEntry(
  csv: InstalledCsv,
  slot: number,
  catalog: CatalogKey,
  subscriptions: readonly SubscriptionState[],
  requirements: Requirements,
): Entry {
  const owners = subscriptions.filter(({ installedCSV }) => installedCSV === csv.name);
  const fromCrds = [
    ...apiProperties('olm.gvk', csv.ownedCRDs ?? []),
    ...apiProperties('olm.gvk.required', csv.requiredCRDs ?? []),
  ];
  const version = readTolerantVersion(csv.version ?? '') ?? zeroVersion;
  const bundle = readBundle(
    csv.properties ?? [...fromCrds, ...inferPackage(csv, owners)],
    version,
    requirements,
  );
  return {
    slot,
    id: entryId(catalog, '', csv.name),
    name: csv.name,
    catalog,
    package: bundle.packages.at(-1)?.name ?? '',
    channel: '',
    inDefaultChannel: false,
    replaces: '',
    skips: [],
    skipRange: undefined,
    bundle,
    installed: true,
    subscription: owners.at(-1)?.name,
  };
}

/** Sorted and without repetitions, as OLM makes them from the CSV's CRDs. */
function apiProperties(type: string, references: readonly CrdReference[]): Property[] {
  const seen = new Map<string, Property>();
  for (const { name, version, kind } of references) {
    const dot = name.indexOf('.');
    if (dot < 0) throw new ResolutionError(`error parsing crd name: ${name}`);
    const value = { group: name.slice(dot + 1), version, kind };
    // The set has the plural in its key, so that two plurals of one API count twice.
    seen.set(`${stringifyJson(value)} ${name.slice(0, dot)}`, { type, value });
  }
  return [...seen.keys()].sort().flatMap((key) => seen.get(key) ?? []);
}

/** Without a properties annotation the package is known only from exactly one subscribed package. */
function inferPackage(csv: InstalledCsv, owners: readonly SubscriptionState[]): Property[] {
  const packages = new Set(owners.map((owner) => owner.package).filter((name) => name !== ''));
  const [packageName] = packages;
  if (packages.size !== 1 || packageName === undefined) return [];
  const version = readTolerantVersion(csv.version ?? '');
  const known = version !== undefined && compareVersions(version, zeroVersion) !== 0;
  return [
    { type: 'olm.package', value: { packageName, version: known ? formatVersion(version) : '' } },
  ];
}

/** @throws ResolutionError when a CSV that is being replaced is not in phase Replacing, or replaces itself */
function endsInFailure(start: InstalledCsv, csvs: readonly InstalledCsv[]): boolean {
  const replacements = new Map(
    csvs.flatMap((csv) => ((csv.replaces ?? '') === '' ? [] : [[csv.replaces ?? '', csv]])),
  );
  const visited = new Set<string>();
  let csv = start;
  for (;;) {
    const next = replacements.get(csv.name);
    if (next === undefined) return csv.phase === 'Failed';
    const phase = csv.phase ?? 'Succeeded';
    if (phase !== 'Replacing') {
      throw new ResolutionError(
        `csv ${csv.namespace}/${csv.name} in phase ${phase} instead of Replacing`,
      );
    }
    if (visited.has(csv.name)) {
      throw new ResolutionError(`csv ${csv.namespace}/${csv.name} has already been seen`);
    }
    visited.add(csv.name);
    csv = next;
  }
}
